// What one compilation carries along: the findings it makes and every name its expressions use. Compiling never stops
// at a problem; what does not parse becomes a stand-in, and the finding keeps the plan from being used.

import type { Expression, Reference } from "../expression/ast.ts";
import { parseCondition } from "../expression/condition.ts";
import { parseExpression } from "../expression/parse.ts";
import type { ParseResult } from "../expression/problem.ts";
import { isKnownRoot, rootNames } from "../expression/references.ts";
import { finding, type Finding, type FindingCode, type PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Names } from "../normalise/names.ts";
import type { Notation, StepKey, Target } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { nearest } from "../suggest.ts";
import { parseTemplate } from "../template/parse.ts";
import type { Template, TextPart } from "../template/template.ts";

/** When an expression is read: before its step runs, after it has ended, or when the run is undone or stopped. */
export type Moment = "before" | "after" | "undo";

export type Use = {
  readonly step: StepKey;
  readonly reference: Reference;
  readonly pointer: Pointer;
  readonly moment: Moment;
};

export type SecretUse = { readonly name: string; readonly pointer: Pointer };

export type Compiler = {
  readonly notation: Notation;
  readonly names: Names;
  readonly findings: Finding[];
  readonly uses: Use[];
  readonly secrets: SecretUse[];
  /** How many more names may be compared with all others: each costs as much as the flow is long. */
  suggestionsLeft: number;
};

/** The name that was most likely meant. To list the candidates costs as well. */
export function suggest(compiler: Compiler, name: string, candidates: () => Iterable<string>): string | undefined {
  compiler.suggestionsLeft -= 1;
  return compiler.suggestionsLeft < 0 ? undefined : nearest(name, candidates());
}

/** Where an expression stands and what it may name there. */
export type Site = {
  readonly step: StepKey;
  readonly pointer: Pointer;
  readonly moment: Moment;
  /** Roots beside those that are there everywhere. */
  readonly roots: readonly string[];
  readonly mayHoldSecrets: boolean;
};

const everywhere: ReadonlySet<string> = new Set(["input", "previous", "steps", "run", "resources"]);

export function report(compiler: Compiler, code: FindingCode, pointer: Pointer, message: string): void {
  compiler.findings.push(finding(code, pointer, message));
}

export function reportWithPatch(
  compiler: Compiler,
  found: { code: FindingCode; pointer: Pointer; message: string; patch: readonly PatchOperation[] },
): void {
  compiler.findings.push(finding(found.code, found.pointer, found.message, found.patch));
}

export function compileTemplate(compiler: Compiler, value: Json, site: Site): Template {
  const { template, problems, unknownPlaceholders } = parseTemplate(value);
  for (const problem of problems) {
    report(compiler, problem.code, site.pointer + problem.pointer, sentence(problem));
  }
  for (const { pointer, text } of unknownPlaceholders) {
    const message = `"${text}" names nothing that a template can read, so it stays in the text as it is. Templates read ${listed(rootNames)}.`;
    report(compiler, "unknown_placeholder", site.pointer + pointer, message);
  }
  noteTemplate(compiler, template, site);
  return template;
}

/** A template that must give an object or a list: a text with something around the braces never does. */
export function compileStructure(
  compiler: Compiler,
  value: Json,
  site: Site & { readonly wanted: "an object" | "a list" },
): Template {
  const template = compileTemplate(compiler, value, site);
  const isText =
    template.kind === "text" ||
    template.kind === "secret" ||
    (template.kind === "value" && typeof template.value === "string");
  if (isText) {
    const message = `This gives a text, and ${site.wanted} is needed. Write the expression alone: "{{ … }}".`;
    report(compiler, "wrong_type", site.pointer, message);
  }
  return template;
}

/** Every placeholder at its own place. */
function noteTemplate(compiler: Compiler, template: Template | TextPart, site: Site): void {
  switch (template.kind) {
    case "value":
      return;
    case "expression":
      return noteReferences(compiler, template.expression, site);
    case "secret":
      return noteSecret(compiler, template.name, site);
    case "text":
      return template.parts.forEach((part) => noteTemplate(compiler, part, site));
    case "list":
      return template.items.forEach((item, index) => noteTemplate(compiler, item, below(site, index)));
    case "map":
      return template.entries.forEach(([key, member]) => noteTemplate(compiler, member, below(site, key)));
  }
}

function below(site: Site, part: string | number): Site {
  return { ...site, pointer: under(site.pointer, part) };
}

