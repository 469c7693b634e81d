// Where `join` stands on the forking step, a branch arrives at the join by ending: no transition says so, and yet it is
// an arrow of the drawing. This walk follows every path with the forks around it and finds those ends.

import { edgesFrom, sideEdgesFrom } from "../edges.ts";
import { own } from "../json.ts";
import type { Fork, Plan, PlanStep, StepKey } from "../plan.ts";

export type Arrival = {
  readonly joins: ReadonlySet<StepKey>;
  /** The step is also reached where no such fork is around it: there it is an end. */
  readonly endsToo: boolean;
};

type Frame = { readonly fork: Fork; readonly parent: Frame | null; readonly seen: Set<StepKey> };
type Visit = { readonly key: StepKey; readonly frame: Frame | null };

/** The steps whose end is an arrival. */
export function findArrivals(plan: Plan): ReadonlyMap<StepKey, Arrival> {
  const joins = new Map<StepKey, Set<StepKey>>();
  const ends = new Set<StepKey>();
  const frames = new Map<StepKey, Frame>();
  const seenOutside = new Set<StepKey>();
  const pending: Visit[] = [{ key: plan.start, frame: null }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const step = own(plan.steps, visit.key);
    const frame = leaveFrames(visit);
    const seen = frame === null ? seenOutside : frame.seen;
    if (step === undefined || seen.has(step.key)) continue;
    seen.add(step.key);
    if (canEnd(step)) {
      const join = joinAround(frame);
      if (join === null) ends.add(step.key);
      else joins.set(step.key, (joins.get(step.key) ?? new Set()).add(join));
    }
    pending.push(...followStep(step, frame, frames));
  }
  return new Map([...joins].map(([key, found]) => [key, { joins: found, endsToo: ends.has(key) }]));
}

// A join belongs to what is around its fork; forks that share it close together.
function leaveFrames({ key, frame }: Visit): Frame | null {
  let around = frame;
  while (around !== null && around.fork.join === key) around = around.parent;
  return around;
}

function followStep(step: PlanStep, frame: Frame | null, frames: Map<StepKey, Frame>): Visit[] {
  const fork = step.transition.kind === "fork" ? step.transition : null;
  const inside = fork === null ? frame : (frames.get(step.key) ?? { fork, parent: frame, seen: new Set() });
  if (inside !== null && fork !== null) frames.set(step.key, inside);
  const visits = edgesFrom(step).flatMap(({ kind, to }) =>
    to === null ? [] : [{ key: to, frame: kind === "fork" ? inside : frame }],
  );
  if (fork !== null && fork.join !== null) visits.push({ key: fork.join, frame });
  // Side paths end by themselves, whatever is around the step.
  return [...visits, ...sideEdgesFrom(step).flatMap(({ to }) => (to === null ? [] : [{ key: to, frame: null }]))];
}

function canEnd(step: PlanStep): boolean {
  if (step.transition.kind === "end" && step.transition.terminal === "success") return true;
  return edgesFrom(step).some(({ to }) => to === null);
}

// A fork without a join ends as its last branch ends: that is an end of the path around it.
function joinAround(frame: Frame | null): StepKey | null {
  let around = frame;
  while (around !== null && around.fork.join === null) around = around.parent;
  return around !== null && around.fork.everyBranchArrives ? around.fork.join : null;
}
