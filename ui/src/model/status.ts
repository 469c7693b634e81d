// What the page calls the condition of a run or of a step: a token (its colours), a word and an icon, always all three.

export type Token =
  | "pending"
  | "ready"
  | "running"
  | "waiting"
  | "sleeping"
  | "retrying"
  | "done"
  | "failed"
  | "cancelled"
  | "skipped"
  | "uncertain"
  | "paused";

export const tokens: readonly Token[] = [
  "pending",
  "ready",
  "running",
  "waiting",
  "sleeping",
  "retrying",
  "done",
  "failed",
  "cancelled",
  "skipped",
  "uncertain",
  "paused",
];

export type Shown = { readonly token: Token; readonly word: string };

export type RunStatus = "scheduled" | "running" | "paused" | "completed" | "failed" | "cancelled";
export type StepStatus = "pending" | "ready" | "running" | "done" | "failed" | "skipped" | "cancelled" | "uncertain";

export type RunCondition = {
  readonly status: RunStatus;
  /** A person has to do something about it. */
  readonly needsPerson: boolean;
  /** It is on its way to its end. */
  readonly ending: "failure" | "cancel" | null;
};

export function showRun({ status, needsPerson, ending }: RunCondition): Shown {
  switch (status) {
    case "scheduled":
      return { token: "sleeping", word: "scheduled" };
    case "paused":
      return { token: "paused", word: "paused" };
    case "completed":
      return { token: "done", word: "completed" };
    case "failed":
      return { token: "failed", word: "failed" };
    case "cancelled":
      return { token: "cancelled", word: "cancelled" };
    case "running":
      if (needsPerson) return { token: "waiting", word: "waiting" };
      if (ending === "cancel") return { token: "cancelled", word: "cancelling" };
      if (ending === "failure") return { token: "failed", word: "failing" };
      return { token: "running", word: "running" };
  }
}

/** What a run that goes on is about: it works, or all that it does is to wait for something. `rest`: a machine in a state. */
export type Doing = "work" | "person" | "retry" | "event" | "sleep" | "rest";

/** From how its steps are that have not ended, as they are shown; `rest` is a state in which a machine is. */
export function doingOf(live: readonly (Token | "rest")[]): Doing {
  const has = (...wanted: readonly (Token | "rest")[]): boolean => live.some((each) => wanted.includes(each));
  if (has("running", "ready")) return "work";
  if (has("retrying")) return "retry";
  if (has("waiting", "uncertain")) return "event";
  if (has("sleeping")) return "sleep";
  return has("rest") ? "rest" : "work";
}

/** A run as it is shown: "running" is one that works. Who needs a person says so, whatever else goes on in it. */
export function shownStatusOf({ doing, ...run }: RunCondition & { readonly doing: Doing }): Shown {
  const shown = showRun({ ...run, needsPerson: run.needsPerson || doing === "person" });
  return shown.word === "running" ? idle[doing] : shown;
}

const idle: { readonly [doing in Doing]: Shown } = {
  work: { token: "running", word: "running" },
  person: { token: "waiting", word: "waiting" },
  retry: { token: "retrying", word: "retrying" },
  event: { token: "waiting", word: "waiting" },
  sleep: { token: "sleeping", word: "sleeping" },
  rest: { token: "sleeping", word: "at rest" },
};

export type StepCondition = {
  readonly status: StepStatus;
  readonly attempt: number;
  /** A gate that is open, or a decision that is due. */
  readonly needsPerson: boolean;
  /** When its next try begins. */
  readonly nextTryAt: number | null;
  /** It sleeps, or waits for an event. */
  readonly isWaiting: boolean;
  readonly isTimedOut: boolean;
};

export function showStep(step: StepCondition): Shown {
  switch (step.status) {
    case "pending":
      if (step.needsPerson) return { token: "waiting", word: "waiting" };
      if (step.nextTryAt !== null) return { token: "retrying", word: "retrying" };
      if (step.isWaiting) return { token: "sleeping", word: "sleeping" };
      return { token: "pending", word: "pending" };
    case "ready":
      return { token: "ready", word: "ready" };
    case "running":
      return { token: "running", word: "running" };
    case "done":
      return { token: "done", word: "done" };
    case "failed":
      return { token: "failed", word: step.isTimedOut ? "timed out" : "failed" };
    case "skipped":
      return { token: "skipped", word: "skipped" };
    case "cancelled":
      return { token: "cancelled", word: "cancelled" };
    case "uncertain":
      return { token: "uncertain", word: "uncertain" };
  }
}

export function hasRunEnded(status: RunStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export function hasStepEnded(status: StepStatus): boolean {
  return status === "done" || status === "failed" || status === "skipped" || status === "cancelled";
}
