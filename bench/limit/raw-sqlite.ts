// What SQLite can do when nothing is decided: the two writes that a step costs at least (finish one row, make the next),
// so many of them in one transaction, on a table with one index. WAL, synchronous=FULL, the driver that the store uses.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Measurement } from "../measurement.ts";
import { watchForeignCpu } from "../noise.ts";
import { median, percentile } from "../statistics.ts";

const runCount = 5000;

export function measureRawSqlite(folder: string, stepsPerCommit: number, limitMs: number): Measurement {
  const file = join(folder, `raw-${stepsPerCommit}.db`);
  const database = new DatabaseSync(file);
  try {
    const synchronous = prepareTable(database);
    const writeStep = stepWriter(database);
    const begin = database.prepare("begin immediate");
    const commit = database.prepare("commit");
    const times: number[] = [];
    const foreign = watchForeignCpu();
    const startedAt = performance.now();
    while (performance.now() - startedAt < limitMs) {
      const before = performance.now();
      begin.run();
      for (let step = 0; step < stepsPerCommit; step++) writeStep();
      commit.run();
      times.push(performance.now() - before);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    countDone(database, times.length * stepsPerCommit);
    return {
      workload: `sqlite-${stepsPerCommit}`,
      unit: "steps/s",
      values: [(times.length * stepsPerCommit) / seconds],
      foreignCpu: [foreign()],
      notes: { commit_p50_ms: median(times), commit_p99_ms: percentile(times, 99), synchronous },
    };
  } finally {
    database.close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  }
}

function prepareTable(database: DatabaseSync): number {
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory");
  database.exec(
    `create table steps (run integer, no integer, status text not null, result text, at integer, primary key (run, no))
     without rowid;
     create index steps_ready on steps (run) where status = 'ready'`,
  );
  const insert = database.prepare("insert into steps (run, no, status) values (?, 0, 'ready')");
  database.exec("begin");
  for (let run = 0; run < runCount; run++) insert.run(run);
  database.exec("commit");
  return Number(database.prepare("pragma synchronous").get()?.["synchronous"]);
}

function stepWriter(database: DatabaseSync): () => void {
  const finish = database.prepare("update steps set status = 'done', result = ?, at = ? where run = ? and no = ?");
  const make = database.prepare("insert into steps (run, no, status) values (?, ?, 'ready')");
  let written = 0;
  return () => {
    const run = written % runCount;
    const no = Math.floor(written / runCount);
    finish.run('{"ok":true,"i":1}', Date.now(), run, no);
    make.run(run, no + 1);
    written += 1;
  };
}

function countDone(database: DatabaseSync, expected: number): void {
  const done = Number(database.prepare("select count(*) as count from steps where status = 'done'").get()?.["count"]);
  if (done !== expected) throw new Error(`Raw SQLite holds ${done} steps that are done; ${expected} were written.`);
}
