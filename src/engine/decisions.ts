// Which gates were answered of late, and by whom: from the audit, by its index of verbs; what they were is then looked up,
// a few at a time.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { RowId, RunId } from "../run/model.ts";
import type { AuditEntry } from "../store/audit.ts";
import type { ShortRow } from "../store/brief.ts";
import type { RunName, Store } from "../store/store.ts";

export type DecisionQuery = {
  readonly limitMax: number;
  /** Older than the one of this number. */
  readonly before?: number;
};

/** An answer that somebody has given. */
export type Decided = {
  /** In the order in which they were written. */
  readonly no: number;
  readonly run: { readonly id: RunId; readonly uid: string; readonly name: string };
  readonly row: { readonly id: RowId; readonly name: string; readonly status: string; readonly title: string | null };
  readonly by: string;
  readonly at: number;
  readonly outcome: string;
  readonly comment: string | null;
};

export type DecisionPage = {
  readonly decisions: readonly Decided[];
  /** From which on there may be more; null: there is none. */
  readonly next: number | null;
};

/** So many entries are looked up for one answer. */
const looksMax = 500;
/** Of these, so many at a time. */
const atOnceMax = 20;

type Read = Pick<Store, "listAudit" | "findShort" | "listNames">;

/** `user` null: of everybody's runs. */
export async function listDecisions(
  store: Read,
  { limitMax, before }: DecisionQuery,
  user: string | null,
): Promise<DecisionPage> {
  const page = { limitMax: looksMax, ...(before === undefined ? {} : { before }) };
  const lists = await Promise.all(["step.answer", "step.ready"].map((verb) => store.listAudit({ ...page, verb })));
  const entries = lists
    .flat()
    .toSorted((one, other) => other.no - one.no)
    .slice(0, looksMax);
  const decisions: Decided[] = [];
  for (let from = 0; from < entries.length; from += atOnceMax) {
    const part = entries.slice(from, from + atOnceMax);
    const found = await lookUp(store, part);
    for (const entry of part) {
      const decided = toDecided(entry, found, user);
      if (decided === undefined) continue;
      decisions.push(decided);
      if (decisions.length === limitMax) return { decisions, next: entry.no };
    }
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  return { decisions, next: entries.length === looksMax ? (entries.at(-1)?.no ?? null) : null };
}

type Found = {
  readonly rows: ReadonlyMap<RowId, ShortRow>;
  readonly runs: ReadonlyMap<RunId, RunName>;
};

async function lookUp(store: Read, entries: readonly AuditEntry[]): Promise<Found> {
  const ids = new Set(entries.map(({ subject }) => Number(subject)).filter((id) => Number.isSafeInteger(id)));
  const rows = await store.findShort([...ids]);
  const { runs } = await store.listNames([...new Set([...rows.values()].map(({ run }) => run))], []);
  return { rows, runs };
}

/** undefined: it was no gate, it is gone, or it is not for this user. */
function toDecided(entry: AuditEntry, { rows, runs }: Found, user: string | null): Decided | undefined {
  const found = rows.get(Number(entry.subject));
  const run = found === undefined ? undefined : runs.get(found.run);
  if (found === undefined || found.row.gate === null || run === undefined) return undefined;
  if (user !== null && run.createdBy !== user) return undefined;
  const { outcome, comment } = entry.details;
  return {
    no: entry.no,
    run: { id: found.run, uid: found.uid, name: run.name },
    row: { id: found.row.id, name: found.row.name, status: found.row.status, title: found.row.gate.title },
    by: entry.user,
    at: entry.at,
    // The seeds' word says yes without naming it.
    outcome: typeof outcome === "string" ? outcome : "approved",
    comment: typeof comment === "string" ? comment : null,
  };
}
