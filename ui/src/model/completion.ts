// What may be written where the cursor stands: keys of the language, names of steps, tools and their arguments, and what
// expressions can read.

import { entryAt, isSame, scanFlow, type Entry, type Place } from "./flow-text.ts";
import { keysOf, notationOf, schemasAt, schemasIn, valuesOf, type Notation } from "./flow-schema.ts";
import type { Json } from "./json.ts";
import type { Tool } from "./tool.ts";

export type Known = {
  /** The JSON Schema of flows. */
  readonly schema: Json;
  readonly tools: readonly Tool[];
  readonly workflows: readonly string[];
  readonly syntax: "yaml" | "json";
};

export type Option = {
  readonly label: string;
  readonly kind: "key" | "value" | "step" | "tool" | "name";
  readonly about: string;
  /** In place of the label. */
  readonly insert: string;
  /** More is asked for at once behind it. */
  readonly goesOn: boolean;
};

export type Completion = { readonly from: number; readonly options: readonly Option[] };

const targets = new Set([
  "next",
  "then",
  "else",
  "join",
  "on_error",
  "escalate_to",
  "input_from",
  "start",
  "goto",
  "parallel",
  "cancel",
]);
const toolKeys = new Set(["tool", "fallback", "skill", "fallback_skill"]);
const expressions = new Set(["if", "guard", "match", "outcome"]);

/** What is written most often is offered first. */
const usual =
  "format start steps tool args gate wait set flow next routes branch parallel join done terminal each retry timeout on_error name description input".split(
    " ",
  );

function rankOf(name: string): number {
  const at = usual.indexOf(name);
  return at < 0 ? usual.length : at;
}

export function completeFlow(text: string, offset: number, known: Known): Completion | null {
  const { place } = scanFlow(text.slice(0, offset));
  if (place.isComment) return null;
  const { entries } = scanFlow(text);
  const expression = expressionAt(place);
  if (expression !== null) return completeExpression(expression, place, entries);
  const notation = notationOf(entries);
  const lists = [...ofValue(place, entries, notation, known), ...ofKey(place, entries, notation, known)];
  return lists.length === 0 ? null : { from: place.from, options: lists };
}

/** The part of an expression before the cursor, from its beginning. */
function expressionAt({ word, key }: Place): string | null {
  const open = word.lastIndexOf("{{");
  if (open >= 0 && word.indexOf("}}", open) < 0) return word.slice(open + 2);
  return key !== null && expressions.has(key) ? word : null;
}

const roots: readonly (readonly [string, string])[] = [
  ["input", "What the run was started with"],
  ["previous", "The result of the step that led here"],
  ["steps", "Every step by its name: its result, outcome, error, attempts"],
  ["result", "In a transition: the result of this step"],
  ["item", "The item that is at hand, in each"],
  ["index", "Its number, from 0"],
  ["run", "The run itself: id, uid, name, created_by, started_at, now"],
  ["resources", "Named things of this flow"],
  ["secrets", "A secret by its name; in args alone"],
];
const machineRoots: readonly (readonly [string, string])[] = [
  ["data", "What the machine remembers"],
  ["event", "What came with the event"],
];
const ofStep = ["result", "outcome", "error", "errors", "attempts", "visits"];
const ofRun = ["id", "uid", "name", "created_by", "started_at", "now"];
const functions =
  "has size contains startsWith endsWith lower upper trim split join string number type keys min max".split(" ");

function completeExpression(expression: string, place: Place, entries: readonly Entry[]): Completion | null {
  const path = /[\w$][\w$.-]*$/.exec(expression)?.[0] ?? "";
  const parts = path.split(".");
  const word = parts.at(-1) ?? "";
  const from = place.from + place.word.length - word.length;
  const options = namesBehind(parts.slice(0, -1), entries);
  return options.length === 0 ? null : { from, options };
}

function namesBehind(parts: readonly string[], entries: readonly Entry[]): readonly Option[] {
  const [root, second, third] = parts;
  if (root === undefined) {
    const known = notationOf(entries) === "machine" ? [...roots, ...machineRoots] : roots;
    return [
      ...known.map(([name, about]) => plain(name, "name", about)),
      ...functions.map((name) => ({ ...plain(`${name}()`, "value", "A function"), insert: `${name}(` })),
    ];
  }
  if (root === "steps" && second === undefined) return stepNames(entries).map((name) => plain(name, "step", ""));
  if (root === "steps" && third === undefined) return asNames(ofStep);
  if (root === "run" && second === undefined) return asNames(ofRun);
  if (root === "input" && second === undefined)
    return asNames(childrenOf(entries, ["input", "properties"]), "Of the input");
  if (root === "resources" && second === undefined) return asNames(childrenOf(entries, ["resources"]), "A resource");
  return [];
}

function asNames(list: readonly string[], about = ""): readonly Option[] {
  return list.map((name) => plain(name, "name", about));
}

function plain(label: string, kind: Option["kind"], about: string): Option {
  return { label, kind, about, insert: label, goesOn: false };
}

