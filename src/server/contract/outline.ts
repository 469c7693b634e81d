// What the page of one run reads at once: small, whatever the run holds.

import type { Json } from "../../flow/json.ts";
import type { Edge } from "../../flow/edges.ts";
import type { Notation, PlanStep, TerminalKind } from "../../flow/plan.ts";
import type { RowStatus, RunStatus } from "../../run/model.ts";
import type { InboxItemDocument } from "./inbox.ts";
import type { OmittedDocument, RunDocument, StatusCounts, StepDocument } from "./run.ts";

export type OutlineDocument = {
  readonly run: BriefRunDocument;
  /** The saved workflow's version of which it is; null: it was never saved under this name. */
  readonly version: { readonly name: string; readonly version: number } | null;
  /** All but the items of eaches, in the order in which they were made. */
  readonly steps: readonly OutlineStepDocument[];
  /** false: there are so many that only the newest 5,000 are told. */
  readonly is_complete: boolean;
  /** By the id of the each's step. */
  readonly items: { readonly [eachId: string]: ItemCountsDocument };
  /** By the id of the step: how far its call is, as its tool said last. Live events tell what follows. */
  readonly progress: { readonly [stepId: string]: ProgressDocument };
  /** Runs that its steps have started, newest first; at most 200. */
  readonly children: readonly ChildDocument[];
  readonly parent: { readonly id: number; readonly name: string } | null;
  /** null: its flow is none that this version can draw. */
  readonly graph: GraphDocument | null;
  readonly waiting: readonly InboxItemDocument[];
  /** Of a machine: what can be fired in the state in which it is. */
  readonly transitions: readonly TransitionDocument[];
  /** The name of a machine's state; null: it is none, or in none. */
  readonly state: string | null;
  readonly can: CanDocument;
};

/** Values of more than 64 KiB are told by their length. */
export type BriefRunDocument = Omit<RunDocument, "input" | "output" | "error" | "data"> & {
  readonly input: Json | OmittedDocument;
  readonly output: Json | OmittedDocument;
  readonly error: RunDocument["error"] | OmittedDocument;
  readonly data: Json | OmittedDocument;
};

export type OutlineStepDocument = Omit<StepDocument, "args" | "result" | "errors"> & {
  /** Of their JSON; 0: there is nothing. */
  readonly args_bytes: number;
  readonly result_bytes: number;
  readonly errors_bytes: number;
  readonly has_error: boolean;
  /** Under which a tool knows the call again; null: it is no call. */
  readonly key_of_idempotency: string | null;
  /** Tries in all; null: it is not tried again. */
  readonly attempts_max: number | null;
  readonly next_try_at: number | null;
};

export type ItemCountsDocument = { readonly count: number; readonly statuses: StatusCounts<RowStatus> };

export type ProgressDocument = {
  /** 0 to 1; null: it cannot say. */
  readonly fraction: number | null;
  readonly message: string | null;
};

type ChildDocument = {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly step_id: number | null;
};

export type TransitionDocument = {
  readonly name: string;
  readonly to: string;
  readonly requires_reason: boolean;
  /** Its guard is met now. */
  readonly is_open: boolean;
  /** It fires by itself after a while; people cannot fire it sooner than that unless it is open to them. */
  readonly is_timed: boolean;
  readonly step_id: number;
};

/** What whoever asks may do with the run as it is. */
export type CanDocument = {
  readonly cancel: boolean;
  /** Why it cannot be cancelled, in a sentence. */
  readonly cancel_refused: string | null;
  readonly pause: boolean;
  readonly resume: boolean;
  readonly retry: boolean;
  readonly rerun: boolean;
  readonly fork: boolean;
  readonly signal: boolean;
  readonly fire: boolean;
  /** Gates of it. */
  readonly answer: boolean;
  /** Steps of which nobody knows what became: resolve, skip, choose. */
  readonly operate: boolean;
  /** With all that is known of it. */
  readonly remove: boolean;
  readonly rate: boolean;
};

export type GraphDocument = {
  readonly title: string;
  readonly notation: Notation;
  readonly start: string;
  readonly nodes: readonly GraphNodeDocument[];
  readonly links: readonly GraphLinkDocument[];
};

export type GraphNodeDocument = {
  readonly key: string;
  readonly name: string;
  /** `missing`: an arrow names it, but there is no such step. */
  readonly kind: PlanStep["kind"] | "missing";
  readonly detail: string;
  readonly tool: string | null;
  readonly ending: TerminalKind | null;
  readonly is_fork: boolean;
  readonly is_join: boolean;
  /** Key of the step that joins the branches which this one forks. */
  readonly join: string | null;
  readonly is_each: boolean;
  readonly attempts_max: number;
  /** Where it stands in the flow's normal form. */
  readonly pointer: string | null;
};

export type GraphLinkDocument = {
  readonly id: string;
  readonly from: string;
  /** null: the path ends here. */
  readonly to: string | null;
  readonly kind: Edge["kind"];
  readonly label: string;
  readonly is_failure: boolean;
  readonly is_back: boolean;
  /** Beside the flow: an escalation, or clean-up. */
  readonly is_side: boolean;
};

/** One step; values of more than 64 KiB are told by their length unless asked for by themselves. */
export type BriefStepDocument = Omit<StepDocument, "args" | "result" | "errors"> & {
  readonly args: Json | OmittedDocument;
  readonly result: Json | OmittedDocument;
  readonly errors: Json | OmittedDocument;
  readonly key_of_idempotency: string | null;
  readonly attempts_max: number | null;
  readonly next_try_at: number | null;
};
