// What has become of a tool since somebody agreed to it. Its schemas are compared from where a flow stands: what it sends
// may be taken less freely (narrowing) or more (additive), and what it gets the other way round. Whatever has no rule of
// its own counts as narrowing: nobody can say that a flow would not notice. Pure.

import { canonicalText, isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { ToolChange, ToolDefinition } from "./contract.ts";
import { compareSchemas, type Note } from "./schema-drift.ts";
import { diffLines, showValue } from "./diff-text.ts";

type Drift = Pick<ToolChange, "kind" | "lines">;
type Kind = ToolChange["kind"];

/** From harmless to grave. */
const gravity: readonly Kind[] = ["description", "additive", "narrowing", "new_required", "server", "gone"];

/** So many are told. */
const linesMax = 60;

/** undefined: nothing has. */
export function findDrift(agreed: ToolDefinition, found: ToolDefinition | null): Drift | undefined {
  if (found === null) return { kind: "gone", lines: ["The server has this tool no more."] };
  if (canonicalText(agreed) === canonicalText(found)) return undefined;
  const notes = [
    ...compareTexts("title", agreed.title, found.title),
    ...compareTexts("description", agreed.description, found.description),
    ...compareSchemas(agreed.input, found.input, "input"),
    ...compareOutputs(agreed.output, found.output),
    ...compareAnnotations(agreed.annotations, found.annotations),
    ...compareTaskSupport(agreed.taskSupport, found.taskSupport),
  ];
  return toDrift(notes);
}

/** It had gone, and somebody has agreed to that: that it is back is a change, whatever it is like. */
export function findReturn(agreed: ToolDefinition, found: ToolDefinition): Drift {
  const drift = findDrift(agreed, found);
  const told = "The tool had gone, and the server has it again.";
  return { kind: drift?.kind ?? "additive", lines: [told, ...(drift?.lines ?? [])].slice(0, linesMax) };
}

/** The program or the address behind it is another one. */
export function withServerChange(drift: Drift | undefined, lines: readonly string[]): Drift {
  const kind = drift?.kind === "gone" ? "gone" : "server";
  return { kind, lines: [...lines, ...(drift?.lines ?? [])].slice(0, linesMax) };
}

function toDrift(notes: readonly Note[]): Drift {
  if (notes.length === 0) return { kind: "description", lines: ["Its schema says the same in another way."] };
  const gravest = Math.max(0, ...notes.map(({ kind }) => gravity.indexOf(kind)));
  // The gravest first: that is why somebody is asked.
  const sorted = notes.toSorted((one, other) => gravity.indexOf(other.kind) - gravity.indexOf(one.kind));
  const lines = sorted.flatMap((note) => note.lines);
  const cut =
    lines.length > linesMax ? [...lines.slice(0, linesMax - 1), `and ${lines.length - linesMax + 1} more`] : lines;
  return { kind: gravity[gravest] ?? "narrowing", lines: cut };
}

function compareTexts(name: string, agreed: string | null, found: string | null): readonly Note[] {
  if (agreed === found) return [];
  return [{ kind: "description", lines: [`${name}:`, ...diffLines(agreed ?? "", found ?? "")] }];
}

function compareOutputs(agreed: JsonObject | null, found: JsonObject | null): readonly Note[] {
  if (agreed === null && found === null) return [];
  if (agreed === null) return [{ kind: "additive", lines: ["It says now what its result looks like."] }];
  if (found === null) return [{ kind: "narrowing", lines: ["It no longer says what its result looks like."] }];
  return compareSchemas(agreed, found, "output");
}

/** What each hint promises, if it has this value; otherwise it is the worse of the two. */
const promises: readonly (readonly [hint: string, good: boolean, promise: string])[] = [
  ["readOnlyHint", true, "to change nothing"],
  ["destructiveHint", false, "to destroy nothing"],
  ["idempotentHint", true, "that calling it twice does no more than once"],
  ["openWorldHint", false, "to stay within its own world"],
];

function compareAnnotations(agreed: JsonObject, found: JsonObject): readonly Note[] {
  const known = new Set(promises.map(([hint]) => hint));
  const notes = promises.flatMap(([hint, good, promise]): readonly Note[] => {
    const [before, now] = [own(agreed, hint) === good, own(found, hint) === good];
    if (before === now) return [];
    return before
      ? [{ kind: "narrowing", lines: [`It no longer promises ${promise} (${hint}).`] }]
      : [{ kind: "additive", lines: [`It promises now ${promise} (${hint}).`] }];
  });
  const others = [...new Set([...Object.keys(agreed), ...Object.keys(found)])].filter(
    (key) => !known.has(key) && textOf(own(agreed, key)) !== textOf(own(found, key)),
  );
  return [...notes, ...others.map((key) => changed(`annotations.${key}`, own(agreed, key), own(found, key)))];
}

function changed(name: string, agreed: Json | undefined, found: Json | undefined): Note {
  return { kind: "description", lines: [`${name}: ${showValue(agreed)} → ${showValue(found)}`] };
}

function compareTaskSupport(
  agreed: ToolDefinition["taskSupport"],
  found: ToolDefinition["taskSupport"],
): readonly Note[] {
  if (agreed === found) return [];
  return [{ kind: "additive", lines: [`Calling it as a task: ${agreed} → ${found}`] }];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : canonicalText(value);
}

/** As it is hashed: nothing that is not there, whoever has made it. */
export function toCanonical({
  name,
  title,
  description,
  input,
  output,
  annotations,
  taskSupport,
}: ToolDefinition): JsonObject {
  return { name, title, description, input, output, annotations, taskSupport };
}

/** What a lock file says, if it is a definition. */
export function fromCanonical(value: Json): ToolDefinition | undefined {
  if (!isObject(value)) return undefined;
  const {
    name,
    title = null,
    description = null,
    input,
    output = null,
    annotations = {},
    taskSupport = "forbidden",
  } = value;
  if (typeof name !== "string" || !isObject(input) || !isObject(annotations)) return undefined;
  if (!isTextOrNull(title) || !isTextOrNull(description) || (output !== null && !isObject(output))) return undefined;
  if (taskSupport !== "forbidden" && taskSupport !== "optional" && taskSupport !== "required") return undefined;
  return { name, title, description, input, output, annotations, taskSupport };
}

function isTextOrNull(value: Json): value is string | null {
  return value === null || (typeof value === "string" && !isArray(value));
}
