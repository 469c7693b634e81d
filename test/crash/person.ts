// The person that some runs wait for: approves gates, looks into the ledger before saying what became of a payment, and
// lets go on what was cut off too often.

import type { Book } from "./book.ts";
import { readLedger } from "./ledger.ts";
import type { Request } from "./protocol.ts";
import { look, readRuns, readSteps, type RunRecord } from "./rows.ts";
import type { SubjectProcess } from "./subject-process.ts";

export type Place = { readonly store: string; readonly ledger: string };

/** One person for one life of the subject: says each thing once, and again only to the next life or when it was refused. */
export function createPerson(book: Book, place: Place, subject: SubjectProcess): () => Promise<void> {
  const said = new Set<number>();
  const say = (row: number, request: Request, told: Set<number>): void => {
    if (said.has(row)) return;
    said.add(row);
    void subject.ask(request).then((answer) => {
      if (answer?.ok === true) told.add(row);
      else said.delete(row);
      return answer;
    });
  };
  return async () => {
    const seen = await look(place.store, async (database) => ({
      gates: await readSteps(database, "status = 'pending' and is_live = 1 and step = 'gate'"),
      asking: await readRuns(database, "status = 'running' and more like '%\"attention\"%'"),
    }));
    if (seen === undefined) return;
    for (const { id } of seen.gates) say(id, { do: "approve", step: id }, book.approved);
    for (const run of seen.asking) {
      const row = run.attention?.row ?? null;
      if (row === null) continue;
      say(row, { do: "resolve", step: row, ...verdictOf(run, place) }, book.resolved);
    }
  };
}

/** Only a payment that stands in the ledger has been made. */
function verdictOf(
  { id, attention }: RunRecord,
  { ledger }: Place,
): { readonly how: "retry" | "done"; readonly result: null } {
  const isPaid = readLedger(ledger).some(({ run, tool }) => run === id && tool === "pay");
  return { how: attention?.code === "uncertain" && isPaid ? "done" : "retry", result: null };
}
