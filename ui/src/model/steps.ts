// How each step of a run is: many rows (tries, visits, items) told as one condition per step of the graph.

import type { Graph, GraphNode, ItemCounts, Outline, Run, Step } from "./run.ts";
import { hasRunEnded, hasStepEnded, showStep, type Shown } from "./status.ts";
import { sayDuration } from "./time.ts";

export type NodeCondition = {
  /** The newest row; null: the run has not come there. */
  readonly step: Step | null;
  readonly shown: Shown;
  /** Tries of the newest visit, and how many there may be. */
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly visits: number;
  /** Of the newest visit, its first try. */
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly items: ItemCounts | null;
  /** Branches that have come to a join. */
  readonly arrived: { readonly count: number; readonly of: number } | null;
  /** A machine is in it. */
  readonly isCurrent: boolean;
  /** A path has ended here, in the way in which it is to end. */
  readonly isEnd: boolean;
  /** It was taken over from another run, and not done in this one. */
  readonly isReused: boolean;
};

export function conditionsOf(outline: Outline): ReadonlyMap<string, NodeCondition> {
  const rows = Map.groupBy(
    outline.steps.filter(({ role }) => role === "step"),
    ({ key }) => key,
  );
  const nodes = new Map(outline.graph?.nodes.map((node) => [node.key, node]));
  const waiting = new Set(outline.waiting.map(({ step }) => step));
  const ahead = aheadOf(outline);
  const causes = new Set(outline.steps.filter(({ role }) => role === "step").map(({ causedBy }) => causedBy));
  const conditions = new Map<string, NodeCondition>();
  for (const key of new Set([...nodes.keys(), ...rows.keys()])) {
    const node = nodes.get(key) ?? null;
    const condition = conditionOf(rows.get(key) ?? [], { outline, node, waiting, causes, isAhead: ahead.has(key) });
    conditions.set(key, { ...condition, arrived: arrivedAt(outline.graph, key, rows) });
  }
  return conditions;
}

type Around = {
  readonly outline: Outline;
  readonly node: GraphNode | null;
  readonly waiting: ReadonlySet<number | null>;
  /** Rows that have led to another one. */
  readonly causes: ReadonlySet<number | null>;
  /** The run can still come there, or could have when it was cancelled. */
  readonly isAhead: boolean;
};

function conditionOf(rows: readonly Step[], around: Around): Omit<NodeCondition, "arrived"> {
  const { outline, node } = around;
  const step = newestOf(rows);
  if (step === null) return neverReached(node, around);
  const tries = rows.filter(({ visit }) => visit === step.visit);
  const first = tries.reduce((least, each) => (each.createdAt < least.createdAt ? each : least), step);
  const isCurrent = node?.kind === "state" && !hasStepEnded(step.status) && !hasRunEnded(outline.run.status);
  return {
    step,
    shown: isCurrent ? showState(outline) : showRow(step, node, around.waiting.has(step.id)),
    attempts: step.attempt,
    attemptsMax: step.attemptsMax ?? node?.attemptsMax ?? 1,
    visits: new Set(rows.map(({ visit }) => visit)).size,
    startedAt: first.startedAt,
    completedAt: hasStepEnded(step.status) ? step.completedAt : null,
    items: outline.items[String(step.id)] ?? null,
    isCurrent,
    isEnd: (node?.ending ?? null) !== null && step.status === "done" && !around.causes.has(step.id),
    isReused: isReused(step, node, outline.run),
  };
}

/** The last try of the last visit. */
export function newestOf(rows: readonly Step[]): Step | null {
  return rows.reduce<Step | null>((newest, row) => (newest === null || isNewer(row, newest) ? row : newest), null);
}

function isNewer(one: Step, other: Step): boolean {
  if (one.visit !== other.visit) return one.visit > other.visit;
  return one.attempt === other.attempt ? one.id > other.id : one.attempt > other.attempt;
}

