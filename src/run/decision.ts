// What a decision is: changes of rows, to be written in one transaction, and what may be done once they are on disk.

import type { Effect, StepKey } from "../flow/plan.ts";
import type { Json } from "../flow/json.ts";
import type { SecretPlace } from "../flow/template/expand.ts";
import type { Message } from "./message.ts";
import type { Row, RowId, RunId, RunRow, ScopePath, Signal, Visit, VisitCount } from "./model.ts";

export type Decision = {
  readonly kind: "decision";
  readonly changes: Changes;
  readonly calls: readonly ToolCall[];
  /** Tokens of calls that should stop. */
  readonly aborts: readonly string[];
  /** Messages of the kernel to other runs, decided in the same transaction. */
  readonly sends: readonly Send[];
  readonly reply: Reply;
};

export type Changes = {
  /** null: unchanged. */
  readonly run: RunRow | null;
  /** Whole rows, new or changed, each once. */
  readonly rows: readonly Row[];
  readonly events: readonly RunEvent[];
  readonly visits: readonly { readonly step: StepKey; readonly count: VisitCount }[];
  readonly scopes: readonly ScopeChange[];
  /** null: unchanged. */
  readonly signals: readonly Signal[] | null;
};

export type ScopeChange =
  | { readonly kind: "set"; readonly scope: ScopePath; readonly step: StepKey; readonly visit: Visit }
  /** A fork has closed; what its branch saw now stands in the scope around it. */
  | { readonly kind: "drop"; readonly scope: ScopePath };

/** A fact that no row shows. */
export type RunEvent = {
  /** Of the message that caused it, so that it is written once. */
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  readonly row: RowId | null;
  readonly by: string | null;
  readonly data: Json;
};

export type ToolCall = {
  readonly row: RowId;
  readonly token: string;
  readonly tool: string;
  readonly args: Json;
  readonly secrets: readonly SecretPlace[];
  readonly key: string;
  /** An earlier process has made it: it is followed from here. */
  readonly handle: Json | null;
  readonly timeoutMs: number | null;
  readonly effect: Effect;
};

export type Send = { readonly to: RunId; readonly message: Message; readonly workflow: SubWorkflow | null };
/** Which plan a run that is to be started follows. */
type SubWorkflow = {
  readonly name: string;
  readonly version: number | null;
  /** Hash of the version; null: there is none that may be started. */
  readonly flow: string | null;
};

export type Reply =
  | { readonly kind: "ok"; readonly value: Json }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

/** Old rows that an expression names, or that an ending run must look at. The same message is decided again with them. */
export type Need =
  | { readonly kind: "row"; readonly row: RowId }
  /** The last rows of all branches that arrived at the join of this fork. */
  | { readonly kind: "arrivals"; readonly fork: RowId }
  /** The last rows of all items of this each. */
  | { readonly kind: "items"; readonly each: RowId }
  /** The rows with which the paths of this run ended. */
  | { readonly kind: "ends" }
  /** The row to undo next: of those that can be undone and finished before `below`, the one that finished last. */
  | { readonly kind: "undo"; readonly below: number | null };

export type Needing = { readonly kind: "need"; readonly needs: readonly Need[] };
