// The schemas of tools, held against what tools are given and what they answer. They may come from servers that nobody
// here knows, so patterns run on an engine that takes linear time, and only formats whose checks do so are checked.

import { createRequire } from "node:module";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { RE2JS } from "re2js";
import {
  createSchemaChecker,
  type CompiledSchema,
  type RunnablePattern,
  type SchemaChecker,
} from "../flow/json-schema/checker.ts";
import type { JsonObject } from "../flow/json.ts";

const { date, time, duration, email, hostname, ipv4, ipv6, uuid, uri } = fullFormats;
const formats = {
  date,
  time,
  "date-time": fullFormats["date-time"],
  duration,
  email,
  hostname,
  ipv4,
  ipv6,
  uuid,
  uri,
  "uri-reference": fullFormats["uri-reference"],
  "json-pointer": fullFormats["json-pointer"],
} as const;

/** Patterns that are ready to run: each may take up to 8 MB while it does. */
const patternsMax = 32;
/** Larger ones take milliseconds a text; they are left to the tool. */
const programMax = 2500;

const ready = new Map<string, RE2JS>();
let checker: SchemaChecker | undefined;

export function compileToolSchema(schema: JsonObject): CompiledSchema {
  checker ??= createSchemaChecker({ findPattern, formats });
  return checker.compile(schema);
}

/** null: the engine has no words for it (looking ahead, or back at a group), or it is too large. */
function findPattern(pattern: string): RunnablePattern | null {
  const size = sizeOfProgram(pattern);
  if (size === null || size > programMax) return null;
  const perCharacter = 1 + size / 4;
  return {
    test: (text) => prepare(pattern).test(text),
    costOf: (text) => (ready.has(pattern) ? 1 : size * 64) + text.length * perCharacter,
  };
}

function sizeOfProgram(pattern: string): number | null {
  try {
    return prepare(pattern).programSize();
  } catch {
    return null;
  }
}

/** Loaded when the first pattern is met: few schemas have one, and every program would wait for it. */
function prepare(pattern: string): RE2JS {
  const known = ready.get(pattern);
  if (known !== undefined) return known;
  const engine = loadEngine();
  const compiled = engine.RE2JS.compile(engine.RE2JS.translateRegExp(pattern));
  const [oldest] = ready.keys();
  if (ready.size >= patternsMax && oldest !== undefined) ready.delete(oldest);
  ready.set(pattern, compiled);
  return compiled;
}

let engine: typeof import("re2js") | undefined;

function loadEngine(): typeof import("re2js") {
  // Not by `import()`: tools may answer at once, and so must the check before them.
  engine ??= createRequire(import.meta.url)("re2js") as typeof import("re2js");
  return engine;
}
