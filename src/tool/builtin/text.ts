// `text.*`: small work on texts, without network or key. All of it takes time in proportion to the text.

import { isArray, isObject, type Json, type JsonObject } from "../../flow/json.ts";
import { defineTool } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readCount, readList, readObject, readText, readTextOr } from "./arguments.ts";
import { findPath } from "./json-path.ts";
import { toText } from "./plain-text.ts";
import { anything, closed, listOf, text, whole } from "./schema.ts";
import { summarize } from "./summarize.ts";

const given = text("The text");
const answer = text("The new text");

/** What a template or a joining may make of its arguments, in characters. */
const lengthMax: number = 4 * 1024 * 1024;

export function createTextTools(): readonly Tool[] {
  return [summarizeTool, templateTool, ...caseTools, splitTool, joinTool, replaceTool, lengthTool];
}

const summarizeTool: Tool = defineTool({
  name: "text.summarize",
  description: "The sentences of a text that say most, in their order; picked, not rewritten",
  effect: "read",
  input: closed(
    {
      text: { description: "A text; of anything else, what people would read of it" },
      sentences: whole("How many to keep, 3 unless given", { minimum: 1, maximum: 50 }),
    },
    ["text"],
  ),
  output: answer,
  call: (input) => {
    const sentencesMax = readCount(input, "sentences", { min: 1, max: 50, otherwise: 3 });
    return summarize(toText(input["text"] ?? ""), sentencesMax);
  },
});

const templateTool: Tool = defineTool({
  name: "text.template",
  description: "A text with {{ path }} filled in from values; for texts that are read from somewhere",
  effect: "read",
  input: closed({ template: text("A text with {{ path.to.value }} in it"), values: { type: "object" } }, ["template"]),
  output: answer,
  call: (input) => fillIn(readText(input, "template"), readObject(input, "values")),
});

/** Only paths, no expressions: such a text may come from anywhere. */
const placeholder = /\{\{ {0,8}([^{}\s]{1,200}) {0,8}\}\}/g;

/** What leads nowhere becomes nothing, as in a flow. */
function fillIn(template: string, values: JsonObject): string {
  let length = template.length;
  return template.replaceAll(placeholder, (_, path: string) => {
    const value = findPath(values, path);
    if (value === undefined || value === null) return "";
    const part = isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
    length += part.length;
    if (length > lengthMax) throw tooLong();
    return part;
  });
}

function tooLong(): Error {
  return badArguments(`The text would have more than ${lengthMax} characters.`);
}

const caseTools: readonly Tool[] = (
  [
    ["text.upper", "The text in capital letters", (source) => source.toUpperCase()],
    ["text.lower", "The text in small letters", (source) => source.toLowerCase()],
    ["text.trim", "The text without the white space around it", (source) => source.trim()],
  ] satisfies readonly (readonly [string, string, (source: string) => string])[]
).map(([name, description, change]) =>
  defineTool({
    name,
    description,
    effect: "read",
    input: closed({ text: given }, ["text"]),
    output: answer,
    call: (input) => change(readText(input, "text")),
  }),
);

const splitTool: Tool = defineTool({
  name: "text.split",
  description: "The parts of a text between separators",
  effect: "read",
  input: closed({ text: given, separator: text("A comma unless given") }, ["text"]),
  output: listOf({ type: "string" }, "The parts"),
  call: (input) => {
    const separator = readTextOr(input, "separator", ",");
    if (separator === "") throw badArguments('"separator" must not be empty.');
    return readText(input, "text").split(separator);
  },
});

const joinTool: Tool = defineTool({
  name: "text.join",
  description: "One text of many, with a separator between them",
  effect: "read",
  input: closed({ texts: listOf(anything, "The parts"), separator: text("A comma unless given") }, ["texts"]),
  output: answer,
  call: (input): Json => {
    const parts = readList(input, "texts").map(toText);
    const separator = readTextOr(input, "separator", ",");
    const length = parts.reduce((sum, part) => sum + part.length + separator.length, 0);
    if (length > lengthMax) throw tooLong();
    return parts.join(separator);
  },
});

const replaceTool: Tool = defineTool({
  name: "text.replace",
  description: "The text with one thing in place of another, wherever it stands; no patterns",
  effect: "read",
  input: closed({ text: given, find: text("What to replace"), with: text("Nothing unless given") }, ["text", "find"]),
  output: answer,
  call: (input) => {
    const parts = readText(input, "text").split(readFind(input));
    const replacement = readTextOr(input, "with", "");
    if (parts.length * replacement.length > lengthMax) throw tooLong();
    return parts.join(replacement);
  },
});

function readFind(input: JsonObject): string {
  const find = readText(input, "find");
  if (find === "") throw badArguments('"find" must not be empty.');
  return find;
}

const lengthTool: Tool = defineTool({
  name: "text.length",
  description: "How many characters a text has",
  effect: "read",
  input: closed({ text: given }, ["text"]),
  output: { type: "integer", minimum: 0 },
  call: (input) => {
    let length = 0;
    for (const _ of readText(input, "text")) length += 1;
    return length;
  },
});
