// The one validator, for the library, the command line and every door. It never throws, reports every problem it can
// see at once, and what it passes compiles: the plan comes with the report.

import { compileNormal, type Compiled, type NormalDocument } from "../compile/compile.ts";
import { finding, hasErrors, type Finding, type FindingCode } from "../finding.ts";
import { findDominators } from "../graph/dominators.ts";
import { arrivals, resolveJoins } from "../graph/forks.ts";
import { buildGraph, withArcs } from "../graph/graph.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { rewriteAlexClaw } from "../normalise/alexclaw.ts";
import { normalise } from "../normalise/normalise.ts";
import { originOf, patchAtOrigin, type Origins } from "../normalise/origins.ts";
import type { Notation, Plan, PlanStep } from "../plan.ts";
import { partsOf } from "../pointer.ts";
import { checkShape } from "../shape/shape.ts";
import { readText } from "../source/read.ts";
import { isTooDeep, readValue } from "../source/value.ts";
import { checkForks } from "./forks.ts";
import { inDocumentOrder, onceEach, placed } from "./place.ts";
import { checkInactive, checkPolicies } from "./policies.ts";
import { withoutPlaces } from "./prune.ts";
import { checkReach } from "./reach.ts";
import { checkNamesOfSteps, checkReferences } from "./references.ts";
import { checkInputNames, checkSchemas } from "./schemas.ts";
import { checkTimes } from "./times.ts";
import { checkSurroundings, toolsNamed, type Surroundings } from "./tools.ts";

export type ValidateOptions = Surroundings & {
  /** Of a text; guessed when it is not given. */
  readonly syntax?: "json" | "yaml";
};

export type Report = {
  /** No finding is an error: the flow starts. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly notation: Notation | null;
  /** The normal form, and what it compiles to; null when there are errors. */
  readonly document: JsonObject | null;
  readonly plan: Plan | null;
};

/** Checks a flow, given as a value or as JSON or YAML text.
 *  `validate("start: {tool: greet, done: true}").ok === true` */
export function validate(input: Json, options: ValidateOptions = {}): Report {
  const source = typeof input === "string" ? readText(input, options) : readValue(input);
  if (source.value === undefined) return refused(source.findings, null);
  const checked = checkValue(source.value, options);
  const findings = [...source.findings, ...checked.findings].map((found) => placed(found, source));
  const ordered = inDocumentOrder(onceEach(findings));
  if (hasErrors(ordered)) return refused(ordered, checked.notation);
  return { ...checked, ok: true, findings: ordered };
}

function refused(findings: readonly Finding[], notation: Notation | null): Report {
  return { ok: false, ...notUsable(notation, findings) };
}

function checkValue(value: Json, options: ValidateOptions): Omit<Report, "ok"> {
  const shape = checkShape(value);
  if (shape.notation === undefined || !isObject(value)) return notUsable(null, shape.findings);
  if (shape.notation !== "alexclaw") return checkDocument(value, { ...shape, notation: shape.notation }, options);
  if (hasErrors(shape.findings)) return notUsable("pipeline", shape.findings);
  const { document, origins } = rewriteAlexClaw(value);
  const rewritten = checkShape(document);
  const report = checkDocument(document, { ...rewritten, notation: "pipeline" }, options);
  return { ...report, findings: atOrigins(report.findings, origins) };
}

function notUsable(notation: Notation | null, findings: readonly Finding[]): Omit<Report, "ok"> {
  return { findings, notation, document: null, plan: null };
}

const tooDeep: Finding = finding("too_deep", "", "This is nested too deep. Take a level out of the deepest value.");

type Shape = { readonly notation: Notation; readonly isBare: boolean; readonly findings: readonly Finding[] };

