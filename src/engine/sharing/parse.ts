// Reads a file that somebody wants to import: one of ours, or an export of AlexClaw. Files are edited by hand, so all
// that is wrong is told at once, and what nobody knows is passed over with a warning.

import { canonicalText, isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { pointerTo, under, type Pointer } from "../../flow/pointer.ts";
import { depthLimit } from "../../flow/source/limits.ts";
import { readText } from "../../flow/source/read.ts";
import { isTooDeep } from "../../flow/source/value.ts";
import { readAlexClaw } from "./alexclaw.ts";
import { checkSharedSize, type FiledWorkflow, type SharedFile, type SharedTool } from "./document.ts";
import { readOrRefuse, refuseFile, type Note } from "./problems.ts";
import { toResource } from "./resources.ts";

/** Of workflows in one file; each is compiled before anything is decided. */
const workflowsMax = 1000;

/** The document around a flow. */
const ownLevels = 4;

/** In the order in which an export has them. */
export const documentKeys: ReadonlySet<string> = new Set([
  "stepwell",
  "workflow",
  "workflows",
  "resources",
  "tools",
  "secrets",
  "permissions",
  "tests",
]);
const workflowKeys: ReadonlySet<string> = new Set(["name", "description", "flow", "text", "input"]);

export function parseSharedText(text: string): SharedFile {
  checkSharedSize(Buffer.byteLength(text));
  const document = parseJson(text);
  if (!isObject(document)) return refuseFile([{ code: "not_an_object", pointer: "", message: "it is no object." }]);
  if (isTooDeep(document, depthLimit + ownLevels))
    return refuseFile([{ code: "too_deep", pointer: "", message: `it is nested more than ${depthLimit} deep.` }]);
  const isForeign = own(document, "stepwell") === undefined && own(document, "version") !== undefined;
  return isForeign ? readAlexClaw(document) : readOrRefuse((note) => readOwn(document, note));
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const [found] = readText(text, { syntax: "json" }).findings;
    const { line = 1, column = 1, message = "" } = found ?? {};
    const told = `it is no JSON (line ${line}, column ${column}): ${message}`;
    return refuseFile([{ code: "not_json", pointer: "", message: told, line, column }]);
  }
}

function readOwn(document: JsonObject, note: Note): SharedFile {
  const warnings: string[] = [];
  const reading = { note, warnings };
  if (own(document, "stepwell") !== 1)
    note("unknown_version", "/stepwell", 'it is no export that is known here: it must say "stepwell": 1.');
  const main = readWorkflow(own(document, "workflow"), "/workflow", reading);
  const others = listIn(document, "workflows", note).map((each, index) =>
    readWorkflow(each, pointerTo("workflows", index), reading),
  );
  if (others.length >= workflowsMax) note("too_many", "/workflows", `it has more than ${workflowsMax} workflows.`);
  findTwice([main, ...others], note);
  const resources = readResources(listIn(document, "resources", note), note);
  const tools = readTools(listIn(document, "tools", note), note);
  const tests = listIn(document, "tests", note);
  warnOfUnknown(document, documentKeys, { warnings, place: "The file" });
  return { main, others, resources, tools, tests, warnings };
}

type Reading = { readonly note: Note; readonly warnings: string[] };

/** What is wrong is noted; nothing is done with what comes back then. */
function readWorkflow(value: Json | undefined, pointer: Pointer, { note, warnings }: Reading): FiledWorkflow {
  const workflow = isObject(value) ? value : {};
  const name = own(workflow, "name");
  const description = own(workflow, "description") ?? null;
  const flow = own(workflow, "flow") ?? null;
  const text = own(workflow, "text") ?? null;
  if (!isObject(value)) note("workflow_missing", pointer, `"${pointer.slice(1)}" must be an object.`);
  else if (typeof name !== "string" || name.trim() === "")
    note("name_missing", under(pointer, "name"), `"${pointer.slice(1)}" needs a name.`);
  else if (flow === null) note("flow_missing", under(pointer, "flow"), `"${name}" has no flow.`);
  if (description !== null && typeof description !== "string")
    note("wrong_type", under(pointer, "description"), "a description must be a text.");
  if (text !== null && typeof text !== "string")
    note("wrong_type", under(pointer, "text"), "the text of a flow must be a text.");
  warnOfUnknown(workflow, workflowKeys, { warnings, place: `"${pointer.slice(1)}"` });
  const shown = typeof name === "string" ? name : "";
  const kept = typeof text === "string" && isTextOf(text, flow);
  if (typeof text === "string" && !kept)
    warnings.push(
      `The text of "${shown}" says something else than its flow; the flow counts, and the text is dropped.`,
    );
  return {
    name: shown,
    description: typeof description === "string" ? description : null,
    flow: typeof flow === "string" ? (readText(flow).value ?? flow) : flow,
    ...(kept ? { text } : typeof flow === "string" ? { text: flow } : {}),
    input: own(workflow, "input") ?? null,
    pointer: under(pointer, "flow"),
  };
}

function isTextOf(text: string, flow: Json): boolean {
  const { value } = readText(text);
  return value !== undefined && canonicalText(value) === canonicalText(flow);
}

function listIn(document: JsonObject, key: string, note: Note): readonly Json[] {
  const list = own(document, key) ?? [];
  if (isArray(list)) return list;
  note("wrong_type", pointerTo(key), `"${key}" must be a list.`);
  return [];
}

function findTwice(workflows: readonly FiledWorkflow[], note: Note): void {
  const names = new Set<string>();
  for (const { name, pointer } of workflows) {
    if (names.has(name) && name !== "") note("name_twice", pointer, `two workflows are called "${name}".`);
    names.add(name);
  }
}

function readResources(list: readonly Json[], note: Note): readonly JsonObject[] {
  return list.flatMap((each, index) => {
    const name = isObject(each) ? own(each, "name") : undefined;
    if (typeof name === "string" && name !== "") return [toResource(name, each)];
    note("name_missing", pointerTo("resources", index, "name"), `resource ${index + 1} needs a name.`);
    return [];
  });
}

function readTools(list: readonly Json[], note: Note): readonly SharedTool[] {
  return list.flatMap((each, index) => {
    const tool = isObject(each) ? toTool(each) : undefined;
    if (tool !== undefined) return [tool];
    const wanted = "a name, an effect (read, idempotent or write), a description and schemas or null";
    note("wrong_type", pointerTo("tools", index), `tool ${index + 1} must have ${wanted}.`);
    return [];
  });
}

function toTool(value: JsonObject): SharedTool | undefined {
  const name = own(value, "name");
  const description = own(value, "description") ?? null;
  const effect = own(value, "effect");
  const input = own(value, "input_schema") ?? null;
  const output = own(value, "output_schema") ?? null;
  if (typeof name !== "string" || (description !== null && typeof description !== "string")) return undefined;
  if (effect !== "read" && effect !== "idempotent" && effect !== "write") return undefined;
  if ((input !== null && !isObject(input)) || (output !== null && !isObject(output))) return undefined;
  return { name, description, effect, input_schema: input, output_schema: output };
}

function warnOfUnknown(
  object: JsonObject,
  known: ReadonlySet<string>,
  { warnings, place }: { readonly warnings: string[]; readonly place: string },
): void {
  for (const key of Object.keys(object))
    if (!known.has(key))
      warnings.push(`${place} has a key "${key.slice(0, 60)}" that nobody knows; it is passed over.`);
}
