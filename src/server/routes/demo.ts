// What the demo can do: its workflows go when nobody wants them any more, and the plug is pulled while a run is under way.

import { z } from "@hono/zod-openapi";
import type { Right } from "../../access/permission.ts";
import { notAllowed } from "../../access/policy.ts";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { CleanedDemosDocument, CrashDocument, DemoDocument } from "../contract.ts";
import { cleanDemos, listDemos, readDemo } from "../demo-workflows.ts";
import type { App } from "../door.ts";
import { addRoute } from "../route.ts";
import type { Visitor } from "../visitor.ts";

/** Ends this process as `kill -9` would; whoever watches over it starts another. */
export type Plug = { readonly pull: () => void };

export type DemoParts = {
  readonly engine: Engine;
  /** null: nobody would start it again. */
  readonly plug: Plug | null;
};

const tag = "Demo";

const demoSchema: z.ZodType<DemoDocument> = z
  .object({ can_crash: z.boolean(), demos: z.array(z.string()) })
  .openapi("Demo");

const cleanedSchema: z.ZodType<CleanedDemosDocument> = z
  .object({ removed: z.array(z.string()), kept: z.array(z.string()).describe("Somebody has changed them") })
  .openapi("CleanedDemos");

const crashSchema: z.ZodType<CrashDocument> = z
  .object({ run: z.object({ id: z.int(), uid: z.string() }) })
  .openapi("Crash");

/** Long enough into a step that everybody sees it run. */
const intoStepMs = 400;

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
    async ({ engine }) => ({ can_crash: plug !== null, demos: await listDemos(engine) }),
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
      const { id, uid } = await (run === undefined ? engine.start(readDemo("survivor")) : findLive(engine, run));
      void pullWithin(program, id, plug);
      return { run: { id, uid } };
    },
  );
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

async function findLive(engine: UserEngine, run: number): Promise<{ readonly id: number; readonly uid: string }> {
  const { id, uid, status } = await engine.get(run);
  if (status === "running") return { id, uid };
  throw new StepwellError("REFUSED", `Run ${id} is ${status}: the plug is pulled while a step runs.`, {
    hint: "Leave `run` out, and one is started for it.",
    details: { code: "not_running" },
  });
}

/** As soon as one of its steps has run for a moment; never, if the run ends before. */
async function pullWithin(engine: Engine, run: number, plug: Plug): Promise<void> {
  const timers = new Map<number, NodeJS.Timeout>();
  try {
    for await (const { step, status } of engine.watch(run)) {
      if (step === null) continue;
      if (status === "running" && timers.has(step)) continue;
      clearTimeout(timers.get(step));
      timers.delete(step);
      if (status === "running") timers.set(step, setTimeout(plug.pull, intoStepMs));
    }
  } catch {
    // The service stops, or the run is gone: nobody needs the plug any more.
  } finally {
    for (const timer of timers.values()) clearTimeout(timer);
  }
}
