// When each step of a run was queued, at work, backing off or waiting: one line per step, in the order in which they began.

import type { GraphNode, ItemCounts, Outline, Step } from "./run.ts";
import { hasRunEnded, hasStepEnded, type Shown, type Token } from "./status.ts";
import { beginsAt, conditionsOf, isHeldFor, newestOf, type NodeCondition, sayItems, showRow } from "./steps.ts";
import { crashOf, isCutOff } from "./crashes.ts";
import { sayDuration } from "./time.ts";

export type Segment = {
  readonly id: string;
  /** `cut`: at work for certain, by the last sign of life; `lost`: from there until it was found, somewhere in which the
   *  process died. When, nobody has written down. */
  readonly kind: "queued" | "running" | "backoff" | "waiting" | "cut" | "lost";
  readonly token: Token;
  readonly from: number;
  readonly to: number;
  /** What it says when somebody points at it. */
  readonly title: string;
};

export type TimelineRow = {
  readonly id: string;
  /** Of the step that is selected by it. */
  readonly key: string;
  readonly name: string;
  readonly shown: Shown;
  readonly segments: readonly Segment[];
  readonly startedAt: number;
  /** null: it goes on. */
  readonly endedAt: number | null;
  readonly tries: number;
  readonly items: ItemCounts | null;
};

export type Timeline = {
  readonly rows: readonly TimelineRow[];
  readonly from: number;
  readonly to: number;
  readonly isLive: boolean;
};

export function buildTimeline(outline: Outline, now: number): Timeline {
  const isLive = !hasRunEnded(outline.run.status);
  // What is to begin later has not been queued, and has no place in time yet.
  const shown = outline.steps.filter(
    (step) => (step.role === "step" || step.role === "undo" || step.role === "probe") && beginsAt(step) === null,
  );
  const latest = Math.max(outline.run.startedAt ?? 0, ...instantsOf(shown));
  // The clock of whoever looks may be behind the one of the server.
  const until = isLive ? Math.max(now, latest) : Math.max(latest, outline.run.completedAt ?? latest);
  const from = outline.run.startedAt ?? outline.run.createdAt;
  const nodes = new Map(outline.graph?.nodes.map((node) => [node.key, node]));
  const conditions = conditionsOf(outline);
  const waiting = new Set(outline.waiting.map(({ step }) => step));
  const groups = Map.groupBy(shown, ({ role, key }) => (role === "step" ? key : `${role}:${key}`));
  const rows = [...groups].map(([id, steps]): TimelineRow => {
    const [first] = steps;
    const newest = newestOf(steps) ?? first;
    if (first === undefined || newest === undefined) throw new Error("A group has at least one row.");
    const node = nodes.get(first.key) ?? null;
    const isStep = first.role === "step";
    const own = isStep ? conditions.get(first.key) : undefined;
    const isHeld = isHeldFor(newest, waiting.has(newest.id));
    const span = { from, until, all: outline.steps, held: isHeld ? newest.id : null, ended: showEnd(node, own) };
    return {
      id,
      key: first.key,
      name: isStep ? newest.name : `${newest.name} (${first.role})`,
      shown: span.ended ?? own?.shown ?? showRow(newest, node, waiting.has(newest.id)),
      segments: steps.flatMap((step) => segmentsOf(step, isStep ? node : null, span)),
      startedAt: Math.max(from, Math.min(...steps.map(startOf))),
      endedAt: hasStepEnded(newest.status) && !isHeld ? newest.completedAt : null,
      tries: steps.length,
      items: own?.items ?? null,
    };
  });
  return {
    rows: rows.toSorted((one, other) => one.startedAt - other.startedAt),
    from,
    // What took no time at all is seen too.
    to: Math.max(until, from + 1),
    isLive,
  };
}

function instantsOf(steps: readonly Step[]): readonly number[] {
  return steps.map(({ createdAt, startedAt, completedAt }) => completedAt ?? startedAt ?? createdAt);
}

function startOf({ startedAt, createdAt }: Step): number {
  return startedAt ?? createdAt;
}

/** Where a run has ended in a failure or a cancellation, that is how the step is which says so; the graph shows it too. */
function showEnd(node: GraphNode | null, condition: NodeCondition | undefined): Shown | null {
  if (condition?.isEnd !== true) return null;
  if (node?.ending === "failure") return { token: "failed", word: "failure" };
  return node?.ending === "cancel" ? { token: "cancelled", word: "cancellation" } : null;
}

