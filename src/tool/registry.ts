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

/** One that is filled and emptied while it is in use. */
export interface OpenToolBox extends ToolBox {
  /** All of them or, when it throws, none; those of the same name are replaced. */
  load(tools: Tools): LoadedTools;
  /** By any of its names; what it gives has gone, undefined: there was none. */
  unload(name: string): Tool | undefined;
}

/** Names, in the order in which they were given. */
export type LoadedTools = { readonly added: readonly string[]; readonly replaced: readonly string[] };

/** `createToolBox({ greet: ({ name }: { name: string }) => `Hello ${name}` })` */
export function createToolBox(tools: Tools): OpenToolBox {
  const byName = new Map<string, Tool>();
  let byShortName: ReadonlyMap<string, Tool> = new Map();
  let revision = 0;
  const find = (name: string): Tool | undefined => byName.get(name) ?? byShortName.get(name);
  const changed = (): void => {
    byShortName = indexShortNames(byName);
    revision += 1;
  };
  const load = (given: Tools): LoadedTools => {
    const loaded = indexNames(given);
    const names = [...loaded.keys()];
    const replaced = names.filter((name) => byName.has(name));
    for (const [name, tool] of loaded) byName.set(name, tool);
    changed();
    return { added: names.filter((name) => !replaced.includes(name)), replaced };
  };
  const unload = (name: string): Tool | undefined => {
    const found = find(name);
    if (found === undefined) return undefined;
    byName.delete(found.name);
    changed();
    return found;
  };
  load(tools);
  return {
    find,
    load,
    unload,
    list: () => [...byName.values()],
    get revision() {
      return revision;
    },
  };
}

function indexNames(tools: Tools): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const given of toList(tools)) {
    const tool = withChecks(given);
    if (byName.has(tool.name)) {
      throw new StepwellError("USAGE", `There are two tools "${tool.name}"; give one of them another name.`);
    }
    byName.set(tool.name, tool);
  }
  return byName;
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
export function describeUnknownTool(box: Names, name: string): string {
  const names = box.list().map((tool) => tool.name);
  const shortNames = names.map(shortName).filter((short) => box.find(short) !== undefined);
  const near = nearest(name, [...names, ...shortNames]);
  const cure = near === undefined ? "Give it to the engine, or correct the name." : `Did you mean "${near}"?`;
  return `Unknown tool: ${name}. ${cure}`;
}

type Names = {
  readonly list: () => readonly Pick<Tool, "name">[];
  readonly find: (name: string) => Pick<Tool, "name"> | undefined;
};

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
