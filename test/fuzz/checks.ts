// What must hold for every document, whatever stands in it.

import { drawAscii } from "../../src/flow/draw/ascii.ts";
import { drawMermaid } from "../../src/flow/draw/mermaid.ts";
import { drawSvg } from "../../src/flow/draw/svg.ts";
import { edgesFrom, sideEdgesFrom } from "../../src/flow/edges.ts";
import type { Finding, FindingCode } from "../../src/flow/finding.ts";
import { canonicalText, isArray, isObject, objectFrom, type Json } from "../../src/flow/json.ts";
import type { Plan } from "../../src/flow/plan.ts";
import { validate, type Report } from "../../src/flow/validate/validate.ts";
import { applyPatch, valueAt } from "../../src/testing/patch.ts";
import type { Random } from "../../src/testing/random.ts";

export type Broken = { readonly check: string; readonly message: string };

/** How the document was made. */
export type DocumentKind = "valid" | "mistaken" | "rewired" | "damaged" | "rubbish";

export type Printer = { readonly syntax: "json" | "yaml"; readonly print: (value: Json) => string };

export type Checked = { readonly isAccepted: boolean; readonly broken: readonly Broken[] };

export type CheckContext = {
  readonly random: Random;
  readonly kind: DocumentKind;
  /** null: as a value only. */ readonly printer: Printer | null;
};

type Check = {
  readonly name: string;
  /** Says what is wrong, or nothing. */
  readonly problem: (subject: Subject) => string | undefined;
};

type Subject = { readonly document: Json; readonly report: Report; readonly context: CheckContext };

export function checkDocument(document: Json, context: CheckContext): Checked {
  const before = { text: JSON.stringify(document), open: openParts(document) };
  let report: Report;
  try {
    // A text is read, so a document that is one is wrapped: here values are at stake.
    report = validate(asValue(document));
  } catch (error) {
    return { isAccepted: false, broken: [{ check: "validate does not throw", message: inWords(error) }] };
  }
  const subject: Subject = { document: asValue(document), report, context };
  const broken = checks.flatMap(({ name, problem }) => {
    const message = attempt(() => problem(subject));
    return message === undefined ? [] : [{ check: name, message }];
  });
  const isChanged = JSON.stringify(document) !== before.text;
  const isFrozen = before.open.some((part) => Object.isFrozen(part));
  const message = isChanged ? "it was changed" : "parts of it were frozen";
  const touched = isChanged || isFrozen ? [{ check: "validate leaves the document alone", message }] : [];
  return { isAccepted: report.ok, broken: [...broken, ...touched] };
}

/** Its lists and objects that the caller may still change. */
function openParts(value: Json): readonly object[] {
  const found: object[] = isObject(value) || isArray(value) ? [value] : [];
  // A list iterates over what is added while it is walked.
  for (const part of found) {
    for (const member of Object.values(part)) if (typeof member === "object" && member !== null) found.push(member);
  }
  return found.filter((part) => !Object.isFrozen(part));
}

function asValue(document: Json): Json {
  return typeof document === "string" ? [document] : document;
}

function attempt(run: () => string | undefined): string | undefined {
  try {
    return run();
  } catch (error) {
    return inWords(error);
  }
}

function inWords(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return stack.split("\n").slice(0, 4).join(" ");
}

const checks: readonly Check[] = [
  {
    name: "a valid flow is accepted",
    problem: ({ report, context }) => (context.kind === "valid" && !report.ok ? verdictOf(report) : undefined),
  },
  { name: "a report agrees with itself", problem: ({ report }) => contradiction(report) },
  { name: "what is accepted has a frozen plan", problem: ({ report }) => whenAccepted(report, (plan) => thawed(plan)) },
  { name: "what is accepted can be drawn", problem: undrawable },
  { name: "the normal form is its own normal form", problem: notIdempotent },
  { name: "the order of keys does not matter", problem: orderMatters },
  { name: "a text says what its value says", problem: textDiffers },
  { name: "a finding points into the document", problem: pointsNowhere },
  { name: "a patch can be applied", problem: patchFails },
];

function contradiction({ ok, findings, plan, document }: Report): string | undefined {
  const hasError = findings.some(({ severity }) => severity === "error");
  if (ok === hasError) return `ok is ${ok} with ${findings.length} findings`;
  if (ok !== (plan !== null) || ok !== (document !== null))
    return `ok is ${ok}, but there is ${plan ? "a" : "no"} plan`;
  return findings.some(({ message }) => message.trim() === "") ? "a finding says nothing" : undefined;
}

