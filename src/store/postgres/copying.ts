// The session of a copy: one transaction, by the ownership of whoever opened it.

import { StepwellError } from "../../error.ts";
import type { CopiedRow, Table } from "../copy/table.ts";
import { openSession, openSettings, type Settings } from "./connection.ts";
import { toStoreError } from "./problem.ts";
import type { Bound, Rows, Session } from "./session.ts";

/** One session in one transaction, which ends with it unless it is committed. */
export class Copying {
  readonly name: string;
  readonly #settings: Settings;
  readonly #session: Session;
  readonly #epoch: string;
  #cursors = 0;

  private constructor(settings: Settings, session: Session, epoch: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#session = session;
    this.#epoch = epoch;
  }

  static async open(address: string, epoch: string): Promise<Copying> {
    const settings = openSettings(address);
    const copying = new Copying(settings, await openSession(settings, "migrate"), epoch);
    await copying.run("begin");
    return copying;
  }

  async run(text: string): Promise<void> {
    await this.#ask(() => this.#session.run(text));
  }

  query(text: string, values: readonly Bound[] = []): Promise<Rows> {
    return this.#ask(() => this.#session.query(text, values));
  }

  async count({ name }: Table): Promise<number> {
    const [[rows] = []] = await this.query(`select count(*) from ${name}`);
    return Number(rows);
  }

  async *read({ name, columns, key, rowsMax }: Table): AsyncGenerator<readonly CopiedRow[]> {
    this.#cursors += 1;
    const cursor = `copied_${this.#cursors}`;
    const selected = columns.map((column) => column.name).join(", ");
    await this.run(`declare ${cursor} no scroll cursor for select ${selected} from ${name} order by ${key.join(", ")}`);
    try {
      for (;;) {
        const rows = await this.query(`fetch ${rowsMax} from ${cursor}`);
        if (rows.length === 0) return;
        yield rows as readonly CopiedRow[];
      }
    } finally {
      if (this.#session.isOpen) await this.run(`close ${cursor}`);
    }
  }

  /** Nobody else has owned it, and until this transaction ends nobody else can. */
  async confirm(): Promise<void> {
    const mine = await this.query("select no from partitions where epoch = $1 order by no for update", [this.#epoch]);
    const [[all] = []] = await this.query("select count(*) from partitions");
    if (mine.length === all) return;
    throw new StepwellError("STORE_LOST", `${this.name} was taken by another process meanwhile; try again.`);
  }

  async end(): Promise<void> {
    if (this.#session.isOpen) await this.#session.run("rollback").catch(() => {});
    await this.#session.end();
  }

  async #ask<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw toStoreError(error, this.#settings.name);
    }
  }
}
