// The ledger stands for the world outside: one line for each effect, on disk before the tool answers. It is never part
// of what is destroyed, and tells afterwards what was really done.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
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
  readonly #file: number;
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    for (const { key } of readLedger(path)) this.#count(key);
    this.#file = openSync(path, "a");
  }

  /** How often something was done under this key, by this process and all before it. */
  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  write(line: LedgerLine): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
    fsyncSync(this.#file);
    this.#count(line.key);
  }

  close(): void {
    closeSync(this.#file);
  }

  #count(key: string): void {
    this.#counts.set(key, this.countOf(key) + 1);
  }
}
