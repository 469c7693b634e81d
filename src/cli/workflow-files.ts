// Workflows that lie in files and that no engine may have loaded yet: looked at without one.

import { readFile } from "node:fs/promises";
import { isObject, own } from "../flow/json.ts";
import { nameOfFile } from "./flow-file.ts";

export type WorkflowFiles = {
  /** The text of the first that has this name, as for an engine. */
  readonly find: (name: string) => string | undefined;
  readonly names: readonly string[];
};

/** `places`: folders and files, as the configuration names them. */
export async function readWorkflowFiles(places: readonly string[]): Promise<WorkflowFiles> {
  if (places.length === 0) return { find: () => undefined, names: [] };
  const [{ listWorkflowFiles }, { readText }] = await Promise.all([
    import("../engine/workflow-folder.ts"),
    import("../flow/source/read.ts"),
  ]);
  const texts = new Map<string, string>();
  for (const file of await listWorkflowFiles(places)) {
    const text = await readFile(file, "utf8");
    const { value } = readText(text);
    const given = value !== undefined && isObject(value) ? own(value, "name") : undefined;
    const name = typeof given === "string" ? given : nameOfFile(file);
    if (!texts.has(name)) texts.set(name, text);
  }
  return { find: (name) => texts.get(name), names: [...texts.keys()] };
}
