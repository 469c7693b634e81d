// The tools that a command has: those that come with the program, and those of the user's own modules. An own one goes
// before a built-in of its name.

import { statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { StepwellError } from "../error.ts";
import type { ToolFunction } from "../tool/function.ts";
import type { Tool } from "../tool/tool.ts";
import type { Settings } from "./settings.ts";

export async function gatherTools(
  { tools, filesFolder, httpHosts }: Settings,
  say: (text: string) => void,
): Promise<readonly Tool[]> {
  const [{ createBuiltinTools }, { toPlainText }] = await Promise.all([
    import("../tool/builtin/builtin.ts"),
    import("../flow/draw/text.ts"),
  ]);
  const builtin = createBuiltinTools({
    now: Date.now,
    say: (message) => say(`log: ${toPlainText(message)}`),
    httpHosts,
    ...(filesFolder === undefined ? {} : { filesFolder }),
  });
  const own: Tool[] = [];
  for (const path of tools) own.push(...(await loadModule(path)));
  const names = new Set(own.map(({ name }) => name));
  return [...builtin.filter(({ name }) => !names.has(name)), ...own];
}

const hint = "a module exports tools or functions: export const greet = ({ name }) => `Hello ${name}`";

async function loadModule(path: string): Promise<readonly Tool[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new StepwellError("FILE_NOT_FOUND", `There is no file "${path}" with tools.`, {
      hint: "--tools FILE.ts, .js or .mjs",
    });
  }
  const { defineTool } = await import("../tool/function.ts");
  const exported = await importModule(path);
  const { tools, default: main, ...named } = exported;
  // A module that lists its tools may export other things as well.
  const lists = [tools, main, ...Object.values(named)].filter(isList);
  const found =
    lists.length > 0
      ? spread(lists.flat(), "")
      : { ...spread(main, nameOfModule(path)), ...spread(tools, "tools"), ...named };
  const list = Object.entries(found).flatMap(([name, value]) => {
    if (isTool(value)) return [value];
    return isFunction(value) ? [defineTool({ name, call: value })] : [];
  });
  if (list.length > 0) return list;
  throw new StepwellError("USAGE", `There are no tools in "${path}".`, { hint });
}

type Exported = { readonly [name: string]: unknown };

async function importModule(path: string): Promise<Exported> {
  try {
    return { ...((await import(pathToFileURL(resolve(path)).href)) as Exported) };
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StepwellError("USAGE", `The tools in "${path}" cannot be loaded: ${said}`, { hint, cause });
  }
}

/** One tool, a list of them, or a map of tools and functions by their names. */
function spread(value: unknown, name: string): Exported {
  if (value === undefined || value === null) return {};
  if (isTool(value)) return { [value.name]: value };
  if (isFunction(value)) return { [value.name === "" || value.name === "default" ? name : value.name]: value };
  if (isList(value)) return Object.fromEntries(value.map((tool) => [tool.name, tool]));
  return typeof value === "object" ? { ...value } : {};
}

function isList(value: unknown): value is readonly Tool[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTool);
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  return (
    "name" in value &&
    typeof value.name === "string" &&
    "call" in value &&
    typeof value.call === "function" &&
    "effect" in value
  );
}

function isFunction(value: unknown): value is ToolFunction {
  return typeof value === "function";
}

function nameOfModule(path: string): string {
  return basename(path, extname(path));
}
