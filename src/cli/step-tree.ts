// The rows of a run as lines of a tree: one line for each visit of a step, branches below the step that forks, and what
// comes next for certain. Pure: the same rows and the same instant give the same lines.

import { describeStep } from "../flow/draw/caption.ts";
import { own } from "../flow/json.ts";
import type { PlanStep, StepKey } from "../flow/plan.ts";
import { hasEnded, isLive, type Row, type RowId, type ScopePath } from "../run/model.ts";
import type { FollowedRun, Visit } from "./followed-run.ts";
import type { Sign } from "./sign.ts";
import { noteOf, signOf } from "./step-note.ts";

export type TreeLine = {
  readonly depth: number;
  readonly sign: Sign;
  readonly name: string;
  /** The tool, or what the step waits for. */
  readonly what: string;
  /** How long it took, what went wrong, when it goes on. */
  readonly note: string;
};

export function listLines(followed: FollowedRun, now: number): readonly TreeLine[] {
  const scopes = groupByScope(listVisits(followed.rows));
  const children = groupByFork([...scopes.keys()]);
  const lines: TreeLine[] = [];
  const drawn = new Set<ScopePath>();
  const draw = (scope: ScopePath, depth: number): void => {
    if (drawn.has(scope)) return;
    drawn.add(scope);
    for (const visit of scopes.get(scope) ?? []) {
      lines.push({ depth, ...describeVisit(visit, followed, now) });
      for (const { id } of visit.rows) for (const child of children.get(id) ?? []) draw(child, depth + 1);
    }
  };
  draw("", 0);
  // Of a path whose fork is not among the rows.
  for (const scope of scopes.keys()) draw(scope, 1);
  return [...lines, ...listUpcoming(followed)];
}

/** What one row is, for who sees its changes one by one. */
export function describeVisit(visit: Visit, followed: FollowedRun, now: number): Omit<TreeLine, "depth"> {
  const { newest } = visit;
  const step = followed.plan === null ? undefined : own(followed.plan.steps, newest.step);
  return {
    sign: signOf(newest, step),
    name: nameOf(newest),
    what: newest.tool ?? (newest.role === "step" && step !== undefined ? describeStep(step) : ""),
    note: noteOf(visit, { step, followed, now }),
  };
}

function nameOf({ name, role }: Row): string {
  switch (role) {
    case "step":
    case "item":
    case "items":
      return name;
    case "probe":
    case "notify":
    case "undo":
      return `${name} (${role})`;
  }
}

/** Items of an each are told with their each, as a count; the row that keeps them is no step. */
function listVisits(rows: readonly Row[]): readonly Visit[] {
  const visits = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.role === "item" || row.role === "items") continue;
    const key = JSON.stringify([row.step, row.visit, row.scope, row.role, row.serves]);
    const tries = visits.get(key);
    if (tries === undefined) visits.set(key, [row]);
    else tries.push(row);
  }
  return [...visits.values()].flatMap((tries) => {
    const newest = tries.at(-1);
    return newest === undefined ? [] : [{ rows: tries, newest }];
  });
}

function groupByScope(visits: readonly Visit[]): ReadonlyMap<ScopePath, readonly Visit[]> {
  return Map.groupBy(visits, ({ newest }) => newest.scope);
}

/** `12:0/45:1` belongs below row 45. */
function groupByFork(scopes: readonly ScopePath[]): ReadonlyMap<RowId, readonly ScopePath[]> {
  const sorted = scopes
    .filter((scope) => scope !== "")
    .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return Map.groupBy(sorted, (scope) => Number.parseInt(scope.slice(scope.lastIndexOf("/") + 1), 10));
}

/** More than fits on a screen helps nobody. */
const upcomingMax = 50;

type Upcoming = { readonly step: PlanStep; readonly depth: number };

/** Steps that will be entered if nothing fails and nobody interferes: after a branch nobody knows. */
function listUpcoming({ run, rows, plan }: FollowedRun): readonly TreeLine[] {
  if (plan === null || hasEnded(run) || run.ending !== null) return [];
  const seen = new Set(rows.map((row) => row.step));
  const found: Upcoming[] = [];
  const enter = (key: StepKey, depth: number): void => {
    const step = own(plan.steps, key);
    if (seen.has(key) || step === undefined || found.length === upcomingMax) return;
    seen.add(key);
    found.push({ step, depth });
    lead(step, depth);
  };
  const lead = ({ transition }: PlanStep, depth: number): void => {
    if (transition.kind === "next" && transition.to.kind === "step") enter(transition.to.step, depth);
    if (transition.kind === "join") enter(transition.to, Math.max(0, depth - 1));
    if (transition.kind !== "fork") return;
    for (const branch of transition.branches) enter(branch, depth + 1);
    if (transition.join !== null) enter(transition.join, depth);
  };
  for (const row of rows) {
    const step = own(plan.steps, row.step);
    if (isLive(row) && row.role === "step" && step !== undefined) lead(step, depthOf(row.scope));
  }
  return found.map(({ step, depth }) => ({
    depth,
    sign: "next",
    name: step.label,
    what: describeStep(step),
    note: "",
  }));
}

function depthOf(scope: ScopePath): number {
  return scope === "" ? 0 : scope.split("/").length;
}
