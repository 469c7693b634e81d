// A short run of `npm run crash -- postgres`; RELIABILITY.md has the figures of the long one. The parts wait most of the
// time, each for its own engine, so they run beside each other.

import { afterAll, beforeAll, describe, it } from "vitest";
import { warmUp, type PartReport } from "./crash/part.ts";
import { tooSlow } from "./crash/parts/guests.ts";
import { runKills } from "./crash/parts/kills.ts";
import { runPoints } from "./crash/parts/points.ts";
import type { PostgresOptions } from "./crash/postgres/options.ts";
import { runConflicts } from "./crash/postgres/parts/conflicts.ts";
import { runCuts, runSilences } from "./crash/postgres/parts/connections.ts";
import { runListener } from "./crash/postgres/parts/listener.ts";
import { runServerKills } from "./crash/postgres/parts/server-kills.ts";
import { runStops, runTakeOver } from "./crash/postgres/parts/take-over.ts";
import { withDatabase } from "./crash/postgres/place.ts";
import { openServer, type CrashServer } from "./crash/postgres/server.ts";

let shared: CrashServer;

function optionsOn(server: CrashServer): PostgresOptions {
  return {
    kills: 2,
    runs: 30,
    hits: 1,
    rounds: 1,
    serverKills: 1,
    cuts: 6,
    stops: 1,
    seed: 7,
    // Longer than an owner may be silent, with its last heartbeat and a slow machine.
    stoppedMs: 18_000,
    rivalMs: 3000,
    server,
    withPlace: (act) => withDatabase(server.url, act),
    say: () => {},
  };
}

/** How fast is for `npm run crash` to say: here other tests run at the same time. */
async function findProblems(running: Promise<PartReport>): Promise<readonly string[]> {
  return (await running).problems.filter((problem) => !problem.includes(tooSlow));
}

describe.concurrent("an engine on PostgreSQL", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await warmUp();
    shared = await openServer();
  }, 120_000);

  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
  });

  it("that is killed loses nothing, does nothing twice and leaves nothing behind", async ({ expect }) => {
    expect(await findProblems(runKills(optionsOn(shared)))).toEqual([]);
    expect(await findProblems(runPoints(optionsOn(shared), ["in-transaction"]))).toEqual([]);
  });

  it("lives through the death of its server", async ({ expect }) => {
    await using server = await openServer();
    expect(await findProblems(runServerKills(optionsOn(server)))).toEqual([]);
  });

  it("lives through cut connections, and through silent ones", async ({ expect }) => {
    expect(await findProblems(runCuts(optionsOn(shared)))).toEqual([]);
    expect(await findProblems(runSilences(optionsOn(shared), ["short"]))).toEqual([]);
  });

  it("that is stopped and wakes up again does nothing any more that is not its own", async ({ expect }) => {
    expect(await findProblems(runStops(optionsOn(shared), ["stop"]))).toEqual([]);
  });

  it("that is killed or told to go is followed by its guest", async ({ expect }) => {
    expect(await findProblems(runTakeOver(optionsOn(shared), ["kill", "leave"]))).toEqual([]);
  });

  it("needs no hint, and goes on where others are in its way", async ({ expect }) => {
    expect(await findProblems(runListener(optionsOn(shared)))).toEqual([]);
    expect(await findProblems(runConflicts(optionsOn(shared)))).toEqual([]);
  });
});
