// Tools as a server lists them: all pages, within bounds, each read by itself, so that one that makes no sense takes no other
// with it.

import { hasWrongMark } from "../../flow/json-schema/header-marks.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { ToolDefinition } from "./contract.ts";
import { LinkProblem } from "./link-problem.ts";

const toolsMax = 2000;
const bytesMax = 16 * 1024 * 1024;
const pagesMax = 500;
const nameLengthMax = 128;

export type ToolList = {
  readonly definitions: readonly ToolDefinition[];
  /** What was left out, and why. */
  readonly problems: readonly string[];
};

/** Asks for one page. */
export type FetchPage = (cursor: string | null) => Promise<JsonObject>;

export async function listTools(fetchPage: FetchPage, kind: "stdio" | "http"): Promise<ToolList> {
  const found: Json[] = [];
  let bytes = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: JsonObject = await fetchPage(cursor);
    const tools = own(page, "tools");
    if (!isArray(tools))
      throw new LinkProblem("tool_server_unavailable", "It listed its tools in a form that is unknown.");
    bytes += JSON.stringify(tools).length;
    if (found.length + tools.length > toolsMax) throw tooMany(`more than ${toolsMax} tools`);
    if (bytes > bytesMax) throw tooMany(`tools of more than ${bytesMax} bytes`);
    found.push(...tools);
    const next = own(page, "nextCursor");
    // Whoever gives the same cursor again would do so for ever.
    if (typeof next !== "string" || next === cursor) return readTools(found, kind);
    cursor = next;
  }
  throw tooMany(`its tools on more than ${pagesMax} pages`);
}

function tooMany(what: string): LinkProblem {
  return new LinkProblem("tool_server_unavailable", `It lists ${what}.`);
}

function readTools(found: readonly Json[], kind: "stdio" | "http"): ToolList {
  const definitions = new Map<string, ToolDefinition>();
  const problems: string[] = [];
  for (const given of found) {
    const read = readTool(given, kind);
    if (typeof read === "string") problems.push(read);
    else if (definitions.has(read.name)) problems.push(`It lists the tool "${read.name}" twice.`);
    else definitions.set(read.name, read);
  }
  return { definitions: [...definitions.values()], problems };
}

/** A text says what is wrong with it. */
function readTool(given: Json, kind: "stdio" | "http"): ToolDefinition | string {
  const name = isObject(given) ? own(given, "name") : undefined;
  if (!isObject(given) || typeof name !== "string" || name === "") return "It lists a tool without a name.";
  // What is no sign in a name cannot be written in a step, or looks like another name there.
  if (name.length > nameLengthMax || !/^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(name)) {
    return `It lists a tool whose name no step could say: ${JSON.stringify(name.slice(0, nameLengthMax))}.`;
  }
  const input = own(given, "inputSchema");
  const output = own(given, "outputSchema");
  if (input !== undefined && !isObject(input)) return `The tool "${name}" has no schema of its arguments.`;
  if (kind === "http" && input !== undefined && hasWrongMark(input)) {
    return `The tool "${name}" asks for headers in a way that is not allowed.`;
  }
  const annotations = own(given, "annotations");
  return {
    name,
    title: textOf(given, "title"),
    description: textOf(given, "description"),
    input: input ?? { type: "object" },
    output: isObject(output) ? output : null,
    annotations: isObject(annotations) ? annotations : {},
    taskSupport: taskSupportOf(given),
  };
}

function textOf(object: JsonObject, key: string): string | null {
  const value = own(object, key);
  return typeof value === "string" ? value : null;
}

function taskSupportOf(tool: JsonObject): ToolDefinition["taskSupport"] {
  const execution = own(tool, "execution");
  const said = isObject(execution) ? own(execution, "taskSupport") : undefined;
  return said === "optional" || said === "required" ? said : "forbidden";
}
