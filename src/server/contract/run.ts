// Runs and their steps as they go over the wire.

import type { Json } from "../../flow/json.ts";
import type { TerminalKind } from "../../flow/plan.ts";
import type { Failure, Origin, RowRole, RowStatus, RunStatus } from "../../run/model.ts";

/** In the place of a value whose JSON is too long to be sent along; `value` and `steps` routes give it by itself. */
export type OmittedDocument = { readonly $omitted: number };

export type RunDocument = {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly terminal_kind: TerminalKind | null;
  /** What needs a person; null: nothing does. */
  readonly attention: AttentionDocument | null;
  /** It is on its way to its end. */
  readonly ending: EndingDocument | null;
  /** Hash of the flow's version. */
  readonly flow: string;
  readonly input: Json;
  readonly output: Json;
  readonly error: Failure | null;
  /** Of a machine; null: it is none. */
  readonly data: Json;
  readonly created_by: string;
  /** The token by which it was started; null: another way. */
  readonly created_via: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly scheduled_at: number | null;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly cancelled_at: number | null;
  readonly duration_ms: number | null;
  readonly parent_id: number | null;
  readonly origin: {
    readonly kind: Origin["kind"];
    readonly id: number;
    readonly uid: string;
    /** Which try a retry is, the first run being 1; null: it is none. */
    readonly attempt: number | null;
  } | null;
};

export type AttentionDocument = { readonly code: string; readonly step_id: number | null; readonly value: Json };

export type EndingDocument = {
  readonly kind: "failure" | "cancel";
  readonly phase: "cleanup" | "undo";
  readonly by: string | null;
  readonly reason: string | null;
};

/** How many steps a run has, and how they are. */
export type StepCountsDocument = {
  readonly total: number;
  readonly statuses: StatusCounts<RowStatus>;
  /** Of those that are pending, what they wait for; `choice`: done, and a person says what follows. */
  readonly waits: StatusCounts<"person" | "choice" | "retry" | "event" | "sleep" | "rest">;
};

/** What a run that goes on is about. `rest`: a machine is in a state, and nobody has to do anything about it. */
export type DoingWord = "work" | "person" | "retry" | "event" | "sleep" | "rest";

export type StatusCounts<Status extends string> = { readonly [Name in Status]?: number };

/** A run of a list that was asked for `with=steps`. */
export type ListedRunDocument = RunDocument & { readonly steps: StepCountsDocument; readonly doing: DoingWord };

export type StepDocument = {
  readonly id: number;
  readonly workflow_id: number;
  readonly key: string;
  readonly name: string;
  readonly role: RowRole;
  readonly tool: string | null;
  readonly args: Json;
  readonly result: Json;
  readonly outcome: string | null;
  readonly error: Failure | null;
  /** Of an each that collects: what went wrong with which item. */
  readonly errors: Json;
  readonly warnings: readonly string[];
  readonly status: RowStatus;
  readonly attempt: number;
  readonly visit: number;
  /** Its number among the items of an each, from 0. */
  readonly item: number | null;
  readonly scope: string;
  readonly caused_by: number | null;
  readonly child_id: number | null;
  readonly serves: number | null;
  readonly is_held: boolean;
  readonly may_have_happened: boolean;
  readonly interruptions: number;
  readonly transition: string | null;
  readonly open: OpenDocument | null;
  readonly gate: GateStateDocument | null;
  readonly alarms: readonly { readonly kind: string; readonly at: number }[];
  readonly due_at: number | null;
  readonly created_at: number;
  readonly ready_at: number | null;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly duration_ms: number | null;
};

/** What of a fork or an each is still to come. */
export type OpenDocument =
  | { readonly kind: "fork"; readonly open: number; readonly arrived: number }
  | {
      readonly kind: "each";
      readonly count: number;
      readonly started: number;
      readonly ended: number;
      readonly failed: number;
    };

export type GateStateDocument = {
  readonly title: string | null;
  readonly message: string | null;
  readonly hash: string;
  readonly reminders: number;
  readonly answers: readonly GateAnswerDocument[];
};

export type GateAnswerDocument = {
  readonly by: string;
  readonly at: number;
  readonly outcome: string;
  /** Of the form. */
  readonly data: Json;
  readonly comment: string | null;
};

/** With the texts of the seeds' columns. */
export type SeedStepDocument = StepDocument & {
  readonly args_json: string | null;
  readonly result_json: string | null;
};

export type WholeRunDocument = RunDocument & {
  readonly flow_json: string;
  readonly input_json: string | null;
  readonly steps: readonly SeedStepDocument[];
};

export type StartedDocument = {
  readonly id: number;
  readonly uid: string;
  readonly status: "started" | "scheduled";
  readonly scheduled_at: number | null;
  readonly warnings: readonly string[];
};

export type HistoryEntryDocument = { readonly at: number; readonly step_id: number | null } & (
  | {
      readonly kind: "entered";
      readonly step: string;
      readonly name: string;
      readonly role: RowRole;
      readonly visit: number;
      readonly item: number | null;
      readonly attempt: number;
      readonly caused_by: number | null;
      readonly via: string;
    }
  | { readonly kind: "started" }
  | { readonly kind: "event"; readonly event: string; readonly by: string | null; readonly data: Json }
  | {
      readonly kind: "ended";
      readonly status: RowStatus;
      readonly outcome: string | null;
      readonly result: Json;
      readonly error: Failure | null;
      readonly may_have_happened: boolean;
    }
);

/** `n`: its place in the whole story, from 1. */
export type NumberedHistoryDocument = HistoryEntryDocument & { readonly n: number };

/** What cancelling now would do. */
export type PreviewDocument = {
  readonly allowed: boolean;
  /** A code, and a sentence: why it may not be. */
  readonly reason?: string;
  readonly message?: string;
  readonly transition: string | null;
  readonly aborted: readonly PreviewStepDocument[];
  readonly cleanup: readonly string[];
  readonly undone: readonly PreviewStepDocument[];
};

type PreviewStepDocument = {
  readonly row: number;
  readonly step: string;
  readonly name: string;
  readonly mayHaveHappened: boolean;
};
