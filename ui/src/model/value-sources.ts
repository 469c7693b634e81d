// Where the values that a step is given come from: each argument that is an expression, with what it reads, and where that
// can be looked at.

import { namesIn, type NameRead } from "./expression-names.ts";
import { isObject, type Json } from "./json.ts";
import { showPath, type Path } from "./json-path.ts";
import type { Outline, Step } from "./run.ts";
import { nodeOf } from "./run-view.ts";
import { stepIn, templateIn } from "./template.ts";

type Lead =
  /** What the run was given, or the data of a machine. */
  | { readonly kind: "run"; readonly word: string }
  | { readonly kind: "step"; readonly key: string; readonly name: string; readonly part: "output" | "error" | null }
  /** Nothing on the page has it. */
  | { readonly kind: "told"; readonly word: string };

export type Source = {
  /** As an expression: `steps.fetch.result.items`. */
  readonly text: string;
  readonly leads: readonly Lead[];
};

export type ArgumentSources = {
  /** `headers.authorization`; empty: all of it. */
  readonly argument: string;
  readonly sources: readonly Source[];
};

/** More of them nobody reads. */
const argumentsMax = 100;
const depthMax = 32;

export function sourcesOf(flow: Json, row: Step, outline: Outline): readonly ArgumentSources[] {
  const pointer = nodeOf(outline, row.key)?.pointer ?? null;
  const step = stepIn(flow, row.key, pointer);
  const from = fromOf(step);
  const found = textsIn(templateIn(step) ?? handedOn(row, outline));
  const items = isObject(step) && isObject(step["each"]) ? (step["each"]["items"] ?? null) : null;
  return [...found, ...(typeof items === "string" ? [{ path: ["each", "items"], text: items }] : [])]
    .map(({ path, text }) => ({
      argument: showPath("", path).replace(/^\./, ""),
      sources: onePerText(namesIn(text).map((name) => toSource(name, { row, outline, from }))),
    }))
    .filter(({ sources }) => sources.length > 0)
    .slice(0, argumentsMax);
}

/** A step of a pipeline that says nothing is given what the one before it gave. */
function handedOn({ tool }: Step, { graph }: Outline): Json {
  return graph?.notation === "pipeline" && tool !== null ? { input: "{{ previous }}" } : null;
}

/** Whose result is to be `previous`; null: it is that of the step that led here. */
function fromOf(step: Json | undefined): string | null {
  const from = isObject(step) ? step["input_from"] : undefined;
  return typeof from === "string" || typeof from === "number" ? String(from) : null;
}

type Text = { readonly path: Path; readonly text: string };

function textsIn(value: Json, path: Path = []): readonly Text[] {
  if (typeof value === "string") return value.includes("{{") ? [{ path, text: value }] : [];
  if (path.length > depthMax) return [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item, index) => textsIn(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => textsIn(member, [...path, key])) : [];
}

function onePerText(sources: readonly Source[]): readonly Source[] {
  return [...new Map(sources.map((source) => [source.text, source])).values()];
}

type Reader = { readonly row: Step; readonly outline: Outline; readonly from: string | null };

function toSource({ root, path }: NameRead, reader: Reader): Source {
  return { text: showPath(root, path), leads: leadsOf({ root, path }, reader) };
}

function leadsOf({ root, path }: NameRead, reader: Reader): readonly Lead[] {
  switch (root) {
    case "input":
      return [{ kind: "run", word: "the run's input" }];
    case "data":
      return [{ kind: "run", word: "the machine's data" }];
    case "previous":
      return previousOf(path, reader);
    case "steps": {
      const [name, field] = path;
      return name === undefined ? [] : toStep(String(name), reader.outline, partOf(field));
    }
    case "secrets":
      return [{ kind: "told", word: "a secret: the run holds its name, never its value" }];
    case "item":
    case "index":
      return [{ kind: "told", word: "the item and its place" }];
    case "run":
      return [{ kind: "told", word: "the run itself" }];
    case "resources":
      return [{ kind: "told", word: "a resource, as it was when the run started" }];
    case "event":
      return [{ kind: "told", word: "the event" }];
    case "result":
      return [{ kind: "told", word: "what this step gave" }];
    default:
      return [];
  }
}

function partOf(field: string | number | undefined): "output" | "error" | null {
  if (field === "result") return "output";
  return field === "error" || field === "errors" ? "error" : null;
}

/** Steps answer to their key, their name, and in a pipeline to their number. */
function toStep(name: string, { graph }: Outline, part: "output" | "error" | null): readonly Lead[] {
  const nodes = graph?.nodes ?? [];
  const node = nodes.find(({ key }) => key === name) ?? nodes.find((each) => each.name === name) ?? byNumber(name);
  return node === undefined ? [] : [{ kind: "step", key: node.key, name: node.name, part }];

  function byNumber(number: string) {
    return graph?.notation === "pipeline" ? nodes.find(({ key }) => key === `step_${number}`) : undefined;
  }
}

function previousOf(path: readonly (string | number)[], { row, outline, from }: Reader): readonly Lead[] {
  if (from !== null) return toStep(from, outline, "output");
  const first = firstTryOf(row, outline);
  if (first.causedBy === null) return [{ kind: "run", word: "the run's input" }];
  const cause = outline.steps.find(({ id }) => id === first.causedBy);
  if (cause === undefined) return [];
  // After a fork there is one for each branch, under the name of its first step.
  if (outline.graph?.nodes.some(({ key, join }) => key === cause.key && join === row.key) === true) {
    const [branch] = path;
    const ends = outline.graph.links.filter(({ to, kind }) => to === row.key && kind === "join");
    const named = branch === undefined ? [] : toStep(String(branch), outline, "output");
    return named.length > 0 ? named : ends.flatMap((link) => toStep(link.from, outline, "output"));
  }
  return toStep(cause.key, outline, cause.status === "failed" ? "error" : "output");
}

/** Each try is caused by the one before it, the first by what led to this visit. */
function firstTryOf(row: Step, { steps }: Outline): Step {
  const tries = new Map(
    steps.filter(({ key, visit }) => key === row.key && visit === row.visit).map((each) => [each.id, each]),
  );
  let first = row;
  for (;;) {
    const before = first.causedBy === null ? undefined : tries.get(first.causedBy);
    if (before === undefined || before.id >= first.id) return first;
    first = before;
  }
}
