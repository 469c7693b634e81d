// The workflows that a new store begins with, so that there is something to run; and their end.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { UserEngine } from "../engine/engine.ts";

/** In the order in which they are best looked at. */
const names: readonly string[] = ["hello", "flaky", "fan-out", "publish", "publish-digest", "survivor"];
/** By which they are known later on. */
const note = "comes with Stepwell";

type Desk = Pick<UserEngine, "workflows">;

/** As it is written, with its comments. */
export function readDemo(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../examples/flows/${name}.yaml`, import.meta.url)), "utf8");
}

/** Into a store that has none; how many there are of them now. */
export async function saveDemos(engine: Desk): Promise<number> {
  const saved = await engine.workflows.list({ all: true });
  if (saved.length > 0) return (await listDemos(engine)).length;
  for (const name of names) await engine.workflows.save(readDemo(name), { name, note });
  return names.length;
}

/** Those that are saved. */
export async function listDemos(engine: Desk): Promise<readonly string[]> {
  const saved = new Set((await engine.workflows.list()).map(({ name }) => name));
  return names.filter((name) => saved.has(name));
}

export type Cleaned = {
  readonly removed: readonly string[];
  /** What somebody has made their own. */
  readonly kept: readonly string[];
};

/** Those go that still are as they came. */
export async function cleanDemos(engine: Desk): Promise<Cleaned> {
  const [removed, kept]: [string[], string[]] = [[], []];
  for (const name of await listDemos(engine)) {
    const { newestVersion, note: said } = await engine.workflows.get(name);
    const isAsItCame = newestVersion === 1 && said === note;
    if (isAsItCame) await engine.workflows.delete(name);
    (isAsItCame ? removed : kept).push(name);
  }
  return { removed, kept };
}
