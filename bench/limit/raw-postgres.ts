// What PostgreSQL can do when nothing is decided: the two writes that a step costs at least (finish one row, make the
// next), so many of them in one transaction, as one update and one insert over `unnest`, on a table with one index beside
// its key. One session, a prepared statement, two batches under way at a time, as our store writes.

import type { Measurement } from "../measurement.ts";
import { watchForeignCpu } from "../noise.ts";
import { withFreshStore } from "../place.ts";
import { median, percentile } from "../statistics.ts";

const runCount = 5000;
const underWay = 2;

/** What is used of `pg`, which is loaded when it is needed. */
type Client = {
  query(statement: string | Named): Promise<{ readonly rows: readonly unknown[] }>;
};
type Named = { readonly name: string; readonly text: string; readonly values: unknown[] };

export async function measureRawPostgres(
  server: string,
  stepsPerCommit: number,
  limitMs: number,
): Promise<Measurement> {
  return withFreshStore(server, async (address) => {
    const { Client } = await import("pg");
    const client = new Client({ connectionString: address, pipeline: true });
    await client.connect();
    try {
      await prepareTable(client);
      const writeBatch = batchWriter(client, stepsPerCommit);
      for (let no = 0; no < underWay; no++) await writeBatch();
      const times: number[] = [];
      const foreign = watchForeignCpu();
      const startedAt = performance.now();
      const lane = async (): Promise<void> => {
        while (performance.now() - startedAt < limitMs) {
          const before = performance.now();
          await writeBatch();
          times.push(performance.now() - before);
        }
      };
      await Promise.all(Array.from({ length: underWay }, lane));
      const seconds = (performance.now() - startedAt) / 1000;
      const foreignCpu = foreign();
      await checkDone(client, (times.length + underWay) * stepsPerCommit);
      return {
        workload: `postgres-${stepsPerCommit}`,
        unit: "steps/s",
        values: [(times.length * stepsPerCommit) / seconds],
        foreignCpu: [foreignCpu],
        // Of one batch from when it is sent until it is answered, with the one before it on the way.
        notes: { answer_p50_ms: median(times), answer_p99_ms: percentile(times, 99) },
      };
    } finally {
      await client.end();
    }
  });
}

async function prepareTable(client: Client): Promise<void> {
  await client.query(
    `create table steps (
       run bigint not null, no bigint not null, status text not null, result text, at bigint, primary key (run, no)
     ) with (fillfactor = 50)`,
  );
  await client.query("create index steps_ready on steps (run) where status = 'ready'");
  await client.query(
    `insert into steps (run, no, status) select run, 0, 'ready' from generate_series(0, ${runCount - 1}) as run`,
  );
  // The plan that finds each row by its key: the quickest, and one that does not change while the table grows.
  await client.query("set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off");
  await client.query("set plan_cache_mode = force_generic_plan");
}

/** One statement is one transaction: nothing is sent, and nothing answered, but what is needed. */
const batchText = `with
    given as (select * from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (run, no, result)),
    finished as (update steps set status = 'done', result = given.result, at = $4::bigint
      from given where steps.run = given.run and steps.no = given.no)
  insert into steps (run, no, status) select run, no + 1, 'ready' from given`;

function batchWriter(client: Client, stepsPerCommit: number): () => Promise<void> {
  const results = toArray(Array.from({ length: stepsPerCommit }, () => String.raw`"{\"ok\":true,\"i\":1}"`));
  let written = 0;
  return async () => {
    const [runs, numbers]: [number[], number[]] = [[], []];
    for (let step = 0; step < stepsPerCommit; step++, written++) {
      runs.push(written % runCount);
      numbers.push(Math.floor(written / runCount));
    }
    await client.query({
      name: "batch",
      text: batchText,
      values: [toArray(runs), toArray(numbers), results, Date.now()],
    });
  };
}

/** As the server reads it: quicker than the driver's own way, which looks at each value. */
function toArray(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`;
}

async function checkDone(client: Client, expected: number): Promise<void> {
  const { rows } = await client.query("select count(*)::integer as count from steps where status = 'done'");
  const [{ count } = { count: 0 }] = rows as readonly { readonly count: number }[];
  if (count !== expected)
    throw new Error(`Raw PostgreSQL holds ${count} steps that are done; ${expected} were written.`);
}
