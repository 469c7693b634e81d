// Writes batches through the owning session: each is one transaction, sent as a whole without waiting for the one before,
// and applied as a whole or not at all. All checks are made by the server before it commits.

import { DatabaseError } from "pg";
import { crashPoint } from "../../crash-point.ts";
import { flattenBatch, type FlatBatch } from "../columns/batch.ts";
import { changesOf } from "../columns/commit.ts";
import type { Batch, Committed, RefusedReason } from "../store.ts";
import { ColumnArrays, ValueError } from "./column-arrays.ts";
import { behindCode, staleCode } from "./list-statement.ts";
import type { Session, Statement } from "./session.ts";
import { commitText, listStatements } from "./statements.ts";

export type Writer = {
  /** Sent at once; what is refused before that is answered before what was sent. */
  readonly write: (batch: Batch) => Promise<Committed>;
};

/** Each statement is prepared by the first batch that has it: a session needs few of them, and begins sooner. */
export function createWriter(session: Pick<Session, "write">, epoch: string): Writer {
  const arrays = new ColumnArrays();
  return {
    write: async (batch) => {
      try {
        const sent = session.write(toStatements(flattenBatch(batch), arrays, epoch));
        crashPoint("in-transaction");
        await sent;
        crashPoint("after-commit");
        return { kind: "committed", no: batch.no };
      } catch (error) {
        return judge(error);
      }
    },
  };
}

function toStatements(flat: FlatBatch, arrays: ColumnArrays, epoch: string): readonly Statement[] {
  arrays.clear();
  const statements: Statement[] = [
    { name: "commit", text: commitText, values: [flat.no, flat.at, flat.lastId, changesOf(flat), epoch] },
  ];
  for (const { list, text, bind } of listStatements) {
    const values = bind(flat, arrays);
    if (values !== undefined) statements.push({ name: list, text, values });
  }
  return statements;
}

/** The server said no, and is ready again: nothing of the batch is there. All else is unknown. */
function judge(error: unknown): Committed {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ValueError) return { kind: "refused", reason: "constraint", message };
  if (!(error instanceof DatabaseError)) return { kind: "unknown", message };
  const { code = "" } = error;
  const reason = reasons.get(code) ?? reasons.get(code.slice(0, 2));
  return reason === undefined ? { kind: "unknown", message } : { kind: "refused", reason, message };
}

/** By SQLSTATE, or by its class. */
const reasons: ReadonlyMap<string, RefusedReason> = new Map([
  [staleCode, "stale"],
  [behindCode, "behind"],
  // A value that its column cannot hold, a key that is there, more than there is room for in a row or an index.
  ["22", "constraint"],
  ["23", "constraint"],
  ["54", "constraint"],
  ["40001", "busy"],
  ["40P01", "busy"],
  ["55P03", "busy"],
  ["57014", "busy"],
  ["53100", "full"],
]);
