// Both ends of a copy, as each dialect makes them. Whoever opens one owns the store; what is read is of one instant.

import type { CopiedRow, Table } from "./table.ts";

export interface Readable {
  /** As people know it. */
  readonly name: string;
  count(table: Table): Promise<number>;
  /** In the order of the table's key, a few at a time. */
  read(table: Table): AsyncIterable<readonly CopiedRow[]>;
}

export interface CopySource extends Readable, AsyncDisposable {
  /** The highest id that a message ever had: none is given out twice. */
  lastInboxId(): Promise<number>;
  /** Throws when somebody else has owned the store meanwhile. */
  confirm(): Promise<void>;
  /** From now on nobody claims it, and no message is taken. */
  markMoved(to: string): Promise<void>;
}

export interface CopyTarget extends Readable, AsyncDisposable {
  readonly isEmpty: boolean;
  write(table: Table, rows: readonly CopiedRow[]): Promise<void>;
  /** What follows from the rows, once all are there. */
  complete(lastInboxId: number): Promise<void>;
  /** All of it is there for good; without it, nothing is. */
  commit(): Promise<void>;
}
