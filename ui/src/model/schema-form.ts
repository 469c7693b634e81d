// A form for a value that a JSON Schema describes: which fields it has, what their texts stand for, and what is wrong with
// them. What a form cannot ask for in fields of its own is asked for as JSON.

import { isObject, type Json, type JsonObject } from "./json.ts";

export type FieldKind = "text" | "long" | "number" | "integer" | "switch" | "choice" | "date" | "time" | "any" | "json";

export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly help: string | null;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Of a choice. */
  readonly choices: readonly Json[];
  readonly schema: JsonObject;
};

/** null: no form of fields stands for it; it is asked for as JSON. */
export function fieldsOf(schema: Json): readonly FormField[] | null {
  if (!isObject(schema)) return null;
  const { properties } = schema;
  if (!isObject(properties)) return null;
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];
  return Object.entries(properties).map(([name, described]) => {
    const own = isObject(described) ? described : {};
    return {
      name,
      label: textOf(own["title"]) ?? name,
      help: textOf(own["description"]),
      kind: kindOf(own),
      isRequired: required.includes(name),
      choices: choicesOf(own),
      schema: own,
    };
  });
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function choicesOf(schema: JsonObject): readonly Json[] {
  const choices = schema["enum"];
  return Array.isArray(choices) ? (choices as readonly Json[]) : [];
}

function kindOf(schema: JsonObject): FieldKind {
  if (choicesOf(schema).length > 0) return "choice";
  const { type } = schema;
  if (type === "string") return kindOfText(schema);
  if (type === "boolean") return "switch";
  if (type === "number" || type === "integer") return type;
  return type === undefined && !("properties" in schema) && !("items" in schema) ? "any" : "json";
}

function kindOfText(schema: JsonObject): FieldKind {
  if (schema["format"] === "date") return "date";
  if (schema["format"] === "date-time") return "time";
  const isLong = schema["format"] === "multiline" || Number(schema["maxLength"] ?? 0) > 200;
  return isLong ? "long" : "text";
}

/** What stands in the field of a value. */
export function toFieldText(kind: FieldKind, value: Json | undefined): string {
  if (value === undefined) return "";
  if (kind === "json" || kind === "choice") return JSON.stringify(value, null, 2);
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

const needed = "This is needed.";

export type Read =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly problem: string };

/** What a text in a field stands for; undefined: nothing, the field is left out. */
export function readFieldText({ kind, isRequired, schema }: FormField, text: string): Read {
  if (text === "") {
    // An empty text is a text, where one is asked for.
    const isText = kind === "text" || kind === "long";
    if (isRequired) return isText && Number(schema["minLength"] ?? 0) === 0 ? given("") : wrong(needed);
    return { ok: true, value: undefined };
  }
  switch (kind) {
    case "number":
    case "integer":
      return readNumber(kind, text);
    case "json":
    case "choice":
      return readJson(text);
    case "any": {
      // What is no JSON is a text, as on the command line.
      const read = readJson(text);
      return read.ok || losesDigits(text.trim()) ? read : given(text);
    }
    case "time":
      return Number.isNaN(Date.parse(text)) ? wrong("This is no date and time.") : given(new Date(text).toISOString());
    case "switch":
      return given(text === "true");
    case "text":
    case "long":
    case "date":
      return given(text);
  }
}

/** Filled in when a run comes there. */
export function isExpression(value: Json | undefined): boolean {
  return typeof value === "string" && value.includes("{{");
}

/** The same where a run fills values in: an expression stays a text, whatever is asked for. */
export function readArgumentText(field: FormField, text: string): Read {
  if (isExpression(text)) return given(text);
  // Where an expression stood, one writes without quotes.
  const isWord = field.kind === "choice" && !readJson(text).ok;
  return isWord ? readFieldText({ ...field, kind: "any" }, text) : readFieldText(field, text);
}

function given(value: Json): Read {
  return { ok: true, value };
}

function wrong(problem: string): Read {
  return { ok: false, problem };
}

/** Whole numbers beyond this are not told apart any more: the page would send another one than somebody wrote. */
function sayTooLarge(digits: string): string {
  return `${digits} has more digits than a number keeps here. Write it as a text, "${digits}", where one is taken, or round it yourself.`;
}

/** A whole number written out that would come back as another one. */
const written = /^[+-]?\d+$/;

function losesDigits(digits: string): boolean {
  const value = Number(digits);
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return true;
  return written.test(digits) && !Number.isSafeInteger(value) && BigInt(digits) !== BigInt(value);
}

function readNumber(kind: "number" | "integer", text: string): Read {
  const digits = text.trim();
  const value = Number(digits);
  if (!Number.isFinite(value)) return wrong(`"${text}" is no number.`);
  if (losesDigits(digits)) return wrong(sayTooLarge(digits));
  if (kind === "integer" && !Number.isInteger(value)) return wrong(`"${text}" is no whole number.`);
  return given(value);
}

/** A text in quotes, or a number. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function readJson(text: string): Read {
  try {
    const value = JSON.parse(text) as Json;
    const lost = text.match(tokens)?.find(losesDigits);
    return lost === undefined ? given(value) : wrong(sayTooLarge(lost));
  } catch (error) {
    return wrong(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The value with another text in one of its fields. */
export function withField(value: JsonObject, name: string, next: Json | undefined): JsonObject {
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return next === undefined ? rest : { ...rest, [name]: next };
}

/** What to begin with: what the schema says, under what was given. A switch that is needed is off, as it looks. */
export function defaultsOf(schema: Json, value: Json): JsonObject {
  const fields = fieldsOf(schema) ?? [];
  const defaults = fields.flatMap(({ name, kind, isRequired, schema: own }): (readonly [string, Json])[] => {
    if ("default" in own) return [[name, own["default"] ?? null]];
    return kind === "switch" && isRequired ? [[name, false]] : [];
  });
  return { ...Object.fromEntries(defaults), ...(isObject(value) ? value : {}) };
}

/** Fields that are needed and that nobody has filled in, before the value is sent. */
export function missingIn(schema: Json, value: Json): ReadonlyMap<string, string> {
  const known = isObject(value) ? value : {};
  const missing = (fieldsOf(schema) ?? []).filter(({ name, isRequired }) => isRequired && !Object.hasOwn(known, name));
  return new Map(missing.map(({ name }) => [name, needed]));
}

/** Problems that a server tells of, by the name of the field: `/input/who` or `/who`. */
export function problemsByField(
  problems: readonly { readonly pointer: string; readonly message: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    problems.map(({ pointer, message }) => [pointer.replace(/^\/input/, "").split("/")[1] ?? "", message]),
  );
}

/** Without those of fields that have another value since; what was said of the whole goes with any change. */
export function withoutChanged(
  problems: ReadonlyMap<string, string>,
  before: Json,
  after: Json,
): ReadonlyMap<string, string> {
  if (!isObject(before) || !isObject(after)) return new Map();
  const isSame = (name: string): boolean =>
    name !== "" && JSON.stringify(valueOf(before, name)) === JSON.stringify(valueOf(after, name));
  return new Map([...problems].filter(([name]) => isSame(name)));
}

/** A problem as it is said beside its field, which people know by its label. */
export function sayOfField({ name, label }: Pick<FormField, "name" | "label">, problem: string): string {
  const key = JSON.stringify(name);
  return problem.startsWith(`${key} `) ? `${label}${problem.slice(key.length)}` : problem;
}

function valueOf(value: JsonObject, name: string): Json {
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}
