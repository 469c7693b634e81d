// Reads the list of commits for all who follow the store at once. What has been read holds until something may have been
// committed, so that a thousand who wait for the same news ask the store once.

import type { RowId, RunId } from "../run/model.ts";
import type { CommitChange, CommitRecord, Entry, Names, RunName, Store } from "../store/store.ts";

/** With what people call it, and whose it is; of what is gone by now nothing is known. */
export type NamedChange = Omit<CommitChange, "was"> & {
  readonly name: string | null;
  readonly rowName: string | null;
  readonly createdBy: string | null;
};

export type NamedCommit = Omit<CommitRecord, "changes"> & { readonly changes: readonly NamedChange[] };

export type CommitStore = Pick<Store, "lastCommit" | "listCommits" | "listEntries" | "listNames">;

/** Commits that are read at once: few enough that others have their turn in between. */
export const commitsMax = 200;
/** Those who are up to date ask for the same; those who catch up ask each for their own. */
const answersMax = 4;
/** Names never change: so many are kept. */
const namesMax = 20_000;

export class CommitReader {
  readonly #store: CommitStore;
  readonly #runs = new Map<RunId, RunName>();
  readonly #rows = new Map<RowId, string>();
  readonly #commits = new Map<number, Promise<readonly NamedCommit[] | undefined>>();
  readonly #entries = new Map<string, Promise<readonly Entry[]>>();
  readonly #last = new Map<"last", Promise<number>>();

  constructor(store: CommitStore) {
    this.#store = store;
  }

  /** Something may have been committed: all is asked anew. */
  forget(): void {
    if (this.#last.size > 0) this.#last.clear();
    if (this.#commits.size > 0) this.#commits.clear();
    if (this.#entries.size > 0) this.#entries.clear();
  }

  /** Asked by whoever has been told that there is nothing. What is on disk is seen a moment before anybody is woken: the
   *  answer that there is nothing must not outlive that, or who asks goes round in a circle and lets nobody else have
   *  their turn. */
  async hasMore(after: number): Promise<boolean> {
    const last = await shared(this.#last, "last", () => this.#store.lastCommit());
    if (last > after) this.#commits.delete(after);
    return last > after;
  }

  /** The next ones after this one; undefined: so far back that they are gone. */
  listCommits(after: number): Promise<readonly NamedCommit[] | undefined> {
    const oldest = this.#commits.size < answersMax ? undefined : this.#commits.keys().next().value;
    if (oldest !== undefined && !this.#commits.has(after)) this.#commits.delete(oldest);
    return shared(this.#commits, after, () => this.#read(after));
  }

  listEntries(kind: string): Promise<readonly Entry[]> {
    return shared(this.#entries, kind, () => this.#store.listEntries(kind));
  }

  /** As if it were told of in a commit; whoever says how far it is has been called. */
  async describe(run: RunId, row: RowId): Promise<NamedChange> {
    const change = { run, row, status: "running" };
    return toNamed(change, await this.#namesIn([{ changes: [change] }]));
  }

  async #read(after: number): Promise<readonly NamedCommit[] | undefined> {
    const commits = await this.#store.listCommits(after, commitsMax);
    if (commits === undefined) return undefined;
    const names = await this.#namesIn(commits);
    return commits.map((commit) => ({ ...commit, changes: commit.changes.map((change) => toNamed(change, names)) }));
  }

  /** All that nobody knows yet in one question. */
  async #namesIn(commits: readonly Pick<CommitRecord, "changes">[]): Promise<Names> {
    const names = { runs: new Map<RunId, RunName>(), rows: new Map<RowId, string>() };
    const unknown = { runs: new Set<RunId>(), rows: new Set<RowId>() };
    for (const { changes } of commits)
      for (const { run, row } of changes) {
        if (!take(names.runs, run, this.#runs)) unknown.runs.add(run);
        if (row !== null && !take(names.rows, row, this.#rows)) unknown.rows.add(row);
      }
    if (unknown.runs.size + unknown.rows.size === 0) return names;
    const found = await this.#store.listNames([...unknown.runs], [...unknown.rows]);
    if (this.#runs.size > namesMax) this.#runs.clear();
    if (this.#rows.size > namesMax) this.#rows.clear();
    for (const [run, name] of found.runs) {
      this.#runs.set(run, name);
      names.runs.set(run, name);
    }
    for (const [row, name] of found.rows) {
      this.#rows.set(row, name);
      names.rows.set(row, name);
    }
    return names;
  }
}

/** False: it is not known. */
function take<Id, Name>(names: Map<Id, Name>, id: Id, known: ReadonlyMap<Id, Name>): boolean {
  const name = known.get(id);
  if (name !== undefined) names.set(id, name);
  return name !== undefined;
}

function toNamed({ was, ...change }: CommitChange, { runs, rows }: Names): NamedChange {
  const run = was ?? runs.get(change.run);
  const rowName = change.row === null ? null : (rows.get(change.row) ?? null);
  return { ...change, rowName, name: run?.name ?? null, createdBy: run?.createdBy ?? null };
}

/** One question for all who ask before it is forgotten; an error is not kept. */
function shared<Key, Answer>(
  answers: Map<Key, Promise<Answer>>,
  key: Key,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const asked = ask();
  answers.set(key, asked);
  asked.catch(() => {
    if (answers.get(key) === asked) answers.delete(key);
  });
  return asked;
}
