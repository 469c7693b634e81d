// The ledger stands for the world outside: one line for each effect, on disk before the tool answers. It is never part
// of what is destroyed, and tells afterwards what was really done.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
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
  /** When the tool was called. */
  readonly calledAt: number;
  /** When it had its effect. */
  readonly at: number;
};

export function readLedger(path: string): readonly LedgerLine[] {
  return existsSync(path) ? parseLedger(readFileSync(path, "utf8")) : [];
}

function parseLedger(text: string): readonly LedgerLine[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : ((parseLine(line) as LedgerLine | undefined) ?? [])));
}

export class Ledger {
  readonly #path: string;
  readonly #file: Promise<FileHandle>;
  readonly #counts = new Map<string, number>();
  #readBytes = 0;

  constructor(path: string) {
    this.#path = path;
    // Appending: each line is written as a whole, whoever else writes.
    this.#file = open(path, "a");
  }

  /** How often something was done under this key, by whatever process. */
  countOf(key: string): number {
    this.#catchUp();
    return this.#counts.get(key) ?? 0;
  }

  /** Off the event loop, as the world outside is: the engine goes on meanwhile. */
  async write(line: LedgerLine): Promise<void> {
    const file = await this.#file;
    await file.write(`${JSON.stringify(line)}\n`);
    await file.datasync();
  }

  async close(): Promise<void> {
    await (await this.#file).close();
  }

  /** Whole lines only: others may be writing. */
  #catchUp(): void {
    if (!existsSync(this.#path)) return;
    const file = openSync(this.#path, "r");
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#readBytes);
      readSync(file, bytes, 0, bytes.length, this.#readBytes);
      const end = bytes.lastIndexOf("\n") + 1;
      this.#readBytes += end;
      for (const { key } of parseLedger(bytes.toString("utf8", 0, end)))
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    } finally {
      closeSync(file);
    }
  }
}
