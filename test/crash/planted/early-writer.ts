// Stands in for the writer of batches in the control: answers first, writes a little later, in order.

import { setTimeout as wait } from "node:timers/promises";
import type { Session } from "../../../src/store/postgres/session.ts";
import { createWriter as createRealWriter, type Writer } from "../../../src/store/postgres/writer.ts";

const lateMs = 25;

export function createWriter(session: Pick<Session, "write">, epoch: string): Writer {
  const real = createRealWriter(session, epoch);
  let written: Promise<unknown> = Promise.resolve();
  return {
    write: async (batch) => {
      written = written.then(() => wait(lateMs)).then(() => real.write(batch));
      return { kind: "committed", no: batch.no };
    },
  };
}
