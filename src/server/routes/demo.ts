// What the demo can do: its workflows go when nobody wants them any more, and the plug is pulled while a run is under way.

import { z } from "@hono/zod-openapi";
import type { Right } from "../../access/permission.ts";
import { notAllowed } from "../../access/policy.ts";
import { systemClock, type Clock, type Timer } from "../../engine/clock.ts";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import { hasEnded, type Row } from "../../run/model.ts";
import type { CleanedDemosDocument, CrashDocument, DemoDocument } from "../contract.ts";
import { cleanDemos, listDemos, readDemo } from "../demo-workflows.ts";
import type { App } from "../door.ts";
import { addRoute } from "../route.ts";
import type { Visitor } from "../visitor.ts";

/** Ends this process as `kill -9` would; whoever watches over it starts another. */
export type Plug = {
  readonly pull: () => void;
  /** By which it is waited for the moment; the system's unless given. */
  readonly clock?: Clock;
};

export type DemoParts = {
  readonly engine: Engine;
  /** null: nobody would start it again. */
  readonly plug: Plug | null;
};

const tag = "Demo";
/** Whose process is killed. */
const survivor = "survivor";

const demoSchema: z.ZodType<DemoDocument> = z
  .object({
    can_crash: z.boolean(),
    has_survived: z.boolean().describe("A run of the demo has come to its end though its process was killed"),
    demos: z.array(z.string()),
  })
  .openapi("Demo");

const cleanedSchema: z.ZodType<CleanedDemosDocument> = z
  .object({ removed: z.array(z.string()), kept: z.array(z.string()).describe("Somebody has changed them") })
  .openapi("CleanedDemos");

const crashSchema: z.ZodType<CrashDocument> = z
  .object({ run: z.object({ id: z.int(), uid: z.string() }) })
  .openapi("Crash");

/** Long enough into a step that everybody sees it run. */
const intoStepMs = 400;
/** A step that begins so soon is worth waiting for. */
const soonMs = 3000;
/** Then nobody expects it any more. */
const patienceMs = 10_000;

export function addDemoRoutes(app: App, { engine: program, plug }: DemoParts): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/demo",
      about: "The demo workflows that are still there, and whether the plug can be pulled",
      tag,
      right: "read",
      answer: demoSchema,
    },
    async ({ engine }) => ({
      can_crash: plug !== null,
      has_survived: await hasSurvived(engine),
      demos: await listDemos(engine),
    }),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/demo/clean",
      about: "Delete the demo workflows that nobody has changed",
      tag,
      right: "save",
      answer: cleanedSchema,
    },
    async ({ engine, visitor }) => {
      // There may be nothing left to delete, which would ask for it.
      await allow(program, visitor, "save");
      return cleanDemos(engine);
    },
  );
  addCrashRoute(app, { engine: program, plug });
}

function addCrashRoute(app: App, { engine: program, plug }: DemoParts): void {
  // There is one process to end: one wish for it is enough.
  let isPulling = false;
  addRoute(
    app,
    {
      method: "post",
      path: "/api/demo/crash",
      about: "Pull the plug: start a run, kill this process in the middle of a step, and see it go on in the next one",
      tag,
      right: "operate",
      body: z.strictObject({ run: z.int().optional().describe("One that is under way, in place of a new one") }),
      answer: crashSchema,
      status: 202,
    },
    async ({ engine, visitor, body: { run } }) => {
      await allow(program, visitor, "operate");
      if (plug === null) throw nobodyWatches();
      if (isPulling) throw alreadyPulling();
      isPulling = true;
      const free = (): void => void (isPulling = false);
      try {
        const chosen = run === undefined ? engine.start(readDemo(survivor)) : findLive(engine, run, clockOf(plug));
        const { id, uid } = await chosen;
        void pullWithin(program, id, plug).finally(free);
        return { run: { id, uid } };
      } catch (error) {
        free();
        throw error;
      }
    },
  );
}