export function compileExpression(compiler: Compiler, source: string, site: Site): Expression {
  return taken(compiler, parseExpression(source), site);
}

export function compileCondition(compiler: Compiler, source: string, site: Site): Expression {
  return taken(compiler, parseCondition(source), site);
}

function taken(compiler: Compiler, result: ParseResult, site: Site): Expression {
  if (!result.ok) {
    report(compiler, result.problem.code, site.pointer, sentence(result.problem));
    return never;
  }
  noteReferences(compiler, result.expression, site);
  return result.expression;
}

function noteReferences(compiler: Compiler, expression: Expression, site: Site): void {
  for (const reference of expression.references) noteReference(compiler, reference, site);
}

/** Stands in for an expression that does not parse; its plan is never used. */
const never: Expression = {
  kind: "expression",
  source: "false",
  node: { kind: "literal", value: false, at: 0 },
  references: [],
};

function sentence({
  message,
  hint,
  at,
}: {
  readonly message: string;
  readonly hint?: string;
  readonly at: number;
}): string {
  return [message, ...(hint === undefined ? [] : [hint]), `(character ${at + 1})`].join(" ");
}

function noteSecret(compiler: Compiler, name: string, site: Site): void {
  if (site.mayHoldSecrets) compiler.secrets.push({ name, pointer: site.pointer });
  else reportSecret(compiler, site);
}

function reportSecret(compiler: Compiler, site: Site): void {
  const message = "A secret may only stand as a placeholder in a tool's args. Move it there.";
  report(compiler, "secret_outside_args", site.pointer, message);
}

function noteReference(compiler: Compiler, reference: Reference, site: Site): void {
  const { root } = reference;
  if (root === "secrets") reportSecret(compiler, site);
  else if (!isKnownRoot(root)) reportUnknownName(compiler, root, site);
  else if (!everywhere.has(root) && !site.roots.includes(root)) reportUnavailable(compiler, root, site);
  else compiler.uses.push({ step: site.step, reference, pointer: site.pointer, moment: site.moment });
}

function reportUnknownName(compiler: Compiler, name: string, site: Site): void {
  const near = suggest(compiler, name, () => rootNames);
  const hint = near === undefined ? `Names are ${listed(rootNames)}.` : `Did you mean "${near}"?`;
  const quoting = `For the text, write '${name}' in quotes.`;
  report(compiler, "unknown_name", site.pointer, `"${name}" is no name that an expression knows. ${hint} ${quoting}`);
}

const whereNamesAre: { readonly [root: string]: string } = {
  result:
    "after its step has ended: in branch, outcome, done and compensate. Before that, use previous or steps.NAME.result",
  item: "in the args of a step with each",
  index: "in the args of a step with each",
  data: "in machines and in the match of a wait",
  event: "in machines and in the match of a wait",
};

function reportUnavailable(compiler: Compiler, root: string, site: Site): void {
  const message = `"${root}" has no value here; it is there only ${whereNamesAre[root] ?? ""}.`;
  report(compiler, "name_not_available", site.pointer, message);
}

export function listed(names: Iterable<string>): string {
  return [...names].join(", ");
}

/** The key of the step that `name` means, or undefined with a finding. */
export function stepNamed(compiler: Compiler, name: string, pointer: Pointer): StepKey | undefined {
  const key = compiler.names.get(name);
  if (key !== undefined) return key;
  // A position is no misspelling of another one.
  const near = /^\d+$/.test(name) ? undefined : suggest(compiler, name, () => compiler.names.keys());
  const sorry = `There is no step "${name}".`;
  if (near === undefined) {
    report(compiler, "dangling_name", pointer, `${sorry} Steps are ${shortList(compiler.names)}.`);
  } else {
    const patch = [{ op: "replace", path: pointer, value: near }] as const;
    reportWithPatch(compiler, { code: "dangling_name", pointer, message: `${sorry} Did you mean "${near}"?`, patch });
  }
  return undefined;
}

/** The first ones; of many steps each may name one that is not there. */
function shortList(names: Names): string {
  const shown: string[] = [];
  for (const name of names.keys()) {
    if (shown.length === 8) return `${listed(shown)} and ${names.size - 8} more`;
    shown.push(name);
  }
  return listed(shown);
}

/** A target: a step, or `end` where no step has that name. */
export function compileTarget(compiler: Compiler, name: string, pointer: Pointer): Target {
  if (name === "end" && !compiler.names.has("end")) return { kind: "end" };
  const step = stepNamed(compiler, name, pointer);
  return step === undefined ? { kind: "end" } : { kind: "step", step };
}
