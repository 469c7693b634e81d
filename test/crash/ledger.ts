// The ledger stands for the world outside: one line for each effect, on disk before the tool answers. It is never part
// of what is destroyed, and tells afterwards what was really done.

import { existsSync, readFileSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { parseLine } from "./protocol.ts";

export type LedgerLine = {
  readonly key: string;
  readonly run: number;
  /** The row that was called. */
  readonly row: number;
  readonly attempt: number;
  readonly tool: string;
  readonly pid: number;
  readonly at: number;
};

export function readLedger(path: string): readonly LedgerLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : ((parseLine(line) as LedgerLine | undefined) ?? [])));
}

export class Ledger {
  readonly #file: Promise<FileHandle>;
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    for (const { key } of readLedger(path)) this.#count(key);
    // Appending: each line is written as a whole, whoever else writes.
    this.#file = open(path, "a");
  }

  /** How often something was done under this key, by this process and all before it. */
  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Off the event loop, as the world outside is: the engine goes on meanwhile. */
  async write(line: LedgerLine): Promise<void> {
    const file = await this.#file;
    this.#count(line.key);
    await file.write(`${JSON.stringify(line)}\n`);
    await file.datasync();
  }

  async close(): Promise<void> {
    await (await this.#file).close();
  }

  #count(key: string): void {
    this.#counts.set(key, this.countOf(key) + 1);
  }
}
