// What the page of a run says about it and about each of its steps, from the outline alone.

import { isObject } from "./json.ts";
import type { Graph, GraphNode, HistoryEntry, InboxItem, Outline, Step } from "./run.ts";
import { hasRunEnded, hasStepEnded, showRun, type Shown, type Token } from "./status.ts";
import { conditionsOf, showRow as showOneRow } from "./steps.ts";

/** Beside the flow itself: probes, notices, undoings, items of an each. */
const sideRoles: ReadonlySet<string> = new Set(["probe", "notify", "undo", "item"]);

function isOwnRow({ role }: Step): boolean {
  return !sideRoles.has(role);
}

export function nodeOf({ graph }: Outline, key: string): GraphNode | null {
  return graph?.nodes.find((node) => node.key === key) ?? null;
}

/** All tries and visits of a step, oldest first. */
export function rowsOf({ steps }: Outline, key: string): readonly Step[] {
  return steps.filter((step) => step.key === key && isOwnRow(step));
}

/** What serves a row: its undoing, its probe, its notices. */
export function servantsOf({ steps }: Outline, row: number): readonly Step[] {
  return steps.filter((step) => step.serves === row && step.role !== "item");
}

export function needsPerson({ waiting, run }: Outline): boolean {
  return !hasRunEnded(run.status) && (run.attention !== null || waiting.some(({ kind }) => kind !== "state"));
}

/** A run under way is as what is live in it: at work as long as anything is, else what it waits for. */
export function showRunOf(outline: Outline): Shown {
  const { run } = outline;
  const shown = showRun({ status: run.status, needsPerson: needsPerson(outline), ending: run.ending?.kind ?? null });
  if (shown.token !== "running") return shown;
  const live = new Set(
    outline.steps
      .filter((step) => isOwnRow(step) && !hasStepEnded(step.status))
      .map((step) => showRow(step, outline).token),
  );
  if (["running", "ready", "pending"].some((token) => live.has(token as Token))) return shown;
  const token = (["waiting", "retrying", "sleeping"] as const).find((each) => live.has(each));
  return token === undefined ? shown : { token, word: token };
}

export function waitingOf({ waiting }: Outline, row: number): InboxItem | null {
  return waiting.find(({ step }) => step === row) ?? null;
}

/** As the graph shows it, where it is the row that the graph shows. */
export function showRow(step: Step, outline: Outline): Shown {
  const node = nodeOf(outline, step.key);
  const condition = node?.kind === "state" ? conditionsOf(outline).get(step.key) : undefined;
  if (condition?.step?.id === step.id) return condition.shown;
  return showOneRow(step, node, waitingOf(outline, step.id) !== null);
}

/** The row at which the run failed; a failure that was tried again is none. */
export function failingRow(outline: Outline): Step | null {
  const { run, steps } = outline;
  if (run.status !== "failed" && run.ending?.kind !== "failure" && run.terminalKind !== "failure") return null;
  const own = steps.filter(isOwnRow);
  const last = new Map(own.map((step) => [`${step.key} ${step.visit}`, step]));
  const failed = [...last.values()].filter(({ status }) => status === "failed");
  const newest = failed.toSorted((one, other) => (one.completedAt ?? 0) - (other.completedAt ?? 0)).at(-1);
  return newest ?? own.findLast((step) => nodeOf(outline, step.key)?.ending === "failure") ?? null;
}

/** What somebody who opens the page most likely wants to see: what failed, what waits, what runs, what is to come. */
export function stepToShow(outline: Outline): string | null {
  const failing = failingRow(outline);
  if (failing !== null) return failing.key;
  if (hasRunEnded(outline.run.status)) return null;
  const own = outline.steps.filter(isOwnRow);
  const waiting = outline.waiting.find(({ step }) => step !== null)?.step;
  const held =
    own.find(({ id }) => id === waiting) ?? own.find(({ status, isHeld }) => status === "uncertain" || isHeld);
  const retrying = own.find(({ nextTryAt, status }) => nextTryAt !== null && status === "pending");
  const live = own.find(({ status }) => status === "running") ?? own.findLast((step) => !hasStepEnded(step.status));
  // Between two steps it stays with the one that has just ended.
  return (held ?? retrying ?? live ?? own.at(-1))?.key ?? null;
}

export type Visit = { readonly visit: number; readonly tries: readonly Step[] };

export function visitsOf(rows: readonly Step[]): readonly Visit[] {
  const visits = new Map<number, Step[]>();
  for (const row of rows) {
    const tries = visits.get(row.visit);
    if (tries === undefined) visits.set(row.visit, [row]);
    else tries.push(row);
  }
  return [...visits].map(([visit, tries]) => ({ visit, tries }));
}

/** How long it waited until it could begin, and how long it took; null: not yet. */
export function spansOf(step: Step): {
  readonly queuedMs: number | null;
  readonly from: number | null;
  readonly to: number | null;
} {
  const { readyAt, startedAt, completedAt } = step;
  return {
    queuedMs: readyAt === null || startedAt === null ? null : Math.max(0, startedAt - readyAt),
    from: startedAt,
    to: completedAt,
  };
}

/** The steps of a run whose flow cannot be drawn, for the table. */
export function graphOfRows({ run, steps }: Outline): Graph {
  const firsts = new Map(steps.filter(isOwnRow).map((step) => [step.key, step]));
  return {
    title: run.name,
    notation: "flow",
    start: "",
    links: [],
    nodes: [...firsts.values()].map(({ key, name, tool, attemptsMax }) => ({
      key,
      name,
      kind: "tool",
      detail: tool ?? "",
      tool,
      ending: null,
      isFork: false,
      isJoin: false,
      join: null,
      isEach: false,
      attemptsMax: attemptsMax ?? 1,
      pointer: null,
    })),
  };
}

/** Who has cancelled a run, and why. */
export function cancellationOf(entries: readonly HistoryEntry[]): {
  readonly by: string | null;
  readonly reason: string | null;
} {
  const found = entries.findLast(({ event }) => event === "cancelled");
  const reason = isObject(found?.data) ? found.data["reason"] : null;
  return { by: found?.by ?? null, reason: typeof reason === "string" && reason !== "" ? reason : null };
}
