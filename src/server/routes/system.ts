// What says how the service is, to whoever asks.

import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { App, Door } from "../door.ts";
import type { Entrance } from "../entrance.ts";
import { readVersion } from "../version.ts";

const statuses = { ok: 200, degraded: 503 } as const;

export function addSystemRoutes(app: App, engine: Engine, entrance: Entrance): void {
  app.get("/health", async (context) => {
    const { isOwner, ...health } = await engine.health();
    const { status, reasons, store } = health;
    const told = (await isKnown(context, entrance))
      ? { ...health, is_owner: isOwner, version: readVersion() }
      : // Where the store is, and of which kind, is nobody's business.
        { status, reasons: reasons.map((reason) => withoutPlace(reason, store)) };
    return context.json({ ...told, now: Date.now() }, statuses[status]);
  });
  // The same for everybody, and it takes a while to make.
  let described: string | undefined;
  app.get("/api/openapi.json", (context) => {
    described ??= JSON.stringify(describeAll(app));
    return context.body(described, 200, { "content-type": "application/json" });
  });
}

function withoutPlace(reason: string, store: string): string {
  return reason.replaceAll(store, "The store").replaceAll(/\S+:\d{2,5}\b/gu, "its address");
}

/** A store that does not answer knows nobody, and must not keep whoever asks how it is. */
const knowsWithinMs = 1000;

async function isKnown(context: Context<Door>, { letIn, identify }: Entrance): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), knowsWithinMs);
  // Whoever guesses tokens is counted; who only looks is not, however often they do.
  const hasCredentials = ["authorization", "cookie"].some((name) => context.req.header(name) !== undefined);
  const known = (hasCredentials ? letIn : identify)(context).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StepwellError && error.code === "TOO_MANY_REQUESTS") throw error;
      return false;
    },
  );
  return Promise.race([promise, known]).finally(() => clearTimeout(timer));
}

function describeAll(app: App): object {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Stepwell",
      version: readVersion(),
      description: "Workflows, runs, and what can be done with them.",
    },
  });
}
