// The contract of a tool: a named effect that a step calls. Functions of the embedding program, built-ins and tools of
// servers all answer to it.

import type { Json, JsonObject } from "../flow/json.ts";
import type { Effect } from "../flow/plan.ts";
import type { Pointer } from "../flow/pointer.ts";

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  readonly effect: Effect;
  /** JSON Schema of its arguments; null: anything. */
  readonly input: JsonObject | null;
  /** JSON Schema of its result, whatever the outcome; null: anything. */
  readonly output: JsonObject | null;
  /** Names that it may answer with, besides success; none: any name. */
  readonly outcomes: readonly string[];
  /** The server that brings it. */
  readonly server?: string | undefined;
  /** Whoever has the answer at once need not promise it. */
  call(context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}

export interface CallContext {
  /** Arguments, as the step gives them. */
  readonly input: Json;
  /** Who started the run. */
  readonly user: string;
  readonly run: number;
  readonly step: number;
  readonly attempt: number;
  /** The same over all attempts of one visit. */
  readonly idempotencyKey: string;
  /** Aborted when the step has taken too long, or nobody wants its result any more. */
  readonly signal: AbortSignal;
  /** Where in the input the values of secrets stand; nothing there may be shown. */
  readonly secretPlaces?: readonly Pointer[];
  /** How far it is, 0 to 1, or null when it cannot say; shown, not stored. */
  progress(fraction: number | null, message?: string): void;
  /** A line for whoever looks at the run; kept with it. */
  log(message: string): void;
  /** What became of earlier calls, newest first, as far as whoever started the run may see it; not there where nobody
   *  could tell. */
  readonly outcomes?: OutcomeReader | undefined;
  /** What an earlier process kept of this very call, which goes on elsewhere: it is followed, not made again. */
  readonly handle?: Json | undefined;
  /** The call goes on elsewhere and can be followed from this, by another process too. Resolves when it is on disk; not
   *  there where nobody could keep it. */
  readonly keep?: ((handle: Json) => Promise<void>) | undefined;
  /** It is alive: when half of its time is over, that begins anew, within what the engine allows in all. `isBeginning`: what
   *  takes the time begins only now, so that it begins anew whatever is left of it. */
  readonly extend?: ((isBeginning?: boolean) => void) | undefined;
  /** Asks people, in a gate of its own, and waits for their answer however long it takes. The same `key` within a call is
   *  the same question, also after a restart. */
  readonly ask?: ((question: Question) => Promise<QuestionAnswer>) | undefined;
}

/** What tools of our own find besides, where the engine calls them: nobody else is promised it. */
export type InnerContext = CallContext & {
  /** The input for whoever changes nothing of it: it is not copied. */
  readonly lent?: Json;
  /** Is told of what would abort the signal, which then need not be made: once, then or now, and only whoever has asked
   *  last. */
  onAbort?(act: () => void): void;
};

export type Question = {
  readonly key: string;
  readonly message: string;
  /** JSON Schema of the answer; null: yes or no. */
  readonly form: JsonObject | null;
};

export type QuestionAnswer =
  | { readonly kind: "accepted"; readonly content: Json }
  | { readonly kind: "declined" }
  | { readonly kind: "cancelled" };

/** The reason of a signal when the engine stops: whoever started the run still wants the result, and what goes on
 *  elsewhere is left alone. Any other reason: nobody wants it any more. */
export const engineStops: unique symbol = Symbol("the engine stops");

type OutcomeReader = (query: OutcomeAsk) => Promise<readonly JsonObject[]>;

export type OutcomeAsk = {
  readonly tool?: string;
  readonly workflow?: string;
  readonly quality?: "up" | "down" | "neutral";
  readonly limitMax?: number;
};

/** Expected failures are values; what a tool throws is a failure as well. */
export type ToolAnswer =
  | { readonly kind: "done"; readonly result: Json; readonly outcome: string | null }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly isFinal: boolean;
      /** Another try comes no sooner than this, whatever the step says, up to an hour. */
      readonly retryAfterMs?: number | undefined;
    }
  /** Nobody knows whether it happened: the connection broke after the request was sent. */
  | {
      readonly kind: "lost";
      /** As above, of what may be made again. */
      readonly retryAfterMs?: number | undefined;
    }
  /** It was surely not called, and a person has to look before it may be: the step waits. */
  | { readonly kind: "held"; readonly code: "tool_changed"; readonly message: string };

export interface ToolBox {
  find(name: string): Tool | undefined;
  list(): readonly Tool[];
  /** Counts its changes. */
  readonly revision: number;
}
