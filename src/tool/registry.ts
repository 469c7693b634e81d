// The tools that are there, by name.

import { StepwellError } from "../error.ts";
import { shortName } from "../flow/schema/tools.ts";
import { defineTool, withCheckedResults, type ToolFunction } from "./function.ts";
import type { Tool, ToolBox } from "./tool.ts";

/** Functions and tools under the names that steps call them by, or a list of tools that have their names. */
export type Tools = readonly Tool[] | { readonly [name: string]: ToolFunction | Tool };

/** `createToolBox({ greet: ({ name }: { name: string }) => `Hello ${name}` })` */
export function createToolBox(tools: Tools): ToolBox {
  const byName = new Map<string, Tool>();
  for (const given of toList(tools)) {
    const tool = withCheckedResults(given);
    if (byName.has(tool.name)) {
      throw new StepwellError("USAGE", `There are two tools "${tool.name}"; give one of them another name.`);
    }
    byName.set(tool.name, tool);
  }
  const byShortName = indexShortNames(byName);
  return {
    find: (name) => byName.get(name) ?? byShortName.get(name),
    list: () => [...byName.values()],
  };
}

function toList(tools: Tools): readonly Tool[] {
  if (isList(tools)) return tools;
  return Object.entries(tools).map(([name, given]) => {
    if (typeof given === "function") return defineTool({ name, call: given });
    if (given.name === name) return given;
    const { description, effect } = given;
    return { name, description, effect, call: (context) => given.call(context) };
  });
}

function isList(tools: Tools): tools is readonly Tool[] {
  return Array.isArray(tools);
}

/** Names without their first part, where just one tool has it. */
function indexShortNames(byName: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> {
  const found = new Map<string, Tool | null>();
  for (const [name, tool] of byName) {
    const short = shortName(name);
    found.set(short, found.has(short) ? null : tool);
  }
  const index = new Map<string, Tool>();
  for (const [short, tool] of found) if (tool !== null) index.set(short, tool);
  return index;
}
