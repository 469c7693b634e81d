// The workflows that a new store begins with, so that there is something to run.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Engine } from "../engine/engine.ts";

const names = ["hello", "flaky", "fan-out", "publish"];

/** Into a store that has none; how many there are of them now. */
export async function saveDemos(engine: Engine): Promise<number> {
  const saved = await engine.workflows.list({ all: true });
  if (saved.length > 0) return saved.filter(({ name }) => names.includes(name)).length;
  for (const name of names) {
    const path = fileURLToPath(new URL(`../../examples/flows/${name}.yaml`, import.meta.url));
    await engine.workflows.save(readFileSync(path, "utf8"), { name, note: "comes with Stepwell" });
  }
  return names.length;
}
