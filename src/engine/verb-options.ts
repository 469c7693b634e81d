// What the verbs of an engine take, and give.

import type { Json, JsonObject } from "../flow/json.ts";
import type { Row, RunRow } from "../run/model.ts";
import type { Transaction } from "../store/store.ts";

export type StartOptions = {
  readonly input?: Json;
  /** Who starts it; its steps run with this user's rights. */
  readonly as?: string;
  /** When: `tomorrow at 9am`, ISO 8601, unix time, a date; now unless given. */
  readonly at?: number | string | Date;
  /** The time zone in which `at` is read; the engine's unless given. */
  readonly tz?: string;
  /** A second start with the same key gives the first one's run. */
  readonly idempotencyKey?: string;
  readonly name?: string;
  /** A transaction of your own on the same PostgreSQL database: the run starts when it commits, and never if it does not. */
  readonly tx?: Transaction;
};

export type By = { readonly by?: string };

export type Expecting = By & {
  /** Refused, with `version_changed`, unless the run was last changed at this instant (`updatedAt`, as it was read). */
  readonly expectedUpdatedAt?: number;
};

/** A run with its steps, in the order in which they were made. */
export type RunView = RunRow & { readonly flow: string; readonly updatedAt: number; readonly steps: readonly Row[] };

export type AnswerOptions = By & {
  readonly outcome: string;
  readonly data?: Json;
  readonly comment?: string;
  readonly hash?: string;
};

export type FireOptions = Expecting & {
  readonly transition: string;
  readonly reason?: string;
  readonly data?: JsonObject;
};

/** What somebody can do, whoever does it: verbs without what is private to their class, so that an engine here and a client
 *  of one elsewhere are the same to whoever uses them. */
export type VerbsOf<Thing> = {
  readonly [Name in keyof Thing]: Thing[Name] extends (...given: never) => unknown
    ? Thing[Name]
    : Thing[Name] extends object
      ? VerbsOf<Thing[Name]>
      : Thing[Name];
};
