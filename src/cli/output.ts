// What a command says: data on stdout, talk on stderr. One answer has three faces: lines for people, a document for
// programs, ids for scripts.

import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { nearest } from "../flow/suggest.ts";
import type { Surroundings } from "./surroundings.ts";
import { drawTable } from "./table.ts";
import { lookOf, type Look } from "./terminal.ts";

export type OutputWish = {
  readonly json: boolean;
  readonly jsonl: boolean;
  readonly fields: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly "no-color": boolean;
};

type Answer = {
  /** An object, or a list of them. */
  readonly document: JsonObject | readonly JsonObject[];
  /** What `--quiet` prints; else the ids in the document. */
  readonly ids?: readonly (string | number)[];
  readonly lines: (look: Look) => readonly string[];
};

export interface Output {
  readonly isJson: boolean;
  readonly isJsonl: boolean;
  readonly isQuiet: boolean;
  /** Of stdout. */
  readonly look: Look;
  /** Data, as it is. */
  readonly print: (text: string) => void;
  /** To the person. */
  readonly say: (text: string) => void;
  /** Only with --verbose. */
  readonly mention: (text: string) => void;
  readonly tell: (answer: Answer) => void;
  /** One document, whatever is told to people. */
  readonly write: (document: JsonObject) => void;
}

export function createOutput(wish: OutputWish, { stdout, stderr, environment }: Surroundings): Output {
  const { quiet, jsonl } = wish;
  const isJson = wish.json || jsonl;
  const fields = wish.fields === undefined ? null : readFields(wish.fields);
  const look = lookOf(stdout, environment, { isPlain: wish["no-color"] });
  const print = (text: string): void => void stdout.write(`${text}\n`);
  const say = (text: string): void => void (quiet || stderr.write(`${text}\n`));
  const write = (document: JsonObject): void => print(JSON.stringify(pick(document, fields)));
  const tell = (answer: Answer): void => {
    const { document, ids = idsOf(document) } = answer;
    if (isJson && jsonl && isArray(document)) for (const each of document) write(each);
    else if (isJson)
      print(JSON.stringify(isArray(document) ? document.map((each) => pick(each, fields)) : pick(document, fields)));
    else if (quiet) for (const id of ids) print(String(id));
    else for (const line of fields === null ? answer.lines(look) : drawFields(document, fields, look)) print(line);
  };
  return {
    isJson,
    isJsonl: jsonl,
    isQuiet: quiet,
    look,
    print,
    say,
    mention: wish.verbose ? say : () => {},
    tell,
    write,
  };
}

function readFields(text: string): readonly string[] {
  const fields = text.split(",").map((field) => field.trim());
  if (fields.every((field) => field !== "")) return fields;
  throw new StepwellError("USAGE", "--fields needs names, divided by commas.", { hint: "--fields id,status" });
}

function pick(document: JsonObject, fields: readonly string[] | null): JsonObject {
  if (fields === null) return document;
  return Object.fromEntries(fields.map((field) => [field, fieldOf(document, field)]));
}

function fieldOf(document: JsonObject, field: string): Json {
  const value = own(document, field);
  if (value !== undefined) return value;
  const near = nearest(field, Object.keys(document));
  throw new StepwellError(
    "USAGE",
    `There is no field "${field}".${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    { hint: `--fields ${Object.keys(document).join(",")}` },
  );
}

function drawFields(document: Answer["document"], fields: readonly string[], look: Look): readonly string[] {
  const list = isArray(document) ? document : [document];
  const rows = list.map((each) => fields.map((field) => ({ text: toCell(fieldOf(each, field)) })));
  return drawTable({ headings: fields.map((field) => field.toUpperCase()), rows }, look);
}

function toCell(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function idsOf(document: Answer["document"]): readonly (string | number)[] {
  return (isArray(document) ? document : [document]).flatMap((each) => {
    const id = isObject(each) ? own(each, "id") : undefined;
    return typeof id === "number" || typeof id === "string" ? [id] : [];
  });
}
