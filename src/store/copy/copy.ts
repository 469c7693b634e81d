// Copies rows from one store into another, table by table, a few at a time, and then compares all of them, row by row,
// before anything counts.

import { createHash } from "node:crypto";
import { crashPoint } from "../../crash-point.ts";
import { StepwellError } from "../../error.ts";
import type { CopySource, CopyTarget, Readable } from "./ends.ts";
import { showKey, tables, type CopiedRow, type Table } from "./table.ts";

export type Progress = {
  readonly phase: "copy" | "check";
  readonly table: string;
  readonly rows: number;
  readonly of: number;
};

export type CopiedTable = {
  readonly name: string;
  readonly rows: number;
  /** Of all its rows in the order of their keys. */
  readonly sha256: string;
};

type Tell = (progress: Progress) => void;

export async function copyAll(from: CopySource, to: CopyTarget, tell: Tell): Promise<void> {
  for (const table of tables) {
    const of = await from.count(table);
    let rows = 0;
    for await (const batch of from.read(table)) {
      await to.write(table, batch);
      crashPoint("in-copy");
      rows += batch.length;
      tell({ phase: "copy", table: table.name, rows, of });
    }
  }
  await to.complete(await from.lastInboxId());
}

/** Every row of both, side by side; throws at the first one that differs. */
export async function compareAll(from: Readable, to: Readable, tell: Tell): Promise<readonly CopiedTable[]> {
  const compared: CopiedTable[] = [];
  for (const table of tables) {
    const of = await from.count(table);
    const toldRows = (rows: number): void => tell({ phase: "check", table: table.name, rows, of });
    const { rows, sha256 } = await compareTable(table, { from, to, toldRows });
    const there = await to.count(table);
    if (rows !== of || rows !== there) throw different(table, { from, to }, `${of} rows against ${there}`);
    compared.push({ name: table.name, rows, sha256 });
  }
  return compared;
}

type Comparing = { readonly from: Readable; readonly to: Readable; readonly toldRows: (rows: number) => void };

/** A long table is told about so often. */
const toldEvery = 5000;

async function compareTable(
  table: Table,
  { from, to, toldRows }: Comparing,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  await using one = new RowReader(from.read(table));
  await using other = new RowReader(to.read(table));
  for (let rows = 0; ; rows += 1) {
    const [left, right] = [one.take() ?? (await one.more()), other.take() ?? (await other.more())];
    if (left === undefined && right === undefined) return { rows, sha256: hash.digest("hex") };
    const text = JSON.stringify(left ?? null);
    if (text !== JSON.stringify(right ?? null)) {
      throw different(table, { from, to }, `the row ${showKey(table, left ?? right ?? [])}`);
    }
    hash.update(text);
    if (rows % toldEvery === 0) toldRows(rows);
  }
}

function different(table: Table, { from, to }: Pick<Comparing, "from" | "to">, what: string): StepwellError {
  return new StepwellError(
    "REFUSED",
    `${to.name} does not hold what ${from.name} does: in "${table.name}", ${what}. Nothing was changed.`,
    { details: { code: "stores_differ", table: table.name } },
  );
}

/** One row after the other; asynchronous only where the next few have to be fetched. */
class RowReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly CopiedRow[]>;
  #batch: readonly CopiedRow[] = [];
  #next = 0;

  constructor(batches: AsyncIterable<readonly CopiedRow[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** undefined: `more` has to be asked. */
  take(): CopiedRow | undefined {
    const row = this.#batch[this.#next];
    this.#next += 1;
    return row;
  }

  /** undefined: there is none. */
  async more(): Promise<CopiedRow | undefined> {
    const { done, value } = await this.#batches.next();
    if (done === true) return undefined;
    this.#batch = value;
    this.#next = 0;
    return this.take() ?? this.more();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }
}
