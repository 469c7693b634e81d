// Stands in for the store's ownership in the control: answers first, writes a little later, in order.

import { setTimeout as wait } from "node:timers/promises";
import { SqliteOwnership as RealOwnership } from "../../../src/store/sqlite/ownership.ts";
import type { Batch, Committed } from "../../../src/store/store.ts";

const lateMs = 25;

export class SqliteOwnership extends RealOwnership {
  #written: Promise<unknown> = Promise.resolve();

  override async commit(batch: Batch): Promise<Committed> {
    this.#written = this.#written.then(() => wait(lateMs)).then(() => super.commit(batch));
    return { kind: "committed", no: batch.no };
  }
}
