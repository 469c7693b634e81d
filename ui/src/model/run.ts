// Runs, steps and the graph of a flow as the page holds them.

import type { Progress } from "./progress.ts";
import type { Json } from "./json.ts";
import type { Doing, RunStatus, StepStatus } from "./status.ts";

export type Failure = { readonly code: string; readonly message: string };

export type StepCounts = {
  readonly total: number;
  readonly statuses: { readonly [status: string]: number };
  /** Of those that are pending, what they wait for; `choice`: done, and a person says what follows. */
  readonly waits: { readonly [what in Exclude<Doing, "work"> | "choice"]?: number };
};

export type Run = {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly terminalKind: "success" | "failure" | "cancel" | null;
  readonly attention: { readonly code: string; readonly step: number | null } | null;
  readonly ending: {
    readonly kind: "failure" | "cancel";
    readonly by: string | null;
    readonly reason: string | null;
  } | null;
  /** Hash of the flow's version. */
  readonly flow: string;
  readonly input: Json;
  readonly output: Json;
  readonly error: Failure | null;
  readonly data: Json;
  readonly createdBy: string;
  readonly createdVia: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly scheduledAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly parent: number | null;
  /** `attempt`: which try a retry is, the first run being 1; null: it is none. */
  readonly origin: { readonly kind: string; readonly id: number; readonly attempt: number | null } | null;
  /** null: the list was read without them. */
  readonly steps: StepCounts | null;
  /** What it is about while it runs; null: it was read without. */
  readonly doing: Doing | null;
};

/** One row: a try of a step, an item of an each, a probe, an undoing. */
export type Step = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly role: "step" | "item" | "probe" | "notify" | "undo";
  readonly tool: string | null;
  readonly status: StepStatus;
  readonly outcome: string | null;
  readonly error: Failure | null;
  readonly warnings: readonly string[];
  readonly attempt: number;
  readonly attemptsMax: number | null;
  readonly visit: number;
  readonly item: number | null;
  readonly causedBy: number | null;
  readonly child: number | null;
  readonly serves: number | null;
  readonly isHeld: boolean;
  readonly mayHaveHappened: boolean;
  readonly interruptions: number;
  readonly transition: string | null;
  readonly open:
    | { readonly kind: "fork"; readonly open: number; readonly arrived: number }
    | {
        readonly kind: "each";
        readonly count: number;
        readonly started: number;
        readonly ended: number;
        readonly failed: number;
      }
    | null;
  readonly gate: StepGate | null;
  readonly alarms: readonly { readonly kind: string; readonly at: number }[];
  readonly nextTryAt: number | null;
  /** How far it was when it was read. */
  readonly progress: Progress | null;
  /** Under which a tool knows the call again. */
  readonly idempotencyKey: string | null;
  readonly argsBytes: number;
  readonly resultBytes: number;
  readonly createdAt: number;
  readonly readyAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
};

export type StepGate = {
  readonly title: string | null;
  readonly message: string | null;
  readonly hash: string;
  readonly answers: readonly {
    readonly by: string;
    readonly at: number;
    readonly outcome: string;
    readonly data: Json;
    readonly comment: string | null;
  }[];
};

/** One step with all it was given and has given. */
export type WholeStep = Step & { readonly args: Json; readonly result: Json; readonly errors: Json };

type NodeKind = "tool" | "flow" | "gate" | "wait" | "set" | "end" | "state" | "missing";

export type GraphNode = {
  readonly key: string;
  readonly name: string;
  readonly kind: NodeKind;
  readonly detail: string;
  readonly tool: string | null;
  readonly ending: "success" | "failure" | "cancel" | null;
  readonly isFork: boolean;
  readonly isJoin: boolean;
  readonly join: string | null;
  readonly isEach: boolean;
  readonly attemptsMax: number;
  readonly pointer: string | null;
};

export type GraphLink = {
  readonly id: string;
  readonly from: string;
  /** null: the path ends here. */
  readonly to: string | null;
  readonly kind: string;
  readonly label: string;
  readonly isFailure: boolean;
  readonly isBack: boolean;
  readonly isSide: boolean;
};

export type Graph = {
  readonly title: string;
  readonly notation: "flow" | "pipeline" | "machine";
  readonly start: string;
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
};

export type ItemCounts = { readonly count: number; readonly statuses: { readonly [status: string]: number } };

