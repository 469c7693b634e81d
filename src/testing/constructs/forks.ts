// The constructs that only several steps together show: forks and their joins, loops.

import { isArray, own } from "../../flow/json.ts";
import { findStep, followersOf, reachedFrom, type StepView } from "../document-view.ts";
import { uses, type Construct } from "./construct.ts";

type Steps = readonly StepView[];

export type ForkedSteps = { readonly steps: Steps; readonly forks: readonly ForkView[] };

export type ForkView = {
  readonly view: StepView;
  readonly join: StepView | undefined;
  readonly isBeside: boolean;
  readonly inside: ReadonlySet<StepView>;
};

export const forkConstructs: readonly Construct<ForkedSteps>[] = [
  uses("fork with the join beside parallel", ({ forks }) => forks.some(({ isBeside }) => isBeside)),
  uses("fork with the join on its branches", ({ forks }) => forks.some(({ join, isBeside }) => join && !isBeside)),
  uses("fork without a join", ({ forks }) => forks.some(({ join }) => join === undefined)),
  uses("fork inside a fork", ({ forks }) =>
    forks.some((fork) => innerForks(forks, fork).some(({ join }) => join !== fork.join)),
  ),
  uses("two forks with one join", ({ forks }) =>
    forks.some((fork) => fork.join && innerForks(forks, fork).some(({ join }) => join === fork.join)),
  ),
  uses("join outside any fork", ({ steps, forks }) => {
    const inside = new Set(forks.flatMap(({ inside: views }) => [...views]));
    return steps.some((view) => isPlainJoin(view) && !inside.has(view));
  }),
  uses("loop", ({ steps }) => steps.some((view) => reachedFrom(steps, followersOf(steps, view)).has(view))),
];

export function forksIn(steps: Steps): readonly ForkView[] {
  return steps.flatMap((view) => {
    const parallel = own(view.step, "parallel");
    if (!isArray(parallel)) return [];
    const heads = parallel.flatMap((name) => findStep(steps, name) ?? []);
    const beside = own(view.step, "join");
    const join = beside === undefined ? joinOfBranches(steps, heads, [view]) : findStep(steps, beside);
    const inside = reachedFrom(steps, heads, new Set(join === undefined ? [] : [join]));
    return [{ view, join, isBeside: beside !== undefined, inside }];
  });
}

/** The join that a branch names, over the forks inside it. `open`: the forks that are being looked at, since a loop may
 *  lead back to them. */
function joinOfBranches(steps: Steps, heads: Steps, open: readonly StepView[] = []): StepView | undefined {
  const seen = new Set(heads);
  for (const view of seen) {
    if (isPlainJoin(view)) return findStep(steps, own(view.step, "join") ?? null);
    for (const next of open.includes(view) ? [] : overFork(steps, view, open)) seen.add(next);
  }
  return undefined;
}

function overFork(steps: Steps, view: StepView, open: readonly StepView[]): Steps {
  const parallel = own(view.step, "parallel");
  if (!isArray(parallel)) return followersOf(steps, view);
  const beside = own(view.step, "join");
  const heads = parallel.flatMap((name) => findStep(steps, name) ?? []);
  const join = beside === undefined ? joinOfBranches(steps, heads, [...open, view]) : findStep(steps, beside);
  return join === undefined ? [] : [join];
}

function innerForks(forks: readonly ForkView[], { view, inside }: ForkView): readonly ForkView[] {
  return forks.filter((fork) => fork.view !== view && inside.has(fork.view));
}

function isPlainJoin({ step }: StepView): boolean {
  return Object.hasOwn(step, "join") && !Object.hasOwn(step, "parallel");
}
