// One seed: a world with a few runs in it, a nemesis, and then the peace in which everything must come to its end.

import { prepareInput } from "../../flow/validate/input.ts";
import type { Limits } from "../../run/env.ts";
import type { Random } from "../random.ts";
import { createClients, type Clients } from "./clients.ts";
import { deliver, soundDuties, startExecutor } from "./executor.ts";
import { drawInput, drawLibrary, type Flow, type Library } from "./library.ts";
import { createNemesis } from "./nemesis.ts";
import { createOracles } from "./oracles.ts";
import { answersFor, people } from "./people.ts";
import { createMemoryStore } from "./memory-store.ts";
import { createExecutor, type Duties, type Executor } from "./process.ts";
import type { CommitFault, Store } from "./store.ts";
import { createTools } from "./tools.ts";
import { createWorld, type Violation, type World } from "./world.ts";

export type Simulated = {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly crashes: number;
  readonly runs: number;
  /** The first is the one that counts: the world stops there. */
  readonly violations: readonly Violation[];
  readonly lastEvents: readonly string[];
  readonly flows: readonly Flow[];
  readonly store: Store;
  /** How often each refusal was heard, and each kind of message decided. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly messages: ReadonlyMap<string, number>;
};

export type OpenStore = (world: World) => Store;

/** `duties`: an executor with a planted bug. `openStore`: the durable memory, maps unless said otherwise. */
export function simulate(
  seed: number,
  duties: Duties = soundDuties,
  openStore: OpenStore = createMemoryStore,
): Simulated {
  const world = createWorld(seed);
  const library = drawLibrary(world.random, seed);
  const store = openStore(world);
  const tools = createTools(world);
  const oracles = createOracles(world, store, tools);
  const nemesis = createNemesis(world);
  const drawCommitFault = (): CommitFault => nemesis.drawCommitFault();
  const limits = drawLimits(world.random);
  const executor = createExecutor({ world, store, tools, library, limits, duties, observer: oracles, drawCommitFault });
  const clients = createClients(world, (delivery) => deliver(executor, delivery));
  oracles.watch(executor, clients);
  startExecutor(executor);
  const startRun = createStarter(world, library, clients);
  for (let started = world.random.integer(4); started >= 0; started--) startRun();
  nemesis.start(executor, { clients, startRun });
  while (!nemesis.isDone && world.violations.length === 0) world.run(world.time + 60_000);
  world.note("heal");
  tools.heal();
  clients.heal();
  nemesis.stop(executor);
  bringToEnd(executor, clients);
  if (world.violations.length === 0) oracles.judgeEnd();
  store.close();
  const { trace, violations } = world;
  const { crashes, messages } = executor;
  const { refusals } = clients;
  const outcome = {
    events: trace.events,
    hash: trace.hash,
    lastEvents: trace.last(),
    violations,
    crashes,
    messages,
    refusals,
  };
  return { seed, ...outcome, runs: store.runs.size, flows: library.flows, store };
}

/** Small, so that they are met. */
function drawLimits(random: Random): Limits {
  return { visits: 25, rows: 300, instant: random.pick([1, 3, 8, 100]), signals: 6, depth: 3, items: 50 };
}

/** Some at once; others when there is little left to break. */
function createStarter(world: World, library: Library, clients: Clients): () => void {
  const { random } = world;
  return () => {
    const { plan } = random.pick(library.flows);
    const run = world.newId();
    const at = random.chance(0.85) ? null : world.now + random.integer(7_200_000);
    const prepared = prepareInput(plan, drawInput(random));
    if (!prepared.ok) return;
    const { input } = prepared;
    const by = random.pick(people);
    const start = {
      uid: `u${run}`,
      name: plan.name ?? "nameless",
      input,
      by,
      via: null,
      at,
      parent: null,
      again: null,
    };
    world.after(random.integer(2000), () => clients.send(run, { kind: "start", run, ...start }, plan));
  };
}

/** People answer whatever waits, and time goes on in longer and longer strides. */
const rounds = 60;
const hourMs = 3_600_000;

function stride(round: number): number {
  if (round < 5) return 5000;
  return (round < 20 ? 6 : 20 * 24) * hourMs;
}

function bringToEnd(executor: Executor, clients: Clients): void {
  const { world, store } = executor;
  for (let round = 0; round < rounds && world.violations.length === 0; round++) {
    world.run(world.time + stride(round));
    const open = store.open();
    if (open.length === 0) return;
    for (const stored of open) {
      for (const body of answersFor(world.random, stored, round)) clients.send(stored.run.id, body);
    }
  }
}
