// What the writers of steps share: the step at hand, the names around it, and the words its expressions may use.

import type { Json, JsonObject } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import type { Place } from "./blocks.ts";
import type { Draft } from "./flatten-blocks.ts";
import type { ExtraRoot, Vocabulary } from "./random-expression.ts";

export type Writing = {
  readonly random: Random;
  readonly draft: Draft;
  readonly names: Names;
  readonly isPipeline: boolean;
  /** The key of the step at the next position; in a map of steps null. */
  readonly follower: string | null;
  readonly hasResources: boolean;
};

export interface Names {
  /** How a transition names the step: key, alias or position. */
  target(key: string): Json;
  /** The same where a position will not do: a side path is named. */
  sideTarget(key: string): string;
  /** How an expression names it. */
  mention(place: Place): string;
  /** The `name` that stands in the step itself, if any. */
  written(place: Place): string | null;
}

/** The names that are there before and while the step works, and with `more` those of one place in it. */
export function vocabularyOf({ draft, names, hasResources }: Writing, ...more: readonly ExtraRoot[]): Vocabulary {
  const { certain, possible } = draft.scope;
  const steps = [...possible.slice(-3), ...certain].map((place) => names.mention(place));
  return { steps, roots: ["previous", ...(hasResources ? (["resources"] as const) : []), ...more] };
}

/** The names of a transition: the step has run. */
export function vocabularyAfter(writing: Writing, ...more: readonly ExtraRoot[]): Vocabulary {
  const { steps, roots } = vocabularyOf(writing, "result", ...more);
  return { steps: [...steps, writing.names.mention(writing.draft.place)], roots };
}

/** The object with this probability, else nothing. */
export function maybe(random: Random, probability: number, write: () => JsonObject): JsonObject {
  return random.chance(probability) ? write() : {};
}