/** So many of the newest are looked at. */
const survivorsMax = 5;

async function hasSurvived(engine: UserEngine): Promise<boolean> {
  const { runs } = await engine.overview.search({ name: survivor, status: "completed", limitMax: survivorsMax });
  for (const { run } of runs) if (await wasCutOff(engine, run.id)) return true;
  return false;
}

async function wasCutOff(engine: UserEngine, run: number): Promise<boolean> {
  try {
    return (await engine.get(run)).steps.some(({ interruptions }) => interruptions > 0);
  } catch (error) {
    // Its time was up between the search and this.
    if (error instanceof StepwellError && error.code === "RUN_NOT_FOUND") return false;
    throw error;
  }
}

/** For what no verb of the engine's stands for. */
async function allow(program: Engine, { asker }: Visitor, right: Right): Promise<void> {
  const rights = await program.access.rightsOf(asker);
  if (!rights.includes(right)) throw notAllowed(asker, right);
}

function nobodyWatches(): StepwellError {
  return new StepwellError("REFUSED", "Nobody would start this service again: the plug stays in.", {
    hint: "stepwell up --supervise, or stepwell up at a terminal with a store in a file; stepwell demo crash needs neither.",
    details: { code: "not_supervised" },
  });
}

function alreadyPulling(): StepwellError {
  return new StepwellError("REFUSED", "The plug is being pulled already: somebody else has asked for it.", {
    hint: "Ask again in ten seconds, if the service is still the same.",
    details: { code: "already_pulling" },
  });
}

function clockOf({ clock = systemClock }: Plug): Clock {
  return clock;
}

type LiveRun = { readonly id: number; readonly uid: string };

async function findLive(engine: UserEngine, run: number, clock: Clock): Promise<LiveRun> {
  const { id, uid, status, steps } = await engine.get(run);
  if (status !== "running") throw notRunning(`Run ${id} is ${status}: the plug is pulled while a step runs.`);
  if (steps.some((row) => isCall(row) || beginsSoon(row, clock.now()))) return { id, uid };
  throw notRunning(`No step of run ${id} runs, or begins in a moment: the plug is pulled while one does.`);
}

function notRunning(message: string): StepwellError {
  const hint = "Leave `run` out, and one is started for it.";
  return new StepwellError("REFUSED", message, { hint, details: { code: "not_running" } });
}

/** Not what waits for people, or for a run below it. */
function isCall({ status, tool }: Row): boolean {
  return status === "running" && tool !== null;
}

function beginsSoon({ status, alarms }: Row, now: number): boolean {
  if (status === "ready") return true;
  const isTimed = alarms.some(({ kind, at }) => (kind === "retry" || kind === "sleep") && at <= now + soonMs);
  return status === "pending" && isTimed;
}

/** As soon as one of its steps has run for a moment; not any more, if none does for long, or the run ends before. */
async function pullWithin(engine: Engine, run: number, plug: Plug): Promise<void> {
  const clock = clockOf(plug);
  const over = new AbortController();
  const patience = clock.after(patienceMs, () => over.abort());
  const timers = new Map<number, Timer>();
  const pull = (): void => {
    over.abort();
    plug.pull();
  };
  try {
    for await (const _ of engine.changes({ run, signal: over.signal })) {
      const seen = await engine.get(run);
      if (hasEnded(seen) || over.signal.aborted) break;
      const running = new Set(seen.steps.filter(isCall).map(({ id }) => id));
      for (const [step, timer] of timers) {
        if (running.has(step)) continue;
        timer.cancel();
        timers.delete(step);
      }
      for (const step of running) if (!timers.has(step)) timers.set(step, clock.after(intoStepMs, pull));
    }
  } catch {
    // The service stops, or the run is gone: nobody needs the plug any more.
  } finally {
    patience.cancel();
    for (const timer of timers.values()) timer.cancel();
  }
}
