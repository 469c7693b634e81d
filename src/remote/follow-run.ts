// One run as it goes: its steps as they are, then every change, until it has ended. It listens first and reads then, so
// that nothing is missed; what was read already is not told a second time.

import type { RunChange } from "../engine/feed.ts";
import type { RunView } from "../engine/verb-options.ts";
import { hasEnded, type RowId, type RunId } from "../run/model.ts";
import { followNews } from "./follow-changes.ts";
import type { Wire } from "./wire.ts";

export type Followed = {
  readonly run: RunId;
  readonly read: () => Promise<RunView>;
  readonly signal?: AbortSignal;
};

/** What was told of each step, and, under null, of the run. */
type Known = Map<RowId | null, RunChange>;

export async function* followRun(
  wire: Wire,
  { run, read, signal }: Followed,
): AsyncGenerator<RunChange, void, undefined> {
  const known: Known = new Map();
  let isRead = false;
  for await (const news of followNews(wire, { run, signal })) {
    if (!isRead || news.kind === "reset") {
      isRead = true;
      if (yield* tellAll(await read(), known)) return;
    }
    if (news.kind === "progress") {
      const at = known.get(news.step);
      if (at?.status === "running") yield { ...at, progress: news.progress };
    }
    if (news.kind !== "changes") continue;
    for (const { step, name, stepName, status, at } of news.changes) {
      const change: RunChange = { run, step, name: (step === null ? name : stepName) ?? "", status, at };
      if (!isNews(change, known)) continue;
      known.set(step, change);
      yield change;
      if (step === null && endings.has(status)) return;
    }
  }
}

const endings: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** true: the run has ended. */
function* tellAll(view: RunView, known: Known): Generator<RunChange, boolean, undefined> {
  const run = view.id;
  const all: readonly RunChange[] = [
    ...view.steps.map(({ id, name, status, createdAt, startedAt, completedAt }) => {
      return { run, step: id, name, status, at: completedAt ?? startedAt ?? createdAt };
    }),
    { run, step: null, name: view.name, status: view.status, at: view.updatedAt },
  ];
  for (const change of all) {
    const before = known.get(change.step);
    known.set(change.step, change);
    // After a reset only what is new.
    if (before?.status !== change.status) yield change;
  }
  return hasEnded(view);
}

const order: readonly string[] = ["pending", "ready", "running"];

/** What was on its way while the run was read is older than what was read. That it has ended is not: nothing comes after
 *  it, whatever the server's clock says by now. */
function isNews({ step, status, at }: RunChange, known: Known): boolean {
  const before = known.get(step);
  if (before === undefined || at > before.at) return true;
  if (step === null && endings.has(status)) return true;
  if (at < before.at || status === before.status) return false;
  return rankOf(status) >= rankOf(before.status);
}

function rankOf(status: string): number {
  const rank = order.indexOf(status);
  return rank === -1 ? order.length : rank;
}