/** What the page of one run shows, but for values that are fetched when somebody looks at them. */
export type Outline = {
  readonly run: Run;
  readonly version: { readonly name: string; readonly version: number } | null;
  readonly steps: readonly Step[];
  /** By the row of the each. */
  readonly items: { readonly [row: string]: ItemCounts };
  readonly children: readonly {
    readonly id: number;
    readonly name: string;
    readonly status: RunStatus;
    readonly step: number | null;
  }[];
  readonly parent: { readonly id: number; readonly name: string } | null;
  /** null: its flow is none that this version can draw. */
  readonly graph: Graph | null;
  readonly waiting: readonly InboxItem[];
  readonly transitions: readonly MachineTransition[];
  readonly state: string | null;
  readonly can: Can;
  /** Steps have begun since it was read, of which nothing else is known. */
  readonly lacksSteps?: boolean;
};

/** What can be fired in the state in which a machine is. */
export type MachineTransition = {
  readonly name: string;
  readonly to: string;
  readonly requiresReason: boolean;
  /** Its guard is met now. */
  readonly isOpen: boolean;
  readonly isTimed: boolean;
  readonly step: number;
};

/** What whoever looks may do with the run as it is. */
type Can = {
  readonly cancel: boolean;
  readonly cancelRefused: string | null;
  readonly pause: boolean;
  readonly resume: boolean;
  readonly retry: boolean;
  readonly rerun: boolean;
  readonly fork: boolean;
  readonly signal: boolean;
  readonly fire: boolean;
  readonly answer: boolean;
  readonly operate: boolean;
  readonly remove: boolean;
  readonly rate: boolean;
};

/** Something that waits for a person. */
export type InboxItem = {
  readonly kind:
    | "gate"
    | "state"
    | "uncertain"
    | "no_branch_matched"
    | "compensation_failed"
    | "tool_changed"
    | "poison"
    | "changed_tool";
  readonly run: number | null;
  readonly workflow: string | null;
  readonly step: number | null;
  readonly stepName: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly hash: string | null;
  readonly createdBy: string | null;
  /** By which people tell runs of one workflow apart, of the run's input; null: there is nothing. */
  readonly about: string | null;
  readonly since: number;
  readonly gate: InboxGate | null;
  readonly actions: readonly InboxAction[];
  /** Of a step that nobody knows the end of, that was cut off, or whose undoing failed. */
  readonly call: {
    readonly tool: string | null;
    readonly args: Json;
    readonly error: Failure | null;
    readonly attempt: number;
  } | null;
  /** Of a step after which nothing says what follows. */
  readonly crossroads: {
    readonly value: Json;
    readonly outcome: string | null;
    readonly steps: readonly { readonly key: string; readonly name: string }[];
  } | null;
  /** Of a tool that is not what was agreed on. */
  readonly change: {
    readonly server: string;
    readonly tool: string;
    readonly kind: string;
    readonly lines: readonly string[];
  } | null;
};

export type InboxGate = {
  readonly form: Json;
  readonly choices: readonly {
    readonly outcome: string;
    readonly label: string;
    readonly leadsTo: string | null;
    readonly tool: string | null;
    /** How the run ends with it; null: a step follows, or it is not known before. */
    readonly endsAs: "completed" | "failed" | "cancelled" | "path" | null;
  }[];
  readonly need: number;
  readonly approvers: readonly string[] | null;
  readonly mayAnswerOwn: boolean;
  readonly answers: StepGate["answers"];
  /** null: it does not, or has. */
  readonly escalatesAt: number | null;
  readonly expiresAt: number | null;
  readonly data: Json;
};

/** A request that answers it. */
export type InboxAction = { readonly method: "POST" | "DELETE"; readonly path: string; readonly body: Json };

export type HistoryEntry = {
  readonly n: number;
  readonly kind: "entered" | "started" | "ended" | "event";
  readonly at: number;
  readonly step: number | null;
  /** Of what was entered. */
  readonly name: string | null;
  readonly via: string | null;
  readonly attempt: number | null;
  readonly event: string | null;
  readonly by: string | null;
  /** What an event tells. */
  readonly data: Json;
  readonly status: string | null;
  readonly outcome: string | null;
  readonly error: Failure | null;
  /** Its number among the items of an each, from 0. */
  readonly item: number | null;
  /** As it came, for whoever wants to see all of it. */
  readonly raw: Json;
};
