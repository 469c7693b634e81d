// Stands in for the writer of batches in the control: it does not look whose the store is, nor whether a batch is missing.

import type { Session } from "../../../src/store/postgres/session.ts";
import { createWriter as createRealWriter, type Writer } from "../../../src/store/postgres/writer.ts";

export function createWriter(session: Pick<Session, "write">, epoch: string): Writer {
  const write: Session["write"] = (statements) =>
    session.write(
      statements.map((statement) => ({
        ...statement,
        text: statement.text.replace("where epoch = $5::text) <> 64", "where epoch = $5::text) > 64"),
      })),
    );
  return createRealWriter({ write }, epoch);
}
