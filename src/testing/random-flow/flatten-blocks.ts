// From blocks to a list of steps in the order in which they would be read, each with where it leads and with the
// steps that its expressions may mention. Still without details: `write-step.ts` adds them.

import { passedPlaces, certainPlaces, entryOf, type Block, type Place } from "./blocks.ts";
import type { Skeleton } from "./grow-blocks.ts";

/** What follows a step. */
export type Onward =
  | { readonly kind: "step"; readonly step: string }
  /** Into a join that the branches name. */
  | { readonly kind: "join"; readonly step: string }
  /** Into a join that stands beside `parallel`: naming it is possible, ending is enough. */
  | { readonly kind: "arrive"; readonly step: string }
  | { readonly kind: "end" };

export type Leaving =
  | { readonly kind: "on"; readonly onward: Onward }
  | { readonly kind: "stop"; readonly terminal: "success" | "failure" | "cancel" }
  | { readonly kind: "branch"; readonly targets: readonly Onward[] }
  | { readonly kind: "routes"; readonly targets: readonly Onward[] }
  /** Goes round again, or on. */
  | { readonly kind: "again"; readonly back: Onward; readonly onward: Onward }
  | { readonly kind: "fork"; readonly branches: readonly string[]; readonly join: string | null };

/** The steps that an expression may mention. */
type Scope = { readonly certain: readonly Place[]; readonly possible: readonly Place[] };

export type Draft = {
  readonly place: Place;
  readonly leaving: Leaving;
  readonly failureTo: Onward | null;
  readonly scope: Scope;
  readonly isInsideFork: boolean;
  /** Led to by a failure route: `previous` is then `{error, step}`. */
  readonly isHandler: boolean;
};

type Way = { readonly onward: Onward; readonly scope: Scope; readonly isInsideFork: boolean };

const nothingRan: Scope = { certain: [], possible: [] };

export function flattenSkeleton({ block, alert }: Skeleton): readonly Draft[] {
  const way: Way = { onward: { kind: "end" }, scope: nothingRan, isInsideFork: false };
  const drafts = flatten(block, way, alert);
  const besides = drafts.flatMap(({ place, scope }) =>
    place.beside === null ? [] : [besideDraft(place.beside, scope)],
  );
  const isAlertUsed = drafts.some(({ place }) => place.failure !== null && place.failure.handler === null);
  return [...drafts, ...besides, ...(isAlertUsed ? [alertDraft(alert)] : [])];
}

function flatten(block: Block, way: Way, alert: Place): readonly Draft[] {
  switch (block.kind) {
    case "step":
      return draft(block.place, { kind: "on", onward: way.onward }, { way, alert });
    case "stop":
      return draft(block.place, { kind: "stop", terminal: block.terminal }, { way, alert });
    case "sequence":
      return flattenSequence(block.blocks, way, alert);
    case "choice": {
      const targets = block.arms.map((arm) => (arm === null ? way.onward : to(entryOf(arm))));
      const head = draft(block.place, { kind: block.by, targets }, { way, alert });
      const inside = { ...way, scope: withCertain(way.scope, [block.place]) };
      return [...head, ...block.arms.flatMap((arm) => (arm === null ? [] : flatten(arm, inside, alert)))];
    }
    case "loop": {
      // Everything in the loop may have run on an earlier round.
      const scope = withPossible(way.scope, [...passedPlaces(block.body), block.check]);
      const body = flatten(block.body, { ...way, scope, onward: to(block.check) }, alert);
      const leaving: Leaving = { kind: "again", back: to(entryOf(block.body)), onward: way.onward };
      const checked = { ...way, scope: withCertain(scope, certainPlaces(block.body)) };
      return [...body, ...draft(block.check, leaving, { way: checked, alert })];
    }
    case "fork":
      return flattenFork(block, way, alert);
  }
}

function flattenSequence(blocks: readonly Block[], way: Way, alert: Place): readonly Draft[] {
  let scope = way.scope;
  return blocks.flatMap((block, index) => {
    const follower = blocks[index + 1];
    const onward = follower === undefined ? way.onward : to(entryOf(follower));
    const drafts = flatten(block, { ...way, scope, onward }, alert);
    scope = withPossible(withCertain(scope, certainPlaces(block)), passedPlaces(block));
    return drafts;
  });
}

function flattenFork(block: Extract<Block, { kind: "fork" }>, way: Way, alert: Place): readonly Draft[] {
  const { place, join } = block;
  const named = join.kind === "own" ? join.place.key : join.kind === "common" ? stepOf(way.onward) : null;
  const isBeside = join.kind !== "none" && join.named === "fork";
  const branches = block.branches.map((branch) => entryOf(branch).key);
  const leaving: Leaving = { kind: "fork", branches, join: isBeside ? named : null };
  const onward: Onward = named === null ? { kind: "end" } : { kind: isBeside ? "arrive" : "join", step: named };
  const inside: Way = { onward, scope: withCertain(way.scope, [place]), isInsideFork: true };
  // A failure of the forking step is handled outside the fork, and so never leads into its join.
  const head = draft(place, leaving, { way: { ...way, onward: { kind: "end" } }, alert });
  const drafts = [...head, ...block.branches.flatMap((branch) => flatten(branch, inside, alert))];
  if (join.kind !== "own") return drafts;
  const joined = withPossible(inside.scope, block.branches.flatMap(passedPlaces));
  const after = draft(join.place, { kind: "on", onward: way.onward }, { way: { ...way, scope: joined }, alert });
  return [...drafts, ...after];
}

type Surroundings = { readonly way: Way; readonly alert: Place };

/** The step itself and, after it, the one that handles its failure. */
function draft(place: Place, leaving: Leaving, { way, alert }: Surroundings): readonly Draft[] {
  const { scope, isInsideFork } = way;
  const { failure } = place;
  const failureTo = failure === null ? null : to(failure.handler ?? alert);
  const step: Draft = { place, leaving, failureTo, scope, isInsideFork, isHandler: false };
  if (failure === null || failure.handler === null) return [step];
  const handled: Leaving = failure.goesOn
    ? { kind: "on", onward: way.onward }
    : { kind: "on", onward: { kind: "end" } };
  const handlerScope = withCertain(scope, [place]);
  const handler = { place: failure.handler, leaving: handled, failureTo: null, scope: handlerScope, isInsideFork };
  return [step, { ...handler, isHandler: true }];
}

function besideDraft(place: Place, scope: Scope): Draft {
  const leaving: Leaving = { kind: "on", onward: { kind: "end" } };
  // Inside or outside a fork makes no difference to a side path; inside is the stricter reading.
  return { place, leaving, failureTo: null, scope, isInsideFork: true, isHandler: false };
}

function alertDraft(place: Place): Draft {
  const leaving: Leaving = { kind: "stop", terminal: "failure" };
  return { place, leaving, failureTo: null, scope: nothingRan, isInsideFork: true, isHandler: true };
}

function to(place: Place): Onward {
  return { kind: "step", step: place.key };
}

function stepOf(onward: Onward): string | null {
  return onward.kind === "end" ? null : onward.step;
}

function withCertain({ certain, possible }: Scope, places: readonly Place[]): Scope {
  return { certain: [...certain, ...places], possible };
}

function withPossible({ certain, possible }: Scope, places: readonly Place[]): Scope {
  return { certain, possible: [...possible, ...places] };
}