export function showRow(step: Step, node: GraphNode | null, needsPerson: boolean): Shown {
  if (isHeldFor(step, needsPerson)) return { token: "waiting", word: "waiting" };
  if (beginsAt(step) !== null) return { token: "sleeping", word: "scheduled" };
  const isAsleep = step.alarms.some(({ kind }) => kind === "sleep");
  const isAwaited = step.status === "pending" && step.startedAt !== null;
  const waitsForEvent = isAwaited && node?.kind === "wait" && !isAsleep;
  // Of a run that it has started, of items or branches: it is at work, though nothing calls a tool for it.
  if (isAwaited && (step.child !== null || step.open !== null)) return { token: "running", word: "running" };
  // The gate has done its part, but what it was to let through has been refused: that is no success.
  if (step.status === "done" && isRefusal(step)) return { token: "cancelled", word: step.outcome };
  return showStep({
    status: step.status,
    attempt: step.attempt,
    needsPerson: needsPerson || waitsForEvent || (isAwaited && step.gate !== null),
    nextTryAt: step.nextTryAt,
    isWaiting: isAsleep,
    isTimedOut: step.error?.code === "timeout" || step.outcome === "timeout",
  });
}

function isRefusal<Row extends Step>(step: Row): step is Row & { readonly outcome: string } {
  return step.gate !== null && (step.outcome === "rejected" || step.outcome === "expired");
}

/** It is done, and nothing says what follows: that waits for a person. */
export function isHeldFor({ status, isHeld }: Step, needsPerson: boolean): boolean {
  return needsPerson && isHeld && status === "done";
}

/** Of the first step of a run that begins later: when. */
export function beginsAt({ status, alarms }: Step): number | null {
  return status === "pending" ? (alarms.find(({ kind }) => kind === "start")?.at ?? null) : null;
}

function showState({ transitions, waiting }: Outline): Shown {
  const isUp = waiting.length > 0 || transitions.some(({ isOpen, isTimed }) => isOpen && !isTimed);
  return { token: isUp ? "waiting" : "sleeping", word: "current" };
}

function neverReached(node: GraphNode | null, { outline, isAhead }: Around): Omit<NodeCondition, "arrived"> {
  const isState = node?.kind === "state" || node?.kind === "end";
  const isCutShort = isAhead && hasRunEnded(outline.run.status);
  // A machine may rest where it is for ever: nothing else is due.
  const ahead = isState && outline.graph?.notation === "machine" ? "not visited" : "pending";
  return {
    step: null,
    shown:
      isAhead && !isCutShort
        ? { token: "pending", word: ahead }
        : { token: "skipped", word: isState || isCutShort ? "not reached" : "not taken" },
    attempts: 0,
    attemptsMax: node?.attemptsMax ?? 1,
    visits: 0,
    startedAt: null,
    completedAt: null,
    items: null,
    isCurrent: false,
    isEnd: false,
    isReused: false,
  };
}

/** Whatever is done in a run has begun in it, but for ends and states, which only are. */
export function isReused({ status, startedAt }: Step, node: GraphNode | null, { origin }: Run): boolean {
  if (origin === null || node === null || node.kind === "end" || node.kind === "state") return false;
  return status === "done" && startedAt === null;
}

/** The steps to which a run can still come, or could have come when it was cancelled: all that its open ends lead to. */
function aheadOf({ run, steps, graph }: Outline): ReadonlySet<string> {
  // The end of a run is told of before its last rows are known.
  if (graph === null || run.status === "completed" || run.status === "failed") return new Set();
  const causes = new Set(steps.map(({ causedBy }) => causedBy));
  // What has ended and led nowhere may do so yet: the next row is told of a moment later.
  const ends = steps.filter(
    (step) =>
      step.role === "step" && (!hasStepEnded(step.status) || step.isHeld || step.open !== null || !causes.has(step.id)),
  );
  const leaving = Map.groupBy(graph.links, ({ from }) => from);
  const ahead = new Set(ends.length === 0 ? [graph.start] : ends.map(({ key }) => key));
  // A set iterates over what is added while it is walked: it is its own queue.
  for (const key of ahead) for (const { to } of leaving.get(key) ?? []) if (to !== null) ahead.add(to);
  return ahead;
}

