// Loaded before anything else into each thread of a child: asks every connection that has written batches for its
// `synchronous`, at the moment when it is closed. So what is printed is what the writer itself ran with, whatever the
// engine says, and nothing is added to what is measured.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

const levelsFile = process.env["STEPWELL_BENCH_LEVELS"] ?? "";

if (levelsFile !== "") watch();

function watch(): void {
  const writers = new WeakSet<DatabaseSync>();
  const prepare: (this: DatabaseSync, text: string) => StatementSync = Reflect.get(DatabaseSync.prototype, "prepare");
  const close: (this: DatabaseSync) => void = Reflect.get(DatabaseSync.prototype, "close");
  DatabaseSync.prototype.prepare = function prepareSeen(this: DatabaseSync, text): StatementSync {
    // Only who writes batches keeps a statement for it.
    if (text === "commit") writers.add(this);
    return prepare.call(this, text);
  };
  DatabaseSync.prototype.close = function closeSeen(this: DatabaseSync): void {
    if (writers.has(this)) {
      appendFileSync(levelsFile, `${Number(prepare.call(this, "pragma synchronous").get()?.["synchronous"])}\n`);
    }
    close.call(this);
  };
}

/** The levels that were seen, each once: 2 is FULL. */
export function readLevels(): readonly string[] {
  if (levelsFile === "" || !existsSync(levelsFile)) return [];
  return [...new Set(readFileSync(levelsFile, "utf8").trimEnd().split("\n"))];
}