function checkDocument(written: JsonObject, shape: Shape, options: ValidateOptions): Omit<Report, "ok"> {
  const { notation, isBare } = shape;
  const inactive = checkInactive(written, isBare);
  if (hasErrors(shape.findings)) {
    return notUsable(notation, [...shape.findings, ...inactive, ...findingsBeside(written, shape)]);
  }
  const { document, origins } = normalise(written, notation, isBare);
  if (isTooDeep(document)) return notUsable(notation, [...inactive, tooDeep]);
  // A skill's config is free; what it says about resilience is checked where it now stands.
  const rewritten = notation === "pipeline" ? checkShape(document).findings : [];
  if (hasErrors(rewritten)) return notUsable(notation, [...inactive, ...atOrigins(rewritten, origins)]);
  const compiled = compileNormal({ notation, document } as NormalDocument);
  const found = atOrigins(checkCompiled(compiled, options), origins);
  return { findings: [...shape.findings, ...inactive, ...found], notation, document, plan: compiled.plan };
}

function checkCompiled(compiled: Compiled, options: ValidateOptions): readonly Finding[] {
  const { plan, uses } = compiled;
  const local = [
    ...compiled.findings,
    ...checkNamesOfSteps(plan, uses),
    ...checkSchemas(plan),
    ...checkInputNames(plan, uses),
    ...checkTimes(plan),
  ];
  const outside = checkSurroundings(compiled, options);
  // With a name that leads nowhere every step behind it looks unreachable: first things first.
  const graph = hasErrors(local) ? [] : checkGraph(compiled);
  return [...local, ...outside, ...graph, ...checkPolicies(plan, (step) => isWrite(step, options))];
}

function checkGraph({ plan, uses }: Compiled): readonly Finding[] {
  const drawn = buildGraph(plan.steps, plan.start);
  const joins = resolveJoins(drawn);
  const unwritten = arrivals(drawn, joins);
  const graph = withArcs(
    drawn,
    unwritten.map(({ arc }) => arc),
  );
  const dominators = findDominators(graph);
  const forks = checkForks({ graph: drawn, whole: graph, joins, dominators });
  const reach = checkReach({ plan, graph, arrivals: unwritten, dominators });
  // Where branches leave their fork nobody can say what arrives at the join, and so what loops or never ends.
  const told = hasErrors(forks) ? reach.filter(({ code }) => code.startsWith("unreachable")) : reach;
  return [...told, ...forks, ...checkReferences({ plan, graph, dominators }, uses)];
}

function isWrite(step: PlanStep, { tools = [] }: ValidateOptions): boolean {
  if (step.kind !== "tool") return false;
  const [tool] = toolsNamed(step.tool, tools);
  return (step.effect ?? tool?.effect) === "write";
}

/** Problems inside expressions are told together with problems of shape, as long as what is left can be read. */
function findingsBeside(written: JsonObject, shape: Shape): readonly Finding[] {
  const places = shape.findings.filter((found) => found.severity === "error").map((found) => found.pointer);
  const pruned = withoutPlaces(written, places);
  const again = isObject(pruned) ? checkShape(pruned) : undefined;
  if (!isObject(pruned) || again?.notation !== shape.notation || hasErrors(again.findings)) return [];
  const { document, origins } = normalise(pruned, shape.notation, again.isBare);
  const { findings } = compileNormal({ notation: shape.notation, document } as NormalDocument);
  const lostSteps = places.some((place) => partsOf(place).length <= (shape.isBare ? 1 : 2));
  const told = findings.filter((found) => isOfExpression(found.code) || (!lostSteps && found.code === "dangling_name"));
  return atOrigins(told, origins);
}

function isOfExpression(code: FindingCode): boolean {
  return code.startsWith("expression_") || ["unknown_function", "unknown_name", "secret_outside_args"].includes(code);
}

function atOrigins(findings: readonly Finding[], origins: Origins): readonly Finding[] {
  return findings.map((found) => {
    const pointer = originOf(origins, found.pointer);
    return found.patch === undefined
      ? { ...found, pointer }
      : { ...found, pointer, patch: patchAtOrigin(origins, found.patch) };
  });
}
