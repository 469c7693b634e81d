// Random flows that are valid by construction, in every notation and with every construct of the language. They feed
// the fuzzer, the mutations and the simulator; one seed makes one flow.

import { objectFrom, type Json, type JsonObject } from "../flow/json.ts";
import type { Random } from "./random.ts";
import type { Place } from "./random-flow/blocks.ts";
import { flattenSkeleton, type Draft } from "./random-flow/flatten-blocks.ts";
import { growSkeleton } from "./random-flow/grow-blocks.ts";
import { randomHead } from "./random-flow/random-document.ts";
import { randomMachine } from "./random-flow/random-machine.ts";
import { writeAction } from "./random-flow/write-action.ts";
import { writePolicies } from "./random-flow/write-policies.ts";
import { writeEndState, writeTransition } from "./random-flow/write-transition.ts";
import { type Names, type Writing } from "./random-flow/writing.ts";

type RandomNotation = "flow" | "bare" | "pipeline" | "machine";

export type RandomFlowOptions = {
  readonly notation?: RandomNotation;
  /** About how many steps at most; a last block may go a little beyond. */
  readonly maxSteps?: number;
};

/** A valid document.
 *
 *     randomFlow(createRandom(7), { notation: "pipeline" })
 */
export function randomFlow(random: Random, { notation, maxSteps = 20 }: RandomFlowOptions = {}): JsonObject {
  const chosen = notation ?? random.pick(["flow", "flow", "flow", "bare", "pipeline", "machine"]);
  switch (chosen) {
    case "flow":
      return randomMap(random, maxSteps);
    case "bare":
      return objectFrom(randomSteps(random, { maxSteps, hasResources: false, isBare: true }).steps);
    case "pipeline":
      return randomPipeline(random, maxSteps);
    case "machine":
      return { ...randomHead(random, false), ...randomMachine(random, maxSteps) };
  }
}

function randomMap(random: Random, maxSteps: number): JsonObject {
  const hasResources = random.chance(0.2);
  const { steps, start, isCalledStart, mayLackStart } = randomSteps(random, { maxSteps, hasResources, isBare: false });
  const head = randomHead(random, hasResources);
  const [first, ...others] = steps;
  // The spec itself may stand in place of the start's name.
  if (first !== undefined && isCalledStart && random.chance(0.3)) {
    return { ...head, start: first[1], steps: objectFrom(others) };
  }
  const named = (mayLackStart || isCalledStart) && random.chance(0.5) ? {} : { start };
  return { ...head, ...named, steps: objectFrom(random.shuffle(steps)) };
}

type StepOptions = { readonly maxSteps: number; readonly hasResources: boolean; readonly isBare: boolean };

type RandomSteps = {
  readonly steps: readonly (readonly [string, JsonObject])[];
  readonly start: Json;
  /** The first step stands under the key `start`. */
  readonly isCalledStart: boolean;
  /** Nothing leads to the first step and something to every other, so that the start need not be named. */
  readonly mayLackStart: boolean;
};

function randomSteps(random: Random, { maxSteps, hasResources, isBare }: StepOptions): RandomSteps {
  const drafts = flattenSkeleton(growSkeleton(random, { stepsMax: maxSteps, hasForks: true }));
  const first = drafts[0]?.place.key ?? "";
  const mayLackStart = !isTarget(drafts, first);
  const isCalledStart = random.chance(isBare ? 0.7 : 0.2) || (isBare && !mayLackStart);
  const names = namesInMap(random, drafts, isCalledStart ? first : null);
  const steps = drafts.map((draft): readonly [string, JsonObject] => {
    const writing: Writing = { random, draft, names, isPipeline: false, follower: null, hasResources };
    return [names.key(draft.place), writeStep(writing)];
  });
  return { steps, start: names.target(first), isCalledStart, mayLackStart };
}

type MapNames = Names & { key(place: Place): string };

/** `start`: the step that stands under the key `start`, with its own key as its name. */
function namesInMap(random: Random, drafts: readonly Draft[], start: string | null): MapNames {
  const byKey = new Map(drafts.map(({ place }) => [place.key, place]));
  const key = (place: Place): string => (place.key === start ? "start" : place.key);
  const alias = (place: Place): string | null => place.alias ?? (place.key === start ? place.key : null);
  const either = (place: Place): string => {
    const name = alias(place);
    return name !== null && random.chance(0.4) ? name : key(place);
  };
  const target = (name: string): string => {
    const place = byKey.get(name);
    return place === undefined ? name : either(place);
  };
  return { key, target, sideTarget: target, mention: either, written: alias };
}

function randomPipeline(random: Random, maxSteps: number): JsonObject {
  const hasResources = random.chance(0.2);
  const drafts = flattenSkeleton(growSkeleton(random, { stepsMax: maxSteps, hasForks: false }));
  const gap = random.chance(0.2) ? 10 : 1;
  const positions = new Map(drafts.map(({ place }, index) => [place.key, (index + 1) * gap]));
  const unnamed = new Set(drafts.map(({ place }) => place.key).filter(() => random.chance(0.15)));
  const written = (place: Place): string | null => (unnamed.has(place.key) ? null : (place.alias ?? place.key));
  const aliases = new Map(drafts.map(({ place }) => [place.key, written(place)]));
  const position = (key: string): number => positions.get(key) ?? 0;
  const label = (key: string): string => aliases.get(key) ?? `step_${position(key)}`;
  const names: Names = {
    target: (key) => (random.chance(0.4) ? position(key) : (aliases.get(key) ?? position(key))),
    sideTarget: label,
    mention: (place) => label(place.key),
    written,
  };
  const steps = drafts.map((draft, index) => {
    const follower = drafts[index + 1]?.place.key ?? null;
    const step = writeStep({ random, draft, names, isPipeline: true, follower, hasResources });
    return gap === 1 ? step : { position: position(draft.place.key), ...step };
  });
  return { ...randomHead(random, hasResources), steps: gap === 1 ? steps : random.shuffle(steps) };
}

function writeStep(writing: Writing): JsonObject {
  const { random, draft, names } = writing;
  const name = names.written(draft.place);
  const named = name === null ? {} : { name };
  const { leaving } = draft;
  if (leaving.kind === "stop" && random.chance(0.5)) return { ...named, ...writeEndState(writing, leaving.terminal) };
  const action = writeAction(writing);
  return { ...named, ...action, ...writeTransition(writing), ...writePolicies(writing, action) };
}

function isTarget(drafts: readonly Draft[], key: string): boolean {
  return drafts.some(
    ({ leaving }) => leaving.kind === "again" && leaving.back.kind !== "end" && leaving.back.step === key,
  );
}
