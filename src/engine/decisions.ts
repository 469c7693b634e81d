// Which gates were answered of late, and by whom: from the audit, by its index of verbs; each is then looked up.

import type { RowId, RunId } from "../run/model.ts";
import type { AuditEntry } from "../store/audit.ts";
import type { Store } from "../store/store.ts";

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

type Read = Pick<Store, "listAudit" | "findRow" | "findRun">;

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
  for (const entry of entries) {
    const decided = await lookUp(store, entry, user);
    if (decided === undefined) continue;
    decisions.push(decided);
    if (decisions.length === limitMax) return { decisions, next: entry.no };
  }
  return { decisions, next: entries.length === looksMax ? (entries.at(-1)?.no ?? null) : null };
}

/** undefined: it was no gate, it is gone, or it is not for this user. */
async function lookUp(store: Read, entry: AuditEntry, user: string | null): Promise<Decided | undefined> {
  const found = await store.findRow(Number(entry.subject));
  if (found === undefined || found.row.gate === null) return undefined;
  const stored = await store.findRun(found.run);
  if (stored === undefined || (user !== null && stored.run.createdBy !== user)) return undefined;
  const { id, uid, name } = stored.run;
  const { outcome, comment } = entry.details;
  return {
    no: entry.no,
    run: { id, uid, name },
    row: { id: found.row.id, name: found.row.name, status: found.row.status, title: found.row.gate.title },
    by: entry.user,
    at: entry.at,
    // The seeds' word says yes without naming it.
    outcome: typeof outcome === "string" ? outcome : "approved",
    comment: typeof comment === "string" ? comment : null,
  };
}
