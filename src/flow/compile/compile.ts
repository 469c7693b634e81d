// From the normal form to the plan. Names are resolved, expressions parsed, defaults applied, forks given their joins.

import { edgesFrom, sideEdgesFrom } from "../edges.ts";
import { finding, type Finding } from "../finding.ts";
import { buildGraph } from "../graph/graph.ts";
import { resolveJoins } from "../graph/forks.ts";
import { hashOf } from "../hash.ts";
import { deepFreeze, objectFrom } from "../json.ts";
import { namesOfPipeline, namesOfSteps, placesOfPipeline, type Names, type PipelinePlace } from "../normalise/names.ts";
import type { Plan, PlanStep, StepKey, Target } from "../plan.ts";
import { pointerTo } from "../pointer.ts";
import { suggestionsMax } from "../suggest.ts";
import type { FlowDocument, MachineDocument, PipelineDocument } from "../schema/types.ts";
import { listed, stepNamed, type Compiler, type SecretUse, type Use } from "./compiler.ts";
import { compileMachine } from "./machine.ts";
import { defaultsOf, durationOrNull } from "./policy.ts";
import { compileStep } from "./step.ts";
import type { NormalStep } from "./transition.ts";

export type Compiled = {
  /** Usable only when there is no error among the findings. */
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  readonly uses: readonly Use[];
  readonly secrets: readonly SecretUse[];
};

/** A document in normal form, by its notation. */
export type NormalDocument =
  | { readonly notation: "flow"; readonly document: FlowDocument }
  | { readonly notation: "pipeline"; readonly document: PipelineDocument }
  | { readonly notation: "machine"; readonly document: MachineDocument };

export function compileNormal(normal: NormalDocument): Compiled {
  const compiler: Compiler = {
    notation: normal.notation,
    names: namesOf(normal),
    findings: [],
    uses: [],
    secrets: [],
    suggestionsLeft: suggestionsMax,
  };
  const { start, steps } = compileBody(compiler, normal);
  const { document } = normal;
  const plan: Plan = {
    kind: "plan",
    notation: normal.notation,
    name: document.name ?? null,
    description: document.description ?? null,
    hash: hashOf(document),
    start,
    steps: withMentions(compiler, withJoins(steps, start)),
    names: objectFrom(compiler.names),
    input: { schema: document.input ?? null, defaults: document.defaults?.input ?? {} },
    cancel: document.cancel ?? (normal.notation === "machine" ? "declared" : "anywhere"),
    timeoutMs: durationOrNull(document.timeout),
    strict: document.strict ?? false,
    resources: document.resources ?? {},
  };
  const { findings, uses, secrets } = compiler;
  return { plan: deepFreeze(plan), findings, uses, secrets };
}

function namesOf(normal: NormalDocument): Names {
  switch (normal.notation) {
    case "flow":
      return namesOfSteps(normal.document.steps);
    case "pipeline":
      return namesOfPipeline(placesOfPipeline(normal.document.steps));
    case "machine":
      return new Map(Object.keys(normal.document.states).map((name) => [name, name]));
  }
}

type Body = { readonly start: StepKey; readonly steps: { readonly [key: StepKey]: PlanStep } };

function compileBody(compiler: Compiler, normal: NormalDocument): Body {
  const defaults = defaultsOf(normal.notation, normal.document.defaults);
  switch (normal.notation) {
    case "flow":
      return compileFlow(compiler, normal.document);
    case "pipeline":
      return compilePipeline(compiler, normal.document);
    case "machine":
      return compileMachine(compiler, normal.document, defaults);
  }
}

function compileFlow(compiler: Compiler, document: FlowDocument): Body {
  reportSharedNames(compiler, document);
  const defaults = defaultsOf("flow", document.defaults);
  const entries = Object.entries(document.steps).map(([key, step]): readonly [StepKey, PlanStep] => [
    key,
    compileStep(compiler, {
      key,
      spec: step,
      pointer: pointerTo("steps", key),
      position: null,
      defaults,
      fallthrough: { kind: "end" },
    }),
  ]);
  const steps = objectFrom(entries);
  return { steps, start: startOf(compiler, steps, document) };
}

/** Two steps must not answer to one name. The key wins over a name, and of two names that of the key that sorts first. */
function reportSharedNames(compiler: Compiler, document: FlowDocument): void {
  for (const [key, { name }] of Object.entries(document.steps)) {
    const owner = name === undefined ? undefined : compiler.names.get(name);
    if (owner === undefined || owner === key) continue;
    const path = pointerTo("steps", key, "name");
    const message = `The steps "${owner}" and "${key}" both answer to "${name}". Give one of them another name.`;
    compiler.findings.push(finding("duplicate_name", path, message, [{ op: "remove", path }]));
  }
}

