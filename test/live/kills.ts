// A client follows while the server is killed again and again: in the end it knows of every run and step exactly what the
// store does.

import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/store/open.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { Follower } from "./follower.ts";
import { createServerPlace, type Server } from "./server.ts";

export type KillsReport = {
  readonly runs: number;
  readonly steps: number;
  readonly events: number;
  readonly connections: number;
  readonly problems: readonly string[];
};

export type KillsOptions = {
  readonly kills: number;
  readonly seed: number;
  readonly say: (line: string) => void;
};

const flows: readonly object[] = [
  { start: { tool: "time.now", next: "then" }, then: { tool: "time.now", done: true } },
  {
    start: { set: { names: ["a", "b", "c"] }, parallel: ["rest", "score"], join: "end" },
    rest: { tool: "demo.sleep", args: { ms: 30 } },
    score: { tool: "demo.score", args: { title: "{{ item }}" }, each: { items: "{{ steps.start.result.names }}" } },
    end: { tool: "time.now", done: true },
  },
  { start: { tool: null, next: "end" }, end: { tool: "time.now", done: true } },
];

/** Events of one life before its end, at most. */
const eventsMax = 60;
/** Starts at the same time, of one life. */
const startersCount = 4;
/** How long it may take until nothing more happens. */
const restMs = 20_000;

export async function runKills({ kills, seed, say }: KillsOptions): Promise<KillsReport> {
  const random = createRandom(seed);
  await using server = await createServerPlace("usual");
  const follower = new Follower(server.port);
  follower.start();
  for (let kill = 1; kill <= kills; kill++) {
    await live(server, follower, random);
    say(`${kill} kills, ${follower.events} events, ${follower.statuses.size} runs and steps`);
  }
  await server.start();
  const known = await waitForRest(server, follower);
  await server.kill();
  await follower.stop();
  const { events, connections, problems } = follower;
  const found = [...problems, ...compare(known.stored, follower.statuses)];
  if (connections <= kills)
    found.push(`it was connected ${connections} times, though the server lived ${kills + 1} times`);
  return { runs: known.runs, steps: known.stored.size - known.runs, events, connections, problems: found };
}

/** From start to SIGKILL, in the midst of what it does. */
async function live(server: Server, follower: Follower, random: Random): Promise<void> {
  await server.start();
  const until = follower.events + 1 + random.integer(eventsMax);
  const life = { isOver: false };
  const starters = Array.from({ length: startersCount }, async () => {
    while (!life.isOver) await startRun(server.port, random.pick(flows));
  });
  while (follower.events < until) await sleep(1);
  await server.kill();
  life.isOver = true;
  await Promise.all(starters);
}

async function startRun(port: number, flow: object): Promise<void> {
  try {
    const body = JSON.stringify({ name: "followed", flow });
    const answer = await fetch(`http://127.0.0.1:${port}/api/workflow`, { method: "POST", body });
    await answer.text();
    if (!answer.ok) await sleep(20);
  } catch {
    // It has just been killed.
    await sleep(20);
  }
}

type Known = { readonly runs: number; readonly stored: ReadonlyMap<number, string> };

/** When the client knows what the store does, or will never. */
async function waitForRest({ path }: Server, { statuses }: Follower): Promise<Known> {
  const until = performance.now() + restMs;
  await using store = await openStore(path);
  for (;;) {
    const last = await store.lastCommit();
    const stored = new Map<number, string>();
    const runs = await store.listRuns({ status: "all", limitMax: 1_000_000 });
    for (const { run } of runs) {
      stored.set(run.id, run.status);
      for (const { id, status } of await store.listRows(run.id)) stored.set(id, status);
    }
    await sleep(200);
    const isQuiet = (await store.lastCommit()) === last && compare(stored, statuses).length === 0;
    if (isQuiet || performance.now() > until) return { runs: runs.length, stored };
  }
}

function compare(stored: ReadonlyMap<number, string>, told: ReadonlyMap<number, string>): readonly string[] {
  const problems: string[] = [];
  for (const [id, status] of stored)
    if (told.get(id) !== status) problems.push(`${id} is ${status}; the client heard ${told.get(id) ?? "nothing"}`);
  for (const id of told.keys()) if (!stored.has(id)) problems.push(`the client heard of ${id}, which is not there`);
  return problems;
}