function childrenOf(entries: readonly Entry[], path: readonly string[]): readonly string[] {
  return entries
    .filter((entry) => entry.path.length === path.length + 1 && isSame(entry.path.slice(0, -1), path))
    .map(({ path: own }) => own.at(-1) ?? "");
}

/** Under which steps, or states, are known: their keys, else their names. */
export function stepNames(entries: readonly Entry[]): readonly string[] {
  switch (notationOf(entries)) {
    case "machine":
      return childrenOf(entries, ["states"]);
    case "bare":
      return childrenOf(entries, []);
    case "pipeline":
      return entries
        .filter(({ path }) => path.length === 3 && path[0] === "steps" && path[2] === "name")
        .flatMap(({ value }) => value ?? []);
    case "flow":
      return childrenOf(entries, ["steps"]);
  }
}

function ofValue(place: Place, entries: readonly Entry[], notation: Notation, known: Known): readonly Option[] {
  const key = place.key ?? listKey(place);
  if (key === null) return [];
  if (toolKeys.has(key))
    return known.tools.map(({ name, description }) => asValue(plain(name, "tool", description ?? ""), place, known));
  if (isTarget(key, place, notation)) {
    const own = place.path.at(-1);
    const names = stepNames(entries).filter((name) => name !== own || notation === "machine");
    const ends =
      notation === "machine" || key === "start"
        ? []
        : [asValue(plain("end", "value", "The path ends here"), place, known)];
    return [...names.map((name) => asValue(plain(name, "step", ""), place, known)), ...ends];
  }
  if (key === "flow" && place.key !== null)
    return known.workflows.map((name) => asValue(plain(name, "name", "A saved workflow"), place, known));
  if (place.key === null) return [];
  const values = valuesOf(schemasFor([...place.path, place.key], entries, notation, known));
  return values.map(({ value, isExample }) => toOption(value, isExample, place, known));
}

/** Of a list of names: the key before it. */
function listKey({ path, key }: Place): string | null {
  const isItem = key === null && /^\d+$/.test(path.at(-1) ?? "");
  const before = isItem ? path.at(-2) : undefined;
  return before !== undefined && (before === "parallel" || before === "from") ? before : null;
}

function isTarget(key: string, { path, key: written }: Place, notation: Notation): boolean {
  if (notation === "machine") return ["from", "to", "on_error", "initial"].includes(key) && path[0] === "transitions";
  if (path.includes("args") || path[0] === "input") return false;
  return targets.has(key) || (written !== null && ["routes", "on"].includes(path.at(-1) ?? ""));
}

function ofKey(place: Place, entries: readonly Entry[], notation: Notation, known: Known): readonly Option[] {
  if (place.key !== null || listKey(place) !== null) return [];
  const schemas = schemasFor(place.path, entries, notation, known);
  const written = new Set(childrenOf(entries, place.path));
  return keysOf(schemas)
    .filter(({ name }) => name === place.word || !written.has(name))
    .toSorted((one, other) => rankOf(one.name) - rankOf(other.name))
    .map(({ name, about, isRequired }) => ({
      label: name,
      kind: "key" as const,
      about: isRequired ? `${about}${about === "" ? "" : " "}(required)` : about,
      insert: keyText(name, place, known),
      goesOn: true,
    }));
}

function keyText(name: string, place: Place, { syntax }: Known): string {
  if (syntax === "yaml" && place.quote === null) return `${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}: `;
  return place.quote === null ? `${JSON.stringify(name)}: ` : name;
}

/** In arguments the schema of the tool counts, everywhere else that of the language. */
function schemasFor(
  path: readonly string[],
  entries: readonly Entry[],
  notation: Notation,
  known: Known,
): ReturnType<typeof schemasAt> {
  const args = path.indexOf("args");
  if (args < 0) return schemasAt(known.schema, notation, path);
  const tool = toolOfStep(entries, path.slice(0, args), known.tools);
  return tool === null ? [] : schemasIn(tool.input, path.slice(args + 1));
}

/** The tool that stands in a step, or in a call. */
function toolOfStep(entries: readonly Entry[], path: readonly string[], tools: readonly Tool[]): Tool | null {
  const name = entryAt(entries, [...path, "tool"])?.value ?? null;
  return name === null ? null : toolNamed(tools, name);
}

/** By its name, or the part behind the dot where just one has it. */
export function toolNamed(tools: readonly Tool[], name: string): Tool | null {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const alike = tools.filter((tool) => tool.name.slice(tool.name.indexOf(".") + 1) === name);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function toOption(value: Json, isExample: boolean, place: Place, known: Known): Option {
  const label = typeof value === "string" ? value : JSON.stringify(value);
  const option = { ...plain(label, "value" as const, isExample ? "For example" : ""), goesOn: false };
  return typeof value === "string" ? asValue(option, place, known) : option;
}

/** A text, in quotes where it needs them and has none yet. */
function asValue(option: Option, { quote }: Place, { syntax }: Known): Option {
  if (quote !== null) return option;
  const isPlain =
    syntax === "yaml" &&
    /^[A-Za-z_][\w./@-]*$/.test(option.insert) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(option.insert);
  return isPlain ? option : { ...option, insert: JSON.stringify(option.insert) };
}