function whenAccepted(report: Report, look: (plan: Plan) => string | undefined): string | undefined {
  return report.ok && report.plan !== null ? look(report.plan) : undefined;
}

function thawed(value: unknown, path = "plan"): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Object.isFrozen(value)) return `${path} is not frozen`;
  for (const [key, member] of Object.entries(value)) {
    const found = thawed(member, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One drawing for each document: a plan that breaks one of the three is rare, and drawing is slow. */
function undrawable({ report, context }: Subject): string | undefined {
  const draw = context.random.pick([drawAscii, drawMermaid, drawSvg]);
  return whenAccepted(report, (plan) => (draw(plan).trim() === "" ? "a drawing is empty" : undefined));
}

function notIdempotent({ report }: Subject): string | undefined {
  if (report.document === null) return undefined;
  const again = validate(report.document);
  if (!again.ok) return `its normal form is refused: ${verdictOf(again)}`;
  return again.plan?.hash === report.plan?.hash ? undefined : "its normal form has another hash";
}

function orderMatters({ document, report, context }: Subject): string | undefined {
  const other = validate(shuffleKeys(context.random, document));
  const told = difference(report, other);
  if (told !== undefined || report.plan === null || other.plan === null) return told;
  if (report.plan.hash !== other.plan.hash) return "the hash differs";
  return skeletonOf(report.plan) === skeletonOf(other.plan) ? undefined : "the plan differs";
}

/** The graph of a plan; what is inside a step may stand in any order. */
function skeletonOf({ start, steps }: Plan): string {
  const parts = Object.entries(steps).map(([key, step]): readonly [string, Json] => {
    const arrows = [...edgesFrom(step), ...sideEdgesFrom(step)].map(({ kind, to, label }) => `${kind} ${label} ${to}`);
    const join = step.transition.kind === "fork" ? step.transition.join : null;
    return [key, { arrows: arrows.toSorted(), join, mentions: step.mentions }];
  });
  return start + canonicalText(objectFrom(parts));
}

function textDiffers({ document, report, context }: Subject): string | undefined {
  if (context.printer === null) return undefined;
  const { syntax, print } = context.printer;
  const told = difference(report, validate(print(document), { syntax }));
  return told === undefined ? undefined : `as ${syntax}: ${told}`;
}

function difference(one: Report, other: Report): string | undefined {
  const [before, after] = [verdictOf(one), verdictOf(other)];
  return before === after || isOtherLimit(one, other) ? undefined : `${before} became ${after}`;
}

/** Of a key that is too long and of what else cannot be read in the same document, either may come first. */
function isOtherLimit(...reports: readonly [Report, Report]): boolean {
  const codes = reports.map(({ findings }) => findings.map(({ code }) => code));
  return codes.flat().includes("key_too_long") && codes.every((each) => each.some((code) => limits.has(code)));
}

/** Reading stops at the first of these, and which one comes first is a matter of order. */
const limits: ReadonlySet<FindingCode> = new Set(["too_deep", "too_large", "key_too_long"]);

/** What is found, and where; the sentences may differ. */
function verdictOf({ findings }: Report): string {
  const places = findings.map(({ code, pointer }) => (limits.has(code) ? code : `${code} at "${pointer}"`));
  return [...new Set(places)].toSorted().join(", ") || "nothing";
}

function shuffleKeys(random: Random, value: Json): Json {
  if (isArray(value)) return value.map((item) => shuffleKeys(random, item));
  if (!isObject(value)) return value;
  return objectFrom(random.shuffle(Object.entries(value)).map(([key, member]) => [key, shuffleKeys(random, member)]));
}

function pointsNowhere({ document, report }: Subject): string | undefined {
  const lost = report.findings.find(({ pointer }) => valueAt(document, pointer) === undefined);
  return lost === undefined ? undefined : `${lost.code} at "${lost.pointer}"`;
}

function patchFails({ document, report }: Subject): string | undefined {
  for (const found of report.findings) {
    const message = attempt(() => void applyPatch(document, found.patch ?? []));
    if (message !== undefined) return `${describe(found)}: ${message}`;
  }
  return undefined;
}

function describe({ code, pointer, patch }: Finding): string {
  return `${code} at "${pointer}" with ${JSON.stringify(patch)}`;
}
