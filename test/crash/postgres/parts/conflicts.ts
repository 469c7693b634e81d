// Others on the same database: a script that locks and changes the same rows, so that batches end with 40001 (could not
// serialize) and 40P01 (deadlock). They are refusals, and the batch is written again.

import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "pg";
import { createBook, mixKinds } from "../../book.ts";
import { allKinds } from "../../flows.ts";
import { report, type PartReport } from "../../part.ts";
import { readClaims } from "../audit.ts";
import { openClient } from "../look.ts";
import type { PostgresOptions } from "../options.ts";
import { describeVerdict, endure } from "../ordeal.ts";
import { askServer } from "../place.ts";

type Rival = {
  readonly code: string;
  readonly name: string;
  /** Of all sessions on the database. */
  readonly isolation: string;
  readonly disturb: (client: Client) => Promise<void>;
};

const rivals: readonly Rival[] = [
  {
    code: "40001",
    name: "rows changed by others, in sessions that refuse to see that",
    isolation: "repeatable read",
    disturb: async (client) => {
      await client.query("begin isolation level read committed");
      await client.query("update steps set updated_at = updated_at where is_live = 1");
      await wait(15);
      await client.query("commit");
      await wait(60);
    },
  },
  {
    code: "40P01",
    name: "rows locked by others, who then wait for the batch",
    isolation: "read committed",
    disturb: async (client) => {
      await client.query("begin");
      // The batch waits for longer, and is the one that is ended.
      await client.query("set local deadlock_timeout to '10s'");
      await client.query("select 1 from steps where is_live = 1 for update");
      await wait(60);
      await client.query("insert into commits (no, at, last_id, changes) select max(no) + 1, 0, 0, '[]' from commits");
      await client.query("rollback");
      await wait(300);
    },
  },
];

export async function runConflicts({
  server,
  runs,
  rivalMs,
  seed,
  say,
  withPlace,
}: PostgresOptions): Promise<PartReport> {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const { code, name, isolation, disturb } of rivals) {
    await withPlace(async (place) => {
      const database = new URL(place.store).pathname.slice(1);
      await askServer(place.store, `alter database ${database} set default_transaction_isolation to '${isolation}'`);
      const before = server.countErrors().get(code) ?? 0;
      const book = createBook(mixKinds(allKinds, runs, seed), `x${code}`);
      const act = async (): Promise<void> => {
        const client = await openClient(place.store);
        for (const until = Date.now() + rivalMs; Date.now() < until;) {
          try {
            await disturb(client);
          } catch {
            await client.query("rollback");
          }
        }
        await client.end();
      };
      const { verdict, problems: found } = await endure({ place, book, spreadMs: rivalMs * 0.8, act });
      const count = (server.countErrors().get(code) ?? 0) - before;
      const lost = (await readClaims(place.store)).length - 1;
      lines.push(`${code}, ${name}: ${count} times, ownership lost ${lost} times; ${describeVerdict(book, verdict)}`);
      if (count === 0) problems.push(`${code}: never happened`);
      if (lost > 0) problems.push(`${code}: a definite refusal ended the ownership`);
      problems.push(...found.map((text) => `${code}: ${text}`));
      say(lines.at(-1) ?? "");
    });
  }
  return report("conflicts", lines, problems);
}