function startOf(
  compiler: Compiler,
  steps: { readonly [key: StepKey]: PlanStep },
  document: FlowDocument | PipelineDocument,
): StepKey {
  if (typeof document.start === "string") return stepNamed(compiler, document.start, pointerTo("start")) ?? "";
  const entered = new Set(
    Object.values(steps).flatMap((step) => [...edgesFrom(step), ...sideEdgesFrom(step)].map((edge) => edge.to)),
  );
  const sources = Object.keys(steps).filter((key) => !entered.has(key));
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only;
  if (Object.keys(steps).length === 0) return reportNoSteps(compiler);
  const which =
    sources.length === 0 ? "every step is led to by another one" : `nothing leads to ${listed(sources.toSorted())}`;
  const message = `The flow does not say where it starts: ${which}. Add "start" with a step's name.`;
  compiler.findings.push(finding("no_start", pointerTo("steps"), message));
  return "";
}

function reportNoSteps(compiler: Compiler): StepKey {
  compiler.findings.push(finding("no_start", pointerTo("steps"), "There is no step to start with. Add one."));
  return "";
}

function compilePipeline(compiler: Compiler, document: PipelineDocument): Body {
  const defaults = defaultsOf("pipeline", document.defaults);
  const places = placesOfPipeline(document.steps);
  const seen = new Set<string>();
  const entries = places.map(({ name, position, at }, index): readonly [StepKey, PlanStep] => {
    const pointer = pointerTo("steps", at);
    if (seen.has(name)) reportRepeatedName(compiler, name, at);
    seen.add(name);
    const following = places[index + 1];
    const fallthrough: Target = following === undefined ? { kind: "end" } : { kind: "step", step: following.name };
    const spec = document.steps[at] as NormalStep;
    return [name, compileStep(compiler, { key: name, spec, pointer, position, defaults, fallthrough })];
  });
  reportSharedPositions(compiler, places);
  const start =
    typeof document.start === "string" ? startOf(compiler, {}, document) : (places[0]?.name ?? reportNoSteps(compiler));
  return { steps: objectFrom(entries), start };
}

/** A position is a name too: it must mean one step. */
function reportSharedPositions(compiler: Compiler, places: readonly PipelinePlace[]): void {
  const byPosition = new Map<string, PipelinePlace>();
  for (const place of places) {
    const other = byPosition.get(String(place.position));
    const message = `The steps "${other?.name}" and "${place.name}" have the same position ${place.position}. Give one of them another.`;
    if (other !== undefined)
      compiler.findings.push(finding("duplicate_name", pointerTo("steps", place.at, "position"), message));
    byPosition.set(String(place.position), place);
  }
  for (const { name, at } of places) {
    const other = byPosition.get(name);
    if (other === undefined || other.at === at) continue;
    const message = `"${name}" is the name of one step and the position of another, "${other.name}". Give it another name.`;
    compiler.findings.push(finding("duplicate_name", pointerTo("steps", at, "name"), message));
  }
}

function reportRepeatedName(compiler: Compiler, name: string, at: number): void {
  const message = `Two steps of the pipeline are called "${name}". Give one of them another name.`;
  compiler.findings.push(finding("duplicate_name", pointerTo("steps", at, "name"), message));
}

/** Forks know their joins, wherever the author wrote them. */
function withJoins(steps: Body["steps"], start: StepKey): Body["steps"] {
  const forks = Object.values(steps).some((step) => step.transition.kind === "fork");
  if (!forks) return steps;
  const graph = buildGraph(steps, start);
  const joins = resolveJoins(graph);
  return objectFrom(
    Object.entries(steps).map(([key, step]) => {
      if (step.transition.kind !== "fork") return [key, step];
      const join = joins.get(graph.indexOf.get(key) ?? -1);
      const transition = { ...step.transition, join: join === undefined ? null : (graph.steps[join]?.key ?? null) };
      return [key, { ...step, transition }];
    }),
  );
}

/** What a step's expressions name, so that the kernel knows which old results it may need. */
function withMentions({ uses, names }: Compiler, steps: Body["steps"]): Body["steps"] {
  const mentioned = new Map<StepKey, Set<StepKey> | "all">();
  for (const { step, reference } of uses) {
    if (reference.root !== "steps") continue;
    const known = mentioned.get(step) ?? new Set();
    const [name] = reference.path;
    const key = name === undefined ? undefined : names.get(String(name));
    if (known === "all" || name === undefined) mentioned.set(step, "all");
    else mentioned.set(step, key === undefined ? known : known.add(key));
  }
  return objectFrom(
    Object.entries(steps).map(([key, step]) => {
      const set = mentioned.get(key) ?? new Set<StepKey>();
      return [key, { ...step, mentions: set === "all" ? set : [...set].toSorted() }];
    }),
  );
}