/** While a fork is open its join has no row: how many branches have come stands at the fork. */
function arrivedAt(
  graph: Graph | null,
  key: string,
  rows: ReadonlyMap<string, readonly Step[]>,
): NodeCondition["arrived"] {
  const fork = graph?.nodes.find(({ join, isFork }) => isFork && join === key);
  if (graph === null || fork === undefined) return null;
  const row = newestOf(rows.get(fork.key) ?? []);
  if (row === null) return null;
  if (row.open?.kind === "fork") return { count: row.open.arrived, of: row.open.arrived + row.open.open };
  const of = graph.links.filter(({ from, kind }) => from === fork.key && kind === "fork").length;
  return (rows.get(key) ?? []).length === 0 ? null : { count: of, of };
}

const itemWords: readonly (readonly [status: string, word: string])[] = [
  ["done", "done"],
  ["failed", "failed"],
  ["skipped", "skipped"],
  ["cancelled", "cancelled"],
];

const itemsOver = ["done", "failed", "skipped", "cancelled"];
const underWayWords: readonly (readonly [status: string, word: string])[] = [
  ["running", "at work"],
  ["pending", "waiting"],
  ["failed", "failed"],
  ["uncertain", "uncertain"],
];

/** `30 of 200 items, 3 at work`; when all have ended, `24 items: 23 done, 1 failed`. */
export function sayItems({ count, statuses }: ItemCounts): string {
  const over = itemsOver.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  if (over === count || Object.keys(statuses).length === 0) return sayEnded({ count, statuses });
  const parts = underWayWords.flatMap(([status, word]) => {
    const number = statuses[status] ?? 0;
    return number === 0 ? [] : [`${number.toLocaleString("en")} ${word}`];
  });
  return [`${over.toLocaleString("en")} of ${count.toLocaleString("en")} items`, ...parts].join(", ");
}

function sayEnded({ count, statuses }: ItemCounts): string {
  const known = itemWords.flatMap(([status, word]) => {
    const number = statuses[status] ?? 0;
    return number === 0 ? [] : [`${number.toLocaleString("en")} ${word}`];
  });
  const head = count === 1 ? "1 item" : `${count.toLocaleString("en")} items`;
  return known.length === 0 ? head : `${head}: ${known.join(", ")}`;
}

/** From the start of its newest visit to its end; null: there is nothing to measure. */
export function spanOf({
  step,
  startedAt,
  completedAt,
}: NodeCondition): { readonly from: number; readonly to: number | null } | null {
  if (step === null || startedAt === null) return null;
  return { from: startedAt, to: completedAt };
}

/** `Step fetch, done, 1.2 seconds`: a step as it is read aloud. */
export function sayStep(node: GraphNode, condition: NodeCondition | null): string {
  const head = `${node.kind === "state" ? "State" : node.kind === "end" ? "End" : "Step"} ${node.name}`;
  if (condition === null) return node.detail === "" ? head : `${head}, ${node.detail}`;
  const parts = [head, condition.shown.word];
  const span = spanOf(condition);
  if (span !== null && span.to !== null && node.kind !== "end") parts.push(sayDuration(span.to - span.from));
  if (condition.attempts > 1) parts.push(`try ${condition.attempts} of ${condition.attemptsMax}`);
  if (condition.visits > 1) parts.push(`${condition.visits.toLocaleString("en")} visits`);
  if (condition.isReused) parts.push("reused");
  if (condition.items !== null) parts.push(sayItems(condition.items));
  if (condition.arrived !== null) parts.push(`${condition.arrived.count} of ${condition.arrived.of} branches arrived`);
  return parts.join(", ");
}
