// What waits for a person, with what is needed to decide.

import type { Json } from "../../flow/json.ts";
import type { Failure } from "../../run/model.ts";
import type { GateAnswerDocument, OmittedDocument } from "./run.ts";

export type WaitKind =
  | "gate"
  | "state"
  | "uncertain"
  | "no_branch_matched"
  | "compensation_failed"
  | "tool_changed"
  | "poison";

export type InboxItemDocument = {
  /** `changed_tool`: it is no run's. */
  readonly kind: WaitKind | "changed_tool";
  readonly workflow_id: number | null;
  /** Of the run. */
  readonly uid: string | null;
  readonly workflow: string | null;
  readonly step_id: number | null;
  readonly step: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly hash: string | null;
  readonly created_by: string | null;
  /** By which people tell runs of one workflow apart: the first plain value of the run's input, in one line, cut; null: there
   *  is none. */
  readonly about: string | null;
  readonly since: number;
  /** What answers it; STEP stands for the key of a step. */
  readonly actions: readonly ActionDocument[];
  /** Of a gate. */
  readonly gate: GateDocument | null;
  /** Of a step that nobody knows the end of, that was cut off, or whose undoing failed. */
  readonly call: CallInDoubtDocument | null;
  /** Of a step after which nothing says what follows. */
  readonly crossroads: CrossroadsDocument | null;
  /** Of a tool that is not what was agreed on. */
  readonly change: ToolChangeDocument | null;
};

export type ActionDocument = {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body: Json;
};

export type GateDocument = {
  readonly title: string | null;
  readonly message: string | null;
  /** JSON Schema of what an answer may bring; null: nothing is asked for. */
  readonly form: Json;
  readonly choices: readonly GateChoiceDocument[];
  /** So many people have to say the same. */
  readonly need: number;
  readonly answers: readonly GateAnswerDocument[];
  /** `user:ann`, `group:staff`; null: whoever may approve here. */
  readonly approvers: readonly string[] | null;
  /** Whoever started the run may answer. */
  readonly self_approval: boolean;
  /** The next instant at which something happens by itself. */
  readonly due_at: number | null;
  /** Then `escalate_to` begins; null: it does not, or has. */
  readonly escalates_at: number | null;
  readonly expires_at: number | null;
  readonly reminders: number;
  /** What is approved: the value before the gate. */
  readonly data: Json | OmittedDocument;
};

export type GateChoiceDocument = {
  readonly outcome: string;
  readonly label: string;
  /** Name of the step that follows; null: the path ends, or nothing says what follows. */
  readonly leads_to: string | null;
  /** What that step calls. */
  readonly tool: string | null;
  /** How the run ends with it; `path`: nothing but this path does, and the others go on; null: a step follows, or it is not
   *  known before. */
  readonly ends_as: "completed" | "failed" | "cancelled" | "path" | null;
};

export type CallInDoubtDocument = {
  readonly tool: string | null;
  readonly args: Json | OmittedDocument;
  readonly error: Failure | null;
  readonly attempt: number;
  readonly since: number;
};

export type CrossroadsDocument = {
  /** What the step gave. */
  readonly value: Json | OmittedDocument;
  readonly outcome: string | null;
  readonly steps: readonly { readonly key: string; readonly name: string }[];
};

type ToolChangeDocument = {
  readonly server: string;
  readonly tool: string;
  readonly kind: string;
  readonly lines: readonly string[];
};

/** An answer that somebody has given. */
export type DecisionDocument = {
  readonly workflow_id: number;
  readonly uid: string;
  readonly workflow: string;
  readonly step_id: number;
  readonly step: string;
  readonly title: string | null;
  readonly by: string;
  readonly at: number;
  readonly outcome: string;
  readonly comment: string | null;
  /** Of the step by now. */
  readonly status: string;
};
