// Where a step leads: its transition, its routes, and what is left when the author names nothing.

import { failureOutcomes } from "../edges.ts";
import { objectFrom } from "../json.ts";
import type { Target, Transition } from "../plan.ts";
import type { Pointer } from "../pointer.ts";
import type { Done, Step } from "../schema/types.ts";
import {
  compileCondition,
  compileTarget,
  compileTemplate,
  reportWithPatch,
  stepNamed,
  type Compiler,
  type Site,
} from "./compiler.ts";
import { at } from "./policy.ts";

/** A step of the normal form: routes are a map by outcome. */
export type NormalStep = Omit<Step, "routes"> & { readonly routes?: { readonly [outcome: string]: string } };

export type TransitionSource = {
  readonly spec: NormalStep;
  readonly site: Site;
  /** What follows when the step names nothing: in a pipeline the next position, elsewhere the end. */
  readonly fallthrough: Target;
};

export function compileTransition(compiler: Compiler, source: TransitionSource): Transition {
  const { spec, site } = source;
  if (spec.terminal !== undefined) return end(spec.terminal);
  if (spec.done !== undefined) return compileDone(compiler, spec.done, site);
  if (spec.next !== undefined)
    return { kind: "next", to: compileTarget(compiler, spec.next, at(site, "next").pointer) };
  if (spec.branch !== undefined) return compileBranch(compiler, spec.branch, source);
  if (spec.parallel !== undefined) return compileFork(compiler, spec.parallel, source);
  if (spec.join !== undefined) return compileJoin(compiler, spec.join, site);
  return compileFallthrough(compiler, source);
}

function end(terminal: "success" | "failure" | "cancel"): Transition {
  return { kind: "end", terminal, output: null, message: null };
}

function compileDone(compiler: Compiler, done: Done, site: Site): Transition {
  if (typeof done === "boolean") return end("success");
  return {
    kind: "end",
    terminal: done.kind ?? "success",
    output: done.output === undefined ? null : compileTemplate(compiler, done.output, at(site, "done", "output")),
    message: done.message === undefined ? null : compileTemplate(compiler, done.message, at(site, "done", "message")),
  };
}

function compileBranch(
  compiler: Compiler,
  branch: NonNullable<Step["branch"]>,
  { spec, site }: TransitionSource,
): Transition {
  const cases = branch.map((choice, index) => ({
    if: compileCondition(compiler, choice.if, at(site, "branch", index, "if")),
    to: compileTarget(compiler, choice.then, at(site, "branch", index, "then").pointer),
  }));
  const otherwise = spec.else === undefined ? null : compileTarget(compiler, spec.else, at(site, "else").pointer);
  return { kind: "branch", cases, otherwise };
}

function compileFork(compiler: Compiler, parallel: readonly string[], { spec, site }: TransitionSource): Transition {
  const branches = parallel.flatMap(
    (name, index) => stepNamed(compiler, name, at(site, "parallel", index).pointer) ?? [],
  );
  const seen = new Set<string>();
  for (const [index, branch] of branches.entries()) {
    if (seen.has(branch)) reportTwice(compiler, branch, at(site, "parallel", index).pointer);
    seen.add(branch);
  }
  const join = spec.join === undefined ? null : (stepNamed(compiler, spec.join, at(site, "join").pointer) ?? null);
  const onBranchError = spec.on_branch_error ?? "fail";
  return { kind: "fork", branches, join, everyBranchArrives: join !== null, onBranchError };
}

function reportTwice(compiler: Compiler, step: string, path: Pointer): void {
  const message = `"${step}" is a branch of this fork already, by another of its names. Name each step once.`;
  reportWithPatch(compiler, { code: "duplicate_branch", pointer: path, message, patch: [{ op: "remove", path }] });
}

function compileJoin(compiler: Compiler, join: string, site: Site): Transition {
  const to = stepNamed(compiler, join, at(site, "join").pointer);
  return to === undefined ? end("success") : { kind: "join", to };
}

/** Routes for failures alone are no transition of their own; in a pipeline no routes are. */
function compileFallthrough(compiler: Compiler, { spec, fallthrough }: TransitionSource): Transition {
  const decides = Object.keys(spec.routes ?? {}).some((outcome) => !failureOutcomes.includes(outcome));
  if (compiler.notation === "flow" && decides) return { kind: "routes" };
  return fallthrough.kind === "end" ? end("success") : { kind: "next", to: fallthrough };
}

export function compileRoutes(
  compiler: Compiler,
  routes: { readonly [outcome: string]: string },
  site: Site,
): { readonly [outcome: string]: Target } {
  return objectFrom(
    Object.entries(routes).map(([outcome, name]) => [
      outcome,
      compileTarget(compiler, name, at(site, "routes", outcome).pointer),
    ]),
  );
}
