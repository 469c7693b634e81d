// Steps that wait since the tool that they call is not what was agreed on: once somebody has agreed, they go on.

import type { RowId, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";

/** How many live runs are looked at together. */
const pageSize = 50;

/** The rows that wait for one of these tools, by their full names. */
export async function listHeldFor(store: Store, tools: readonly string[]): Promise<readonly RowId[]> {
  const wanted = new Set<string | null>(tools);
  const held: RowId[] = [];
  for (let before: RunId | null = null; ;) {
    const page = await store.listRuns({
      status: "live",
      limitMax: pageSize,
      ...(before === null ? {} : { before }),
    });
    for (const { run } of page) {
      if (run.attention === null) continue;
      for (const row of await store.listRows(run.id))
        if (row.isHeld && row.error?.code === "tool_changed" && wanted.has(row.tool)) held.push(row.id);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return held;
    before = last.run.id;
  }
}
