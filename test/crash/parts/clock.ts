// A clock that jumps: timers fire at or after their time, each once, whatever the clock does meanwhile.

import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "../../../src/engine/engine.ts";
import { systemClock, type Clock } from "../../../src/engine/clock.ts";
import type { JsonObject } from "../../../src/flow/json.ts";
import { openEngine } from "../../../src/open-engine.ts";
import { placeIn, report, withFolder, type PartOptions, type PartReport } from "../part.ts";

const hourMs = 3_600_000;
/** By the hasty clock: five seconds. */
const soonMs = 75_000;

/** So many times faster do timers run, so that the watchdog, which looks every 30 s, comes by as well. */
const haste = 15;

/** The system's clock, moved by what is added to it. */
type JumpingClock = Clock & { jump(byMs: number): void };

function createJumpingClock(): JumpingClock {
  let offsetMs = 0;
  return {
    now: () => systemClock.now() + offsetMs,
    elapsed: () => systemClock.elapsed() * haste,
    after: (delayMs, act) => systemClock.after(delayMs / haste, act),
    turn: () => systemClock.turn(),
    jump: (byMs) => {
      offsetMs += byMs;
    },
  };
}

type Scene = { readonly engine: Engine; readonly clock: JumpingClock; readonly calls: string[] };

export async function runClock({ say }: PartOptions): Promise<PartReport> {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const [name, play] of scenes) {
    const problem = await withFolder((folder) => playScene(placeIn(folder).store, play));
    lines.push(`${name}: ${problem ?? "as it must"}`);
    say(lines.at(-1) ?? "");
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  return report("clock", lines, problems);
}

async function playScene(
  store: string,
  play: (scene: Scene) => Promise<string | undefined>,
): Promise<string | undefined> {
  const clock = createJumpingClock();
  const calls: string[] = [];
  const note = async (_input: unknown, context: { readonly idempotencyKey: string }): Promise<null> => {
    calls.push(context.idempotencyKey);
    return null;
  };
  const slow = async (): Promise<null> => {
    calls.push("slow");
    await wait(2500);
    return null;
  };
  const engine = await openEngine({ store, clock, tools: { note, slow } });
  try {
    return await play({ engine, clock, calls });
  } catch (error) {
    return String(error);
  } finally {
    await engine.stop({ now: true });
  }
}

function sleepFor(duration: string): JsonObject {
  return { start: { wait: duration, next: "after" }, after: { tool: "note", done: true } };
}

const scenes: readonly (readonly [string, (scene: Scene) => Promise<string | undefined>])[] = [
  [
    "an hour forward with a sleep of an hour",
    async ({ engine, clock, calls }) => {
      const run = await engine.start(sleepFor("1h"), {});
      clock.jump(hourMs);
      const { status } = await engine.result(run.id, { timeoutMs: soonMs });
      return status === "completed" && calls.length === 1 ? undefined : `${status}, ${calls.length} calls`;
    },
  ],
  [
    "a day forward with a hundred sleeps of all lengths",
    async ({ engine, clock, calls }) => {
      const runs = await Promise.all(Array.from({ length: 100 }, (_, at) => engine.start(sleepFor(`${at + 1}m`), {})));
      clock.jump(24 * hourMs);
      const ends = await Promise.all(runs.map(({ id }) => engine.result(id, { timeoutMs: soonMs })));
      const isDone = ends.every(({ status }) => status === "completed");
      return isDone && new Set(calls).size === 100 && calls.length === 100 ? undefined : `${calls.length} calls`;
    },
  ],
  [
    "an hour back with a short sleep, and forward again",
    async ({ engine, clock, calls }) => {
      const run = await engine.start(sleepFor("300ms"), {});
      clock.jump(-hourMs);
      await wait(1500);
      if (calls.length > 0) return "it fired before its time";
      clock.jump(hourMs);
      const { status } = await engine.result(run.id, { timeoutMs: soonMs });
      return status === "completed" && calls.length === 1 ? undefined : `${status}, ${calls.length} calls`;
    },
  ],
  [
    "an hour forward and back after a sleep has fired",
    async ({ engine, clock, calls }) => {
      const run = await engine.start(sleepFor("1h"), {});
      clock.jump(hourMs);
      await engine.result(run.id, { timeoutMs: soonMs });
      clock.jump(-hourMs);
      await wait(1500);
      clock.jump(2 * hourMs);
      await wait(1500);
      return calls.length === 1 ? undefined : `it fired ${calls.length} times`;
    },
  ],
  [
    "an hour forward during a call that may take two minutes",
    async ({ engine, clock, calls }) => {
      const run = await engine.start({ start: { tool: "slow", retry: false, done: true } }, {});
      while (calls.length === 0) await wait(5);
      clock.jump(hourMs);
      const { status, error } = await engine.result(run.id, { timeoutMs: soonMs });
      return status === "completed" ? undefined : `${status}: ${error?.code ?? ""}`;
    },
  ],
];
