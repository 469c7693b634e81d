// G2: a join is entered once for each fork, after all of its branches.

import { isKind } from "../flows.ts";
import type { World } from "./world.ts";

export function findMisjoined({ steps, runs }: World, isMidway: boolean): readonly string[] {
  const joins = [...steps.values()].filter(({ via }) => via === "join");
  const doubled = [...Map.groupBy(joins, ({ causedBy }) => causedBy)].flatMap(([fork, list]) =>
    list.length > 1 ? [`fork ${fork ?? ""} was joined ${list.length} times`] : [],
  );
  const byRun = Map.groupBy(joins, ({ run }) => run);
  const missing = [...runs.values()].flatMap(({ id, name, status }) => {
    if (isMidway || status !== "completed" || !isKind(name) || (name !== "join" && name !== "nested")) return [];
    const count = byRun.get(id)?.length ?? 0;
    return count === 1 ? [] : [`run ${id} (${name}) ended with ${count} joins`];
  });
  return [...doubled, ...missing];
}
