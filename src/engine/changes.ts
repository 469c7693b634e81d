// What happens in the whole store, commit by commit, from a cursor on: in order, nothing twice, as far as whoever follows
// may see it. Read from the list of commits, so that owner and guest see the same, also what was before they came.

import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Asker } from "../access/permission.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import type { Progress } from "./call-context.ts";
import { commitsMax, type NamedChange, type NamedCommit } from "./commit-reader.ts";
import type { Source } from "./feed.ts";
import { checkRight } from "./readers.ts";
import { versionKind, workflowKind } from "./workflow-entry.ts";

export type ChangesQuery = {
  /** A cursor that was told before: it goes on behind it. From now on, unless given. */
  readonly after?: string | undefined;
  /** Only of this run. */
  readonly run?: RunId | undefined;
  /** Only of runs of this name. */
  readonly workflow?: string | undefined;
  /** Ends it, also while it waits. */
  readonly signal?: AbortSignal | undefined;
};

export type StoreChange = {
  readonly run: RunId;
  /** null: of the run itself. */
  readonly step: RowId | null;
  /** Of the run; null: it is gone by now. */
  readonly name: string | null;
  readonly stepName: string | null;
  readonly status: string;
};

/** What is kept beside the runs. Workflows stand in the store; of the rest only a server tells, to who listens to it. */
export type Beside = "workflows" | "tools" | "servers" | "lock";

export type StoreNews =
  /** One commit. */
  | {
      readonly kind: "changes";
      readonly cursor: string;
      readonly at: number;
      readonly changes: readonly StoreChange[];
    }
  /** Of what is kept beside the runs, something is not as it was. */
  | { readonly kind: "changed"; readonly cursor: string; readonly what: Beside }
  /** How far a call is, as its tool says; told by the process that makes it, a few times a second at most, and not kept. */
  | {
      readonly kind: "progress";
      readonly cursor: string;
      readonly run: RunId;
      readonly step: RowId;
      readonly progress: Progress;
    }
  /** All that there is has been told, up to here; also when nothing of it was for this reader. */
  | { readonly kind: "told"; readonly cursor: string }
  /** What came after the cursor that was given is not kept any more, or was never here: whoever follows reads anew what
   *  there is; it goes on from here. */
  | { readonly kind: "reset"; readonly cursor: string };

export type ChangesParts = {
  readonly store: Pick<Store, "lastCommit">;
  readonly source: Source;
  /** In whose name; null: the program itself. */
  readonly asker: Asker | null;
};

/** What of a commit is told to whoever follows. */
type Sight = {
  readonly isSeen: (change: NamedChange) => boolean;
  /** Who asked for some runs alone is told of nothing else. */
  readonly hasRest: boolean;
};

export async function* followChanges(
  query: ChangesQuery,
  { store, source, asker }: ChangesParts,
): AsyncGenerator<StoreNews, void, undefined> {
  const { signal } = query;
  const isOver = (): boolean => signal?.aborted === true;
  signal?.addEventListener("abort", source.stop);
  try {
    let after = await beginAfter(query.after, store);
    let isUpToDate = false;
    while (!isOver()) {
      const commits = after === null ? undefined : await source.commits.listCommits(after);
      // Asked each time: rights may go while somebody follows.
      const sight = await findSight(query, { source, asker });
      if (commits === undefined || after === null) {
        after = await store.lastCommit();
        yield { kind: "reset", cursor: String(after) };
      } else if (commits.length === 0) {
        yield* tellProgress(source, sight, String(after));
        if (!isUpToDate) yield { kind: "told", cursor: String(after) };
        isUpToDate = true;
        if (!isOver()) await source.more(after);
      } else {
        after = commits.at(-1)?.no ?? after;
        const news = commits.flatMap((commit) => toNews(commit, sight));
        yield* news;
        // What whoever follows has not heard of, they are told when it is over.
        isUpToDate &&= news.at(-1)?.cursor === String(after);
        if (commits.length === commitsMax) await yieldToLoop();
      }
    }
  } finally {
    signal?.removeEventListener("abort", source.stop);
  }
}

async function* tellProgress(
  { takeProgress, commits }: Source,
  { isSeen }: Sight,
  cursor: string,
): AsyncGenerator<StoreNews, void, undefined> {
  for (const { run, row, progress } of takeProgress())
    if (isSeen(await commits.describe(run, row))) yield { kind: "progress", cursor, run, step: row, progress };
}

/** null: what comes after the cursor is not known here. One that is ahead of the store belongs to another, or to what was
 *  lost with its disk. */
async function beginAfter(cursor: string | undefined, store: Pick<Store, "lastCommit">): Promise<number | null> {
  const last = await store.lastCommit();
  if (cursor === undefined) return last;
  return /^\d{1,15}$/u.test(cursor) && Number(cursor) <= last ? Number(cursor) : null;
}

/** Throws when whoever follows may read nothing any more. */
async function findSight(
  { run, workflow }: ChangesQuery,
  { source, asker }: Omit<ChangesParts, "store">,
): Promise<Sight> {
  const user = asker !== null && (await checkRight(source.commits, asker, "read")) === "own" ? asker.user : null;
  return {
    isSeen: (change) =>
      (run === undefined || change.run === run) &&
      (workflow === undefined || change.name === workflow) &&
      (user === null || change.createdBy === user),
    hasRest: run === undefined && workflow === undefined,
  };
}

function toNews({ no, at, changes, entries }: NamedCommit, { isSeen, hasRest }: Sight): readonly StoreNews[] {
  const cursor = String(no);
  const news: StoreNews[] = [];
  const seen = changes.filter(isSeen);
  if (seen.length > 0) news.push({ kind: "changes", cursor, at, changes: seen.map(toChange) });
  if (hasRest && entries.some((kind) => kind === workflowKind || kind === versionKind))
    news.push({ kind: "changed", cursor, what: "workflows" });
  return news;
}

function toChange({ run, row, name, rowName, status }: NamedChange): StoreChange {
  return { run, step: row, name, stepName: rowName, status };
}