type Span = {
  readonly from: number;
  readonly until: number;
  readonly all: readonly Step[];
  /** The row that is done and waits for a person to say what follows. */
  readonly held: number | null;
  readonly ended: Shown | null;
};

function segmentsOf(step: Step, node: GraphNode | null, span: Span): readonly Segment[] {
  const { from, until, all } = span;
  const end = hasStepEnded(step.status) ? (step.completedAt ?? until) : until;
  const isNextTry = step.attempt > 1;
  const ready = isNextTry ? (step.readyAt ?? step.startedAt ?? end) : step.createdAt;
  const started = step.startedAt ?? end;
  const segments: Segment[] = [];
  const add = (kind: Segment["kind"], token: Token, [begin, stop]: readonly [number, number], title: string): void => {
    const clipped = Math.max(from, begin);
    if (stop < clipped || (stop === clipped && kind !== "running" && kind !== "cut")) return;
    segments.push({ id: `${step.id}:${kind}`, kind, token, from: clipped, to: stop, title });
  };
  if (isNextTry) add("backoff", "retrying", [step.createdAt, ready], `backed off before try ${step.attempt}`);
  add("queued", "ready", [ready, started], "queued");
  if (step.startedAt !== null && isCutOff(step)) {
    const crash = crashOf(step, all);
    if (crash.from > started) add("cut", "running", [started, crash.from], "at work");
    add("lost", "running", [crash.from, crash.to], "cut off somewhere here: the process died before it answered");
  } else if (step.startedAt !== null || step.status === "done" || step.status === "failed") {
    const wait = waitOf(step, node);
    const tried = step.attemptsMax !== null && step.attemptsMax > 1 && isNextTry ? `try ${step.attempt}, ` : "";
    if (wait === null)
      add("running", span.ended?.token ?? tokenOf(step, node), [started, end], `${tried}${wordOf(step, node, span)}`);
    else add("waiting", wait, [started, end], wait === "sleeping" ? "slept" : "waited");
  }
  if (span.held === step.id) add("waiting", "waiting", [end, until], "waits for somebody to say what follows");
  return segments;
}

/** In which colour it waits: for a person or an event, or for an instant; null: it is at work. */
function waitOf(step: Step, node: GraphNode | null): Token | null {
  if (step.gate !== null || node?.kind === "gate" || node?.kind === "state") return "waiting";
  if (node?.kind !== "wait") return null;
  return node.detail.startsWith("event ") ? "waiting" : "sleeping";
}

function wordOf(step: Step, node: GraphNode | null, { ended }: Span): string {
  return ended?.word ?? showRow(step, node, false).word;
}

function tokenOf(step: Step, node: GraphNode | null): Token {
  return showRow(step, node, false).token;
}

/** `fetch, done, started 0.2 s after the beginning, took 1.2 s` as it is read aloud. While it goes on nothing of it grows: it
 *  would be read aloud again and again. */
export function sayRow(row: TimelineRow, { from }: Pick<Timeline, "from">): string {
  const began = row.startedAt - from;
  const parts = [row.name, row.shown.word];
  parts.push(began <= 0 ? "started at the beginning" : `started ${sayDuration(began)} after the beginning`);
  if (row.endedAt !== null) parts.push(`took ${sayDuration(row.endedAt - row.startedAt)}`);
  if (row.tries > 1) parts.push(`${row.tries} tries or visits`);
  if (row.items !== null) parts.push(sayItems(row.items));
  return parts.join(", ");
}

export type LegendEntry = { readonly kind: Segment["kind"]; readonly token: Token; readonly word: string };

const workWords: readonly (readonly [token: Token, word: string])[] = [
  ["done", "done"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["skipped", "skipped"],
  ["uncertain", "uncertain"],
  ["running", "running"],
];

const legend: readonly LegendEntry[] = [
  ...workWords.map(([token, word]) => ({ kind: "running" as const, token, word })),
  { kind: "cut", token: "running", word: "at work" },
  { kind: "lost", token: "running", word: "cut off somewhere here" },
  { kind: "queued", token: "ready", word: "queued" },
  { kind: "backoff", token: "retrying", word: "back-off" },
  { kind: "waiting", token: "waiting", word: "waiting" },
  { kind: "waiting", token: "sleeping", word: "sleeping" },
];

/** What the bars mean that are drawn, and no others. */
export function legendOf({ rows }: Timeline): readonly LegendEntry[] {
  const drawn = new Set(rows.flatMap(({ segments }) => segments.map(({ kind, token }) => `${kind} ${token}`)));
  return legend.filter(({ kind, token }) => drawn.has(`${kind} ${token}`));
}
