// The one who breaks things, at random but by the seed: crashes, pauses, lost memory, failing commits, clocks that jump,
// and people who say whatever comes to their minds. Until it is told to stop.

import { crashExecutor, forget, pauseExecutor, resetTimer, resumeExecutor, startExecutor } from "./executor.ts";
import type { Clients } from "./clients.ts";
import { beginAgain } from "./beginners.ts";
import { answerFor, anyMessage } from "./people.ts";
import type { Executor } from "./process.ts";
import type { CommitFault } from "./store.ts";
import type { Random } from "../random.ts";
import type { World } from "./world.ts";

export interface Nemesis {
  /** It has done all it wanted. */
  readonly isDone: boolean;
  start(executor: Executor, outside: Outside): void;
  drawCommitFault(): CommitFault;
  /** All faults stop; what is down or paused comes back. */
  stop(executor: Executor): void;
}

type Outside = { readonly clients: Clients; readonly startRun: () => void };

/** A seed has its own weather: some have no crashes, some nothing else. */
type Weather = {
  readonly refused: number;
  readonly crashed: number;
  readonly jumps: boolean;
  readonly troubles: number;
};

export function createNemesis(world: World): Nemesis {
  const { random } = world;
  const weather: Weather = {
    refused: random.pick([0, 0.01, 0.05, 0.2]),
    crashed: random.pick([0, 0, 0.005, 0.02]),
    jumps: random.chance(0.4),
    troubles: random.pick([0.05, 0.2, 0.4]),
  };
  let left = 15 + random.integer(60);
  return {
    get isDone() {
      return left <= 0;
    },
    start(executor, outside) {
      const next = (): void => {
        world.after(drawGap(world), () => {
          if (left <= 0) return;
          left -= 1;
          if (random.chance(weather.troubles)) makeTrouble(executor, weather);
          else speakUp(executor, outside);
          next();
        });
      };
      next();
    },
    drawCommitFault() {
      if (left <= 0 || !random.chance(weather.refused + 2 * weather.crashed)) return "none";
      if (random.chance(weather.refused / (weather.refused + 2 * weather.crashed))) return "refused";
      return random.pick(["crash_before", "crash_after"]);
    },
    stop(executor) {
      left = 0;
      if (!executor.isUp) startExecutor(executor);
      resumeExecutor(executor);
    },
  };
}

/** Bursts, then silence: some faults must meet while one call is under way, others days apart. */
function drawGap({ random }: World): number {
  if (random.chance(0.75)) return random.integer(800);
  return random.chance(0.7) ? random.integer(120_000) : random.integer(20 * 3_600_000);
}

function makeTrouble(executor: Executor, { jumps }: Weather): void {
  const { world } = executor;
  const { random } = world;
  switch (random.integer(jumps ? 7 : 6)) {
    case 0:
    case 1:
      return crashExecutor(executor, { reason: "at any time", downMs: drawDownMs(random) });
    case 2:
      world.note("memory lost");
      return forget(executor);
    case 3: {
      world.note("pause");
      pauseExecutor(executor);
      const { life } = executor;
      world.after(random.integer(30_000), () => {
        if (executor.life === life) resumeExecutor(executor);
      });
      return undefined;
    }
    case 4:
      return crashExecutor(executor, { reason: "for a moment", downMs: 0 });
    case 5:
      return crashAgainAndAgain(executor);
    default: {
      const by = random.pick([-3_600_000, -5000, 5000, 3_600_000, 86_400_000]);
      world.note(`clock ${by}`);
      world.jumpClock(by);
      return resetTimer(executor);
    }
  }
}

/** A call that takes long is cut off by each: it looks like poison. */
function crashAgainAndAgain(executor: Executor): void {
  const { world } = executor;
  for (const turn of [0, 1, 2, 3]) {
    world.after(turn * 60, () => crashExecutor(executor, { reason: "again and again", downMs: 20 }));
  }
}

function drawDownMs(random: Random): number {
  return random.chance(0.8) ? random.integer(3000) : random.integer(3_600_000);
}

/** Mostly an answer to what waits; sometimes just a word. */
function speakUp({ world, store }: Executor, { clients, startRun }: Outside): void {
  const { random } = world;
  const open = store.open();
  if (open.length < 2 && random.chance(0.5)) return startRun();
  const runs = open.length === 0 || random.chance(0.05) ? [...store.runs.values()] : open;
  if (runs.length === 0) return;
  const stored = random.pick(runs);
  if (random.chance(0.05)) return beginAgain(world, random.pick([...store.runs.values()]), clients);
  const rows = random.shuffle([...stored.rows.values()]);
  const answer = random.chance(0.65)
    ? rows.map((row) => answerFor(random, stored, row, 0)).find((body) => body !== undefined)
    : undefined;
  if (answer !== undefined) clients.send(stored.run.id, answer);
  else if (rows.length > 0) clients.send(stored.run.id, anyMessage(random, stored));
}
