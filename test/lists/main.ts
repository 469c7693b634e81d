// `npm run lists -- --lists 200000`: the same lists of commands on SQLite in memory and on another store. A list whose
// history is not the same on both is shown as short as it gets, with the seed that makes it.

import { startServer } from "../../scripts/postgres/server.ts";
import { parseArguments, usage, type ListArguments, type StoreName } from "./arguments.ts";
import type { Pair } from "./compare.ts";
import { describeFinding, findDifference } from "./find.ts";
import { createPostgresPlace } from "./place-postgres.ts";
import { createFilePlace, createMemoryPlace, type Place } from "./place.ts";

const places: { readonly [name in StoreName]: () => Place | Promise<Place> } = {
  memory: createMemoryPlace,
  file: createFilePlace,
  postgres: createPostgresPlace,
};

/** Lists that are played at the same time. */
const atOnce = 3;
const told = 1000;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.ok) process.exitCode = await run(parsed.value);
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

async function run({ firstSeed, lists, commandsMax, store }: ListArguments): Promise<number> {
  const startedAt = performance.now();
  await using closing = new AsyncDisposableStack();
  if (store === "postgres" && process.env["TEST_DATABASE_URL"] === undefined)
    process.env["TEST_DATABASE_URL"] = closing.use(await startServer()).url;
  const pairs: Pair[] = [];
  for (let place = 0; place < Math.min(atOnce, lists); place++)
    pairs.push([closing.use(createMemoryPlace()), closing.use(await places[store]())]);
  for (let done = 0; done < lists; done += told) {
    const count = Math.min(told, lists - done);
    const finding = await findDifference(pairs, { first: firstSeed + done, count, commandsMax });
    const [pair] = pairs;
    if (finding !== undefined && pair !== undefined) {
      console.log(await describeFinding(finding, pair));
      return 1;
    }
    console.error(`${done + count} lists, all the same`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${lists} lists from seed ${firstSeed} on, the same on both stores, in ${seconds} s`);
  return 0;
}
