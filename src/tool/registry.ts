// The tools that are there, by name.

import { StepwellError } from "../error.ts";
import { shortName } from "../flow/schema/tools.ts";
import { nearest } from "../flow/suggest.ts";
import type { ToolDescription } from "../flow/validate/tools.ts";
import { renamed, withChecks } from "./answer.ts";
import { defineTool, type ToolFunction } from "./function.ts";
import type { Tool, ToolBox } from "./tool.ts";

/** Functions and tools under the names that steps call them by, or a list of tools that have their names. */
export type Tools = readonly Tool[] | { readonly [name: string]: ToolFunction | Tool };

/** `createToolBox({ greet: ({ name }: { name: string }) => `Hello ${name}` })` */
export function createToolBox(tools: Tools): ToolBox {
  const byName = new Map<string, Tool>();
  for (const given of toList(tools)) {
    const tool = withChecks(given);
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

/** What the validator of flows and editors need to know of the tools that are there. */
export function describeTools(box: ToolBox): readonly ToolDescription[] {
  return box.list().map(({ name, description, effect, input }) => ({
    name,
    effect,
    ...(description === null ? {} : { description }),
    ...(input === null ? {} : { inputSchema: input }),
  }));
}

/** Names are case-sensitive: one in other capitals is near, and not the same. */
export function describeUnknownTool(box: ToolBox, name: string): string {
  const names = box.list().map((tool) => tool.name);
  const shortNames = names.map(shortName).filter((short) => box.find(short) !== undefined);
  const near = nearest(name, [...names, ...shortNames]);
  const cure = near === undefined ? "Give it to the engine, or correct the name." : `Did you mean "${near}"?`;
  return `Unknown tool: ${name}. ${cure}`;
}

function toList(tools: Tools): readonly Tool[] {
  if (isList(tools)) return tools;
  return Object.entries(tools).map(([name, given]) => {
    if (typeof given === "function") return defineTool({ name, call: given });
    return given.name === name ? given : renamed(given, name);
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
