// What is going on, as Home shows it.

import { shownStatusOf, type Doing, type RunStatus, type Shown } from "./status.ts";
import type { StepCounts } from "./run.ts";

export type Hour = {
  readonly from: number;
  readonly to: number;
  readonly statuses: { readonly [status in RunStatus]?: number };
  /** Of those that run, what they are about, as far as it is known. */
  readonly doing: { readonly [doing in Doing]?: number };
};

export type RunMark = {
  readonly id: number;
  readonly status: RunStatus;
  readonly durationMs: number | null;
  readonly createdAt: number;
  readonly doing: Doing | null;
};

export type WorkflowFigures = {
  readonly name: string;
  /** Newest first. */
  readonly last: readonly RunMark[];
  readonly runs: number;
  readonly successRate: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly nextAt: number | null;
};

export type Upcoming = {
  readonly kind: string;
  readonly dueAt: number;
  readonly run: number;
  readonly workflow: string;
  readonly stepName: string | null;
};

export type Overview = {
  readonly isComplete: boolean;
  readonly today: { readonly runs: number; readonly failed: number; readonly waiting: number };
  /** Oldest first. */
  readonly hours: readonly Hour[];
  readonly workflows: readonly WorkflowFigures[];
  readonly failures: readonly {
    readonly message: string;
    readonly code: string;
    readonly workflow: string;
    readonly count: number;
    readonly lastId: number;
    readonly lastAt: number;
  }[];
  readonly running: readonly {
    readonly id: number;
    readonly name: string;
    readonly status: RunStatus;
    readonly startedAt: number | null;
    readonly steps: StepCounts;
    readonly doing: Doing;
  }[];
  readonly upcoming: readonly Upcoming[];
};

/** "12 runs today, 1 needs you, 1 failed." `others`: of what waits, that which whoever is told may not answer. */
export function greet({ runs, failed, waiting }: Overview["today"], others = 0): string {
  const parts = [`${sayRuns(runs)} today`];
  const foreign = Math.min(waiting, others);
  const yours = waiting - foreign;
  if (yours > 0) parts.push(yours === 1 ? "1 needs you" : `${yours} need you`);
  if (foreign > 0) parts.push(foreign === 1 ? "1 waits for an answer" : `${foreign} wait for an answer`);
  if (failed > 0) parts.push(`${failed} failed`);
  return `${parts.join(", ")}.`;
}

export function sayRuns(number: number): string {
  return number === 1 ? "1 run" : `${number.toLocaleString("en")} runs`;
}

/** Workflows of which a run has come to its end of late, whoever started it and from wherever. */
export function namesCompleted(overview: Pick<Overview, "workflows"> | undefined): ReadonlySet<string> {
  const workflows = overview?.workflows ?? [];
  return new Set(
    workflows.filter(({ last }) => last.some(({ status }) => status === "completed")).map(({ name }) => name),
  );
}

export type Stack = Shown & { readonly count: number };

/** What is piled up in a bar, from the ground up. */
const order: readonly RunStatus[] = ["completed", "running", "paused", "scheduled", "cancelled", "failed"];
const doings: readonly Doing[] = ["work", "retry", "sleep", "rest", "event", "person"];

/** As everywhere else: running is what works. */
export function showMark({ status, doing }: Pick<RunMark, "status" | "doing">): Shown {
  return shownStatusOf({ status, needsPerson: false, ending: null, doing: doing ?? "work" });
}

export function stackOf({ statuses, doing }: Hour): readonly Stack[] {
  const known = doings.reduce((sum, each) => sum + (doing[each] ?? 0), 0);
  const marks = order.flatMap((status): readonly { readonly shown: Shown; readonly count: number }[] => {
    const count = statuses[status] ?? 0;
    if (status !== "running") return [{ shown: showMark({ status, doing: null }), count }];
    return doings.map((each) => ({
      shown: showMark({ status, doing: each }),
      // What nobody has looked into counts as being at work.
      count: (doing[each] ?? 0) + (each === "work" ? Math.max(0, count - known) : 0),
    }));
  });
  return pile(marks);
}

/** Each word once, in the order in which they come first; none of which there is nothing. */
function pile(marks: readonly { readonly shown: Shown; readonly count: number }[]): readonly Stack[] {
  const counts = new Map<string, Stack>();
  for (const { shown, count } of marks)
    if (count > 0) counts.set(shown.word, { ...shown, count: (counts.get(shown.word)?.count ?? 0) + count });
  return [...counts.values()];
}

/** So many hours together, as one. */
export function togetherOf(hours: readonly Hour[], count: number): readonly (readonly Hour[])[] {
  return hours.flatMap((_hour, at) => (at % count === 0 ? [hours.slice(at, at + count)] : []));
}

function add<Key extends string>(
  counts: readonly { readonly [key in Key]?: number }[],
): { readonly [key in Key]?: number } {
  const sums: { [key in Key]?: number } = {};
  for (const count of counts)
    for (const key of Object.keys(count) as Key[]) sums[key] = (sums[key] ?? 0) + (count[key] ?? 0);
  return sums;
}

/** From the first to the last of them; null: there is none. */
export function wholeOf(hours: readonly Hour[]): Hour | null {
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return null;
  const statuses = add(hours.map((hour) => hour.statuses));
  return { from: first.from, to: last.to, statuses, doing: add(hours.map(({ doing }) => doing)) };
}

export function totalOf(hour: Hour): number {
  return stackOf(hour).reduce((sum, { count: each }) => sum + each, 0);
}

export function sumOf(hours: readonly Hour[]): number {
  return hours.reduce((sum, hour) => sum + totalOf(hour), 0);
}

/** Between a fifth and the whole height: a run that took no time can be seen, too. */
export function heightsOf(marks: readonly RunMark[]): readonly number[] {
  const longest = Math.max(1, ...marks.map(({ durationMs }) => durationMs ?? 0));
  return marks.map(({ durationMs }) => 0.2 + 0.8 * Math.sqrt((durationMs ?? longest) / longest));
}

/** "28 completed, 2 failed" */
export function sayMarks(marks: readonly RunMark[]): string {
  const inOrder = order.flatMap((status) => marks.filter((mark) => mark.status === status));
  const found = pile(inOrder.map((mark) => ({ shown: showMark(mark), count: 1 })));
  return found.length === 0 ? "none" : found.map(({ count, word }) => `${count} ${word}`).join(", ");
}

/** What an alarm will do, in a few words. */
export function sayAlarm({ kind, stepName }: Pick<Upcoming, "kind" | "stepName">): string {
  const step = stepName === null ? "" : ` ${stepName}`;
  switch (kind) {
    case "start":
      return "begins";
    case "retry":
      return `tries${step} again`;
    case "sleep":
    case "wake":
      return `wakes${step}`;
    case "expire":
      return `${stepName ?? "a gate"} expires`;
    case "remind":
      return `reminds of${step}`;
    case "escalate":
      return `escalates${step}`;
    case "timeout":
      return `${stepName ?? "the run"} times out`;
    default:
      return `${kind}${step}`;
  }
}
