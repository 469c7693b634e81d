// What happens to a run, as it is put on disk, for those who follow it: its steps as they are now, then every change,
// until the run has ended. Read from the list of commits, so that owner and guest see the same.

import { StepwellError } from "../error.ts";
import { hasEnded, type Row, type RowId, type RunId } from "../run/model.ts";
import type { CommitRecord, Store, StoredRun } from "../store/store.ts";
import type { Progress } from "./call-context.ts";
import type { CommitReader } from "./commit-reader.ts";
import type { ToldProgress } from "./newest-progress.ts";

export type RunChange = {
  readonly run: RunId;
  /** null: of the run itself. */
  readonly step: RowId | null;
  readonly name: string;
  readonly status: string;
  readonly at: number;
  /** How far its tool says it is; told by the process that calls it, and not kept. */
  readonly progress?: Progress;
};

/** Where news of a run comes from. */
export type Source = {
  /** Resolves when there may be commits after this one, or progress. */
  readonly more: (after: number) => Promise<void>;
  /** What has been told since it was last asked, the newest of each step. */
  readonly takeProgress: () => readonly ToldProgress[];
  /** The commits, read for all who follow. */
  readonly commits: CommitReader;
  /** Whoever waits for more waits no longer. */
  readonly stop: () => void;
};

/** Throws when whoever follows may not any more; asked before anything is told. */
type Permission = { readonly check: () => Promise<void> };

/** Commits that are read at once. */
const commitsMax = 1000;
/** On a store that never rests, a change may be told twice in the end. */
const looksMax = 100;

export async function* followRun(
  store: Store,
  run: RunId,
  { more, takeProgress, check }: Source & Permission,
): AsyncGenerator<RunChange, void, undefined> {
  let seen = await look(store, run);
  if (seen.found === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
  let isOver = yield* tellAll(run, seen);
  let { after } = seen;
  while (!isOver) {
    const commits = await store.listCommits(after, commitsMax);
    if (commits === undefined) {
      // So much has happened that the list does not reach back: the rows tell.
      await check();
      seen = await look(store, run);
      after = seen.after;
      isOver = yield* tellAll(run, seen);
    } else if (commits.length === 0) {
      await more(after);
      const progress = takeProgress();
      if (progress.length > 0) await check();
      yield* tellProgress(store, run, progress);
    }
    for (const commit of commits ?? []) {
      after = commit.no;
      if (!commit.changes.some((change) => change.run === run)) continue;
      await check();
      if (yield* tellCommit(store, run, commit)) isOver = true;
    }
  }
}

type Look = { readonly after: number; readonly rows: readonly Row[]; readonly found: StoredRun | undefined };

/** The run as it is after one commit. Reads are apart from each other: when another commit came in between, it looks
 *  again, so that nothing is told twice. */
async function look(store: Store, run: RunId): Promise<Look> {
  for (let tries = 1; ; tries++) {
    const after = await store.lastCommit();
    const rows = await store.listRows(run);
    const found = await store.findRun(run);
    if (tries === looksMax || (await store.lastCommit()) === after) return { after, rows, found };
  }
}

/** The steps as they are; true: the run has ended. */
function* tellAll(run: RunId, { rows, found }: Look): Generator<RunChange, boolean, undefined> {
  for (const { id, name, status, createdAt, startedAt, completedAt } of rows)
    yield { run, step: id, name, status, at: completedAt ?? startedAt ?? createdAt };
  if (found === undefined) return true;
  const { name, status } = found.run;
  yield { run, step: null, name, status, at: found.updatedAt };
  return hasEnded(found.run);
}

async function* tellProgress(
  store: Store,
  run: RunId,
  told: readonly ToldProgress[],
): AsyncGenerator<RunChange, void, undefined> {
  for (const { row: step, progress } of told) {
    const row = (await store.findRow(step))?.row;
    if (row?.status !== "running") continue;
    yield { run, step, name: row.name, status: row.status, at: row.startedAt ?? row.createdAt, progress };
  }
}

async function* tellCommit(
  store: Store,
  run: RunId,
  { at, changes }: CommitRecord,
): AsyncGenerator<RunChange, boolean, undefined> {
  let isOver = false;
  for (const change of changes) {
    if (change.run !== run) continue;
    const { row: step, status } = change;
    const name = step === null ? (await store.findRun(run))?.run.name : (await store.findRow(step))?.row.name;
    yield { run, step, name: name ?? "", status, at };
    if (step === null && ["completed", "failed", "cancelled"].includes(status)) isOver = true;
  }
  return isOver;
}
