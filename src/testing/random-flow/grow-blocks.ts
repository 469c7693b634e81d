// Grows a random skeleton. An *open* block leads on to what follows it; a *tail* stands where nothing follows.

import type { Random } from "../random.ts";
import type { Block, ForkJoin, Place } from "./blocks.ts";
import { createPlaces, type Places } from "./places.ts";

export type Skeleton = {
  readonly block: Block;
  /** The step that failures share; it stands in the flow only when one leads to it. */
  readonly alert: Place;
};

export type GrowthLimits = {
  readonly stepsMax: number;
  /** A pipeline has none. */
  readonly hasForks: boolean;
};

// Deeper than this, flows become long without becoming more interesting.
const depthMax = 4;

type Growth = { readonly random: Random; readonly places: Places; readonly limits: GrowthLimits };

export function growSkeleton(random: Random, limits: GrowthLimits): Skeleton {
  const growth: Growth = { random, places: createPlaces(random), limits };
  const block = growSequence(growth, 0, growTail);
  return { block, alert: growth.places.alert() };
}

type Grow = (growth: Growth, depth: number) => Block;

/** Some open blocks, then a last one. */
function growSequence(growth: Growth, depth: number, growLast: Grow): Block {
  const count = isSpent(growth, depth) ? 0 : growth.random.integer(depth === 0 ? 5 : 3);
  const blocks = Array.from({ length: count }, () => growOpen(growth, depth + 1));
  return { kind: "sequence", blocks: [...blocks, growLast(growth, depth + 1)] };
}

function growOpen(growth: Growth, depth: number): Block {
  if (isSpent(growth, depth)) return growStep(growth);
  const kinds: readonly Grow[] = [growStep, growStep, growStep, growOpenChoice, growOpenChoice, growLoop];
  return growth.random.pick(growth.limits.hasForks ? [...kinds, growJoinedFork, growJoinedFork] : kinds)(growth, depth);
}

function growTail(growth: Growth, depth: number): Block {
  const { random, limits } = growth;
  if (isSpent(growth, depth)) return random.pick<Grow>([growStep, growStop])(growth, depth);
  const kinds: readonly Grow[] = [growStep, growStop, growClosedChoice, growOpenChoice, growLoop];
  return random.pick(limits.hasForks ? [...kinds, growJoinedFork, growFreeFork] : kinds)(growth, depth);
}

function growStep({ places }: Growth): Block {
  return { kind: "step", place: places.step() };
}

function growStop({ random, places }: Growth): Block {
  const terminal = random.pick(["success", "success", "failure", "cancel"] as const);
  return { kind: "stop", place: places.plain(), terminal };
}

/** A path that ends well: inside a fork it must not take the run down with it. */
function growQuietStop({ places }: Growth): Block {
  return { kind: "stop", place: places.plain(), terminal: "success" };
}

function growLoop(growth: Growth, depth: number): Block {
  const { places } = growth;
  // Something in the body waits, so that a run cannot spin.
  const pause: Block = { kind: "step", place: places.pause() };
  const body: Block = { kind: "sequence", blocks: [pause, growOpen(growth, depth + 1)] };
  return { kind: "loop", body, check: places.chooser() };
}

/** At least one arm leads on. */
function growOpenChoice(growth: Growth, depth: number): Block {
  const { random } = growth;
  const first = random.chance(0.5) ? null : growSequence(growth, depth, growOpen);
  const others = Array.from({ length: 1 + random.integer(2) }, () => growArm(growth, depth));
  return choice(growth, random.shuffle([first, ...others]));
}

function growClosedChoice(growth: Growth, depth: number): Block {
  const count = 2 + growth.random.integer(2);
  return choice(
    growth,
    Array.from({ length: count }, () => growSequence(growth, depth, growStop)),
  );
}

function growArm(growth: Growth, depth: number): Block | null {
  const { random } = growth;
  if (random.chance(0.2)) return null;
  return growSequence(growth, depth, random.chance(0.4) ? growStop : growOpen);
}

function choice({ random, places }: Growth, arms: readonly (Block | null)[]): Block {
  return { kind: "choice", place: places.chooser(), by: random.pick(["branch", "routes"]), arms };
}

function growJoinedFork(growth: Growth, depth: number): Block {
  const { random, places } = growth;
  const named = random.pick(["branches", "fork"] as const);
  const join: ForkJoin = { kind: "own", place: places.step(), named };
  return { kind: "fork", place: places.forking(), branches: growBranches(growth, depth, named), join };
}

/** Closes into the join of the fork around it. */
function growCommonFork(growth: Growth, depth: number): Block {
  const { random, places } = growth;
  const named = random.pick(["branches", "fork"] as const);
  return {
    kind: "fork",
    place: places.forking(),
    branches: growBranches(growth, depth, named),
    join: { kind: "common", named },
  };
}

/** No join: each branch ends by itself. */
function growFreeFork(growth: Growth, depth: number): Block {
  const count = 2 + growth.random.integer(2);
  const branches = Array.from({ length: count }, () => growSequence(growth, depth, growTail));
  return { kind: "fork", place: growth.places.forking(), branches, join: { kind: "none" } };
}

/** The first branch ends in a plain step, which carries the `join` when no other place does. */
function growBranches(growth: Growth, depth: number, named: "branches" | "fork"): readonly Block[] {
  const count = 1 + growth.random.integer(3);
  const others = Array.from({ length: count }, () => growBranch(growth, depth, named));
  return [growSequence(growth, depth, growStep), ...others];
}

function growBranch(growth: Growth, depth: number, named: "branches" | "fork"): Block {
  const { random } = growth;
  if (isSpent(growth, depth)) return growSequence(growth, depth, growStep);
  const lasts: readonly Grow[] = [growStep, growStep, growOpen, growCommonFork, growQuietStop];
  // Beside `parallel` the join takes every branch that ends, so a branch may also fork without a join of its own.
  return growSequence(growth, depth, random.pick(named === "fork" ? [...lasts, growFreeFork] : lasts));
}

function isSpent({ places, limits }: Growth, depth: number): boolean {
  // What is open when the budget is spent must still be closed, which costs about as much again.
  return depth >= depthMax || places.count() >= limits.stepsMax / 2;
}
