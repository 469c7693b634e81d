// The plan: what a flow compiles to, and all the kernel ever sees of it. Frozen data, unions by `kind`; every name is
// resolved to a step's key, every default of the notation is applied, every duration is in milliseconds.

import type { Expression } from "./expression/ast.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Pointer } from "./pointer.ts";
import type { Template } from "./template/template.ts";

export type Notation = "flow" | "pipeline" | "machine";
export type StepKey = string;
export type OutcomeName = string;
export type TerminalKind = "success" | "failure" | "cancel";
export type Effect = "read" | "idempotent" | "write";

export type Plan = {
  readonly kind: "plan";
  readonly notation: Notation;
  readonly name: string | null;
  readonly description: string | null;
  /** SHA-256 of the normal form, in hex: the version. */
  readonly hash: string;
  readonly start: StepKey;
  readonly steps: { readonly [key: StepKey]: PlanStep };
  /** Every name a step answers to (its key, its `name`, in a pipeline its position) → its key. */
  readonly names: { readonly [name: string]: StepKey };
  readonly input: { readonly schema: Json | null; readonly defaults: JsonObject };
  readonly cancel: "anywhere" | "declared" | "never";
  /** Of the whole run, from its start; null: none. */
  readonly timeoutMs: number | null;
  /** A missing reference is an error before the call, not "" with a warning. */
  readonly strict: boolean;
  readonly resources: JsonObject;
};

export type PlanStep = ToolStep | GateStep | WaitStep | FlowStep | SetStep | EndStep | StateStep;

export type StepBase = {
  readonly key: StepKey;
  /** What people see and rows store: the step's `name`, else its key. */
  readonly label: string;
  /** Where the step stands in the normal form. */
  readonly pointer: Pointer;
  /** In a pipeline; else null. */
  readonly position: number | null;
  readonly transition: Transition;
  /** Looked up before the transition, by the outcome's name without `on_`. */
  readonly routes: { readonly [outcome: OutcomeName]: Target };
  readonly outcome: Expression | null;
  readonly onNoMatch: "hold" | "fail" | "complete";
  readonly cancel: CancelRule;
  /** Whose result is `previous`, when the author names one. */
  readonly inputFrom: StepKey | null;
  /** Tool calls always have one; gates, waits and sub-flows only when the step gives it. */
  readonly timeoutMs: number | null;
  /** The steps whose results its expressions name; "all" when one is computed (`steps[input.which]`). */
  readonly mentions: readonly StepKey[] | "all";
};

export type ToolStep = StepBase &
  CallPolicy & {
    readonly kind: "tool";
    readonly tool: string;
    readonly args: Template;
    readonly each: Each | null;
  };

export type FlowStep = StepBase & {
  readonly kind: "flow";
  readonly workflow: string;
  /** null: the newest enabled version when the step is first entered. */
  readonly version: number | null;
  readonly input: Template;
  readonly retry: Retry;
  readonly each: Each | null;
  readonly compensate: Call | null;
};

export type GateStep = StepBase & {
  readonly kind: "gate";
  readonly title: Template | null;
  readonly message: Template | null;
  readonly form: Json | null;
  /** null: whoever may approve in this installation. */
  readonly approvers: readonly string[] | null;
  readonly need: number;
  readonly selfApproval: boolean;
  readonly notify: Call | null;
  readonly remindAfterMs: number | null;
  readonly escalateAfterMs: number | null;
  readonly escalateTo: StepKey | null;
  readonly expiresAfterMs: number | null;
  readonly onExpire: OutcomeName;
};

export type WaitStep = StepBase & { readonly kind: "wait"; readonly wait: Wait };

export type Wait =
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "until"; readonly until: Template; readonly zone: string | null }
  | { readonly kind: "event"; readonly event: string; readonly match: Expression | null };

export type SetStep = StepBase & { readonly kind: "set"; readonly values: Template };

export type EndStep = StepBase & { readonly kind: "end" };

/** A machine's state: a gate whose routes are its transitions. */
export type StateStep = StepBase & {
  readonly kind: "state";
  readonly transitions: readonly StateTransition[];
};

export type StateTransition = {
  readonly name: string;
  readonly to: StepKey;
  readonly guard: Expression | null;
  readonly requiresReason: boolean;
  readonly set: Template | null;
  /** The tool step on the way; the run stays in the state until it is done. */
  readonly action: StepKey | null;
  /** The state to go to when the action fails for good; null: stay. */
  readonly onError: StepKey | null;
  readonly afterMs: number | null;
  /** Where the transition stands in the normal form. */
  readonly pointer: Pointer;
};

export type CallPolicy = {
  readonly retry: Retry;
  /** null: what the operator or the tool says. */
  readonly effect: Effect | null;
  /** null: `ask` for a write, else `retry`. */
  readonly onUnknown: "ask" | "retry" | "fail" | null;
  readonly probe: Call | null;
  readonly idempotencyKey: Template | null;
  readonly onCircuitOpen: "halt" | "skip" | "fallback";
  readonly onMissingTool: "halt" | "skip";
  readonly fallback: string | null;
  readonly sanitize: "flag" | "strip" | "block" | "off" | null;
  readonly compensate: Call | null;
};

export type Call = { readonly tool: string; readonly args: Template };

export type Retry = {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  readonly backoff: Backoff;
  /** 0.1: up to a tenth later, never earlier. */
  readonly jitter: number;
};

export type Backoff =
  | { readonly kind: "list"; readonly delaysMs: readonly number[] }
  | { readonly kind: "exponential"; readonly baseMs: number; readonly factor: number; readonly maxMs: number };

export type Each = {
  readonly items: Template;
  readonly concurrency: number;
  readonly onItemError: "fail" | "collect";
  readonly result: "list" | "none";
};

export type CancelRule =
  | { readonly kind: "allowed" }
  | { readonly kind: "refused" }
  | { readonly kind: "cleanup"; readonly step: StepKey };

/** `end`: this path ends with success. */
export type Target = { readonly kind: "step"; readonly step: StepKey } | { readonly kind: "end" };

export type Transition =
  | {
      readonly kind: "end";
      readonly terminal: TerminalKind;
      readonly output: Template | null;
      readonly message: Template | null;
    }
  | { readonly kind: "next"; readonly to: Target }
  | { readonly kind: "branch"; readonly cases: readonly BranchCase[]; readonly otherwise: Target | null }
  | Fork
  | { readonly kind: "join"; readonly to: StepKey }
  /** Only routes decide; what they do not name is held, or as `onNoMatch` says. */
  | { readonly kind: "routes" }
  /** A state moves when one of its transitions fires. */
  | { readonly kind: "events" };

export type BranchCase = { readonly if: Expression; readonly to: Target };

export type Fork = {
  readonly kind: "fork";
  readonly branches: readonly StepKey[];
  /** null: every branch ends by itself. */
  readonly join: StepKey | null;
  /** The join stands on the forking step: every branch that ends without failure arrives. */
  readonly everyBranchArrives: boolean;
  readonly onBranchError: "fail" | "collect";
};
