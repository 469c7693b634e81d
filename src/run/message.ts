// What the mailbox takes. Events outside are dumb: each sends one small message that names a run and perhaps a row.
// Every message has an id minted by its sender; deciding it twice changes nothing.

import type { Json, JsonObject } from "../flow/json.ts";
import type { OutcomeName, StepKey } from "../flow/plan.ts";
import type { Failure, Keys, Origin, Row, RowId, RunId } from "./model.ts";

export type Message = { readonly id: string } & (
  | StartMessage
  | AdmitMessage
  | {
      readonly kind: "done";
      readonly row: RowId;
      readonly token: string;
      readonly result: Json;
      readonly outcome: OutcomeName | null;
    }
  | {
      readonly kind: "failed";
      readonly row: RowId;
      readonly token: string;
      readonly error: Failure;
      readonly isFinal: boolean;
      /** Whoever refused it wants to be left alone for so long. */
      readonly retryAfterMs?: number | undefined;
    }
  /** The call goes on: it has until then, and may be followed from the handle; null: from what is known already. */
  | {
      readonly kind: "alive";
      readonly row: RowId;
      readonly token: string;
      readonly handle: Json | null;
      readonly until: number;
    }
  /** It was surely not called, and a person has to look before it may be. */
  | {
      readonly kind: "held";
      readonly row: RowId;
      readonly token: string;
      readonly error: Failure & { readonly code: "tool_changed" };
    }
  /** Nobody knows whether the call happened. */
  | {
      readonly kind: "lost";
      readonly row: RowId;
      readonly token: string;
      readonly reason: "crash" | "connection";
      /** If it is made again, then not before. */
      readonly retryAfterMs?: number | undefined;
    }
  /** Approval, in the seeds' word; on a row that waits for its time: now. */
  | { readonly kind: "ready"; readonly row: RowId; readonly by: string; readonly groups?: readonly string[] }
  | AnswerMessage
  | { readonly kind: "signal"; readonly name: string; readonly data: Json }
  /** For the waits that are open now. */
  | { readonly kind: "event"; readonly name: string; readonly data: Json }
  /** Something of this run is due. */
  | { readonly kind: "alarm" }
  | { readonly kind: "cancel"; readonly by: string; readonly reason: string | null }
  | { readonly kind: "pause"; readonly by: string }
  | { readonly kind: "resume"; readonly by: string }
  | ResolveMessage
  /** A person lets an undoing that failed, or a step that is held, go by. */
  | { readonly kind: "skip"; readonly row: RowId; readonly by: string }
  /** A person says where a held row goes on; null: its path ends. */
  | { readonly kind: "choose"; readonly row: RowId; readonly step: StepKey | null; readonly by: string }
  | FireMessage
  | ChildMessage
  /** The executor could not write what a message of this run led to: nothing goes on until a person has looked. */
  | { readonly kind: "poison"; readonly error: Failure }
);

export type MessageOf<Kind extends Message["kind"]> = Extract<Message, { kind: Kind }>;

export type StartMessage = {
  readonly kind: "start";
  readonly run: RunId;
  readonly uid: string;
  readonly name: string;
  /** Defaults applied and checked against the schema at the door. */
  readonly input: JsonObject;
  readonly by: string;
  readonly via: string | null;
  /** null: now. */
  readonly at: number | null;
  readonly parent: { readonly run: RunId; readonly row: RowId; readonly depth: number } | null;
  /** What is taken over from an earlier run; null: nothing. */
  readonly again: Again | null;
  /** What else was asked for under its key, in short: remembered with the run like a message that it was sent. */
  readonly asked?: string;
};

export type Again = { readonly origin: Origin; readonly keys: Keys | null; readonly recorded: readonly Recorded[] };

/** One visit of the earlier run. */
export type Recorded = {
  /** What led to it, in words that mean the same in both runs. */
  readonly place: string;
  /** Its last try. */
  readonly row: Row;
  /** Where it led; null: it is not taken over but runs again, as the same visit. */
  readonly way: Way | null;
  /** Its list, and the items of it that are taken over; null: it has none, or begins from scratch. */
  readonly items: { readonly list: Row; readonly done: readonly Row[] } | null;
  /** The actions of a state's transitions, oldest first. */
  readonly actions: readonly Row[];
};

export type Way =
  /** As its outcome and its step say. */
  | { readonly kind: "leave" }
  | { readonly kind: "go"; readonly step: StepKey; readonly via: string }
  | { readonly kind: "end"; readonly output: Json }
  /** Its branch came back with it. */
  | { readonly kind: "arrive" };

/** The dispatcher's verdict on a row that is ready. */
export type AdmitMessage = {
  readonly kind: "admit";
  readonly row: RowId;
  readonly verdict: "go" | "tool_missing" | "circuit_open" | "refused";
  /** What the row says of a verdict that is not "go"; without it, a sentence of the kernel's. */
  readonly reason?: string | undefined;
};

export type AnswerMessage = {
  readonly kind: "answer";
  readonly row: RowId;
  readonly by: string;
  /** Names of the groups that the person is in, as the door knows them. */
  readonly groups?: readonly string[];
  readonly via: string | null;
  readonly outcome: OutcomeName;
  readonly data: Json | null;
  readonly comment: string | null;
  /** Of the gate as the person saw it. */
  readonly hash: string | null;
};

export type ResolveMessage = {
  readonly kind: "resolve";
  readonly row: RowId;
  readonly by: string;
  readonly how: "retry" | "done" | "failed";
  readonly result: Json;
};

export type FireMessage = {
  readonly kind: "fire";
  readonly transition: string;
  readonly by: string;
  readonly reason: string | null;
  readonly data: JsonObject;
};

/** A sub-run has ended; sent by the kernel itself. */
export type ChildMessage = {
  readonly kind: "child";
  readonly row: RowId;
  readonly child: RunId;
  readonly status: "completed" | "failed" | "cancelled";
  readonly output: Json | null;
  readonly error: Failure | null;
};
