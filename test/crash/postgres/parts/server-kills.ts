// The whole server is killed and started again, while one engine works on it.

import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../../../../src/testing/random.ts";
import { createBook, mixKinds } from "../../book.ts";
import { allKinds } from "../../flows.ts";
import { boundOf, describeMs, report, type PartReport } from "../../part.ts";
import { readBatches, readClaims } from "../audit.ts";
import type { PostgresOptions } from "../options.ts";
import { describeVerdict, endure } from "../ordeal.ts";

const upMinMs = 800;
const upMaxMs = 4000;
const downMaxMs = 2000;

export async function runServerKills(options: PostgresOptions): Promise<PartReport> {
  const { server, serverKills, runs, seed, say, withPlace } = options;
  const random = createRandom(seed);
  const book = createBook(mixKinds(allKinds, runs, seed), `s${seed}`);
  return withPlace(async (place) => {
    const backAts: number[] = [];
    const { verdict, problems } = await endure({
      place,
      book,
      spreadMs: serverKills * 7500,
      act: async (engine) => {
        for (let kill = 1; kill <= serverKills && engine.isAlive; kill++) {
          await wait(upMinMs + random.next() * (upMaxMs - upMinMs));
          await server.killAll();
          await wait(random.next() * downMaxMs);
          await server.start();
          backAts.push(Date.now());
          if (kill % 5 === 0) say(`${kill} kills of the server`);
        }
      },
    });
    const batches = await readBatches(place.store);
    const againMs = backAts.flatMap((backAt, at) => {
      const first = batches.find((batch) => batch.at >= backAt && batch.at < (backAts[at + 1] ?? Infinity));
      return first === undefined ? [] : [first.at - backAt];
    });
    const claims = await readClaims(place.store);
    const lines = [
      `${backAts.length} kills of the server, down up to ${downMaxMs} ms more than its start takes; the engine lived through all of them and claimed the store ${claims.length} times; seed ${seed}`,
      `${describeVerdict(book, verdict)}; ${boundOf(backAts.length)} per kill`,
      describeMs("server takes connections to the engine's next batch", againMs),
    ];
    return report("server", lines, problems);
  });
}
