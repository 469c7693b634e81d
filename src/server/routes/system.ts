// What says how the service is: a little to whoever asks, the rest to whoever may see all runs.

import { hostname } from "node:os";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import type { Retention } from "../../engine/retention.ts";
import { StepwellError } from "../../error.ts";
import { isServerAddress } from "../../store/address.ts";
import type { SystemDocument } from "../contract.ts";
import type { App, Door } from "../door.ts";
import type { Entrance } from "../entrance.ts";
import { addRoute } from "../route.ts";
import { readVersion } from "../version.ts";

const statuses = { ok: 200, degraded: 503 } as const;

export function addHealthRoutes(app: App, engine: Engine, entrance: Entrance): void {
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

const instant = z.int().describe("Milliseconds since 1970");

const systemSchema: z.ZodType<SystemDocument> = z
  .object({
    version: z.string(),
    pid: z.int(),
    host: z.string(),
    started_at: instant,
    status: z.enum(["ok", "degraded"]),
    reasons: z.array(z.string()).describe("What keeps it from its work"),
    warnings: z.array(z.string()),
    store: z.object({
      kind: z.enum(["sqlite", "postgres", "memory"]),
      place: z.string().describe("Without a password"),
      bytes: z.int(),
      wal_bytes: z.int().nullable(),
    }),
    durability: z.string(),
    is_owner: z.boolean().describe("This process does the work"),
    owner: z
      .object({ pid: z.int(), host: z.string(), role: z.string(), since: instant, address: z.string().nullable() })
      .nullable()
      .describe("Who wrote last as the owner"),
    runs: z.object({ running: z.int(), scheduled: z.int(), paused: z.int() }).describe("Those that have not ended"),
    ready: z
      .object({ count: z.int(), oldest_at: instant.nullable() })
      .nullable()
      .describe("Steps that wait to be called; null: another process knows"),
    running_calls: z.int().nullable(),
    calls_max: z.int().nullable(),
    commit_ms: z
      .number()
      .nullable()
      .describe("What a commit takes of late; null: there was none, or another process knows"),
    steps_ended: z
      .object({ every_ms: z.int(), since: instant, counts: z.array(z.int()) })
      .nullable()
      .describe("By spans of time, oldest first, the last of which is not over; null: another process knows"),
    streams: z.int().describe("Those who follow runs"),
    memory_bytes: z.int(),
    retention: z
      .object({ age_ms: z.int().nullable(), runs_max: z.int().nullable(), bytes_max: z.int().nullable() })
      .nullable()
      .describe("What is kept of ended runs: so long, so many, in so many bytes; null: another process knows"),
    can_crash: z.boolean().describe("The plug can be pulled: POST /api/demo/crash"),
  })
  .openapi("System");

export function addSystemRoute(app: App, { canCrash }: { readonly canCrash: boolean }): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/system",
      about: "This process, its store and its work, in figures",
      tag: "System",
      right: "read",
      answer: systemSchema,
    },
    ({ engine }) => describeSystem(engine, canCrash),
  );
}

function toRetention(retention: Retention | undefined): SystemDocument["retention"] {
  if (retention === undefined) return null;
  return { age_ms: retention.ageMs, runs_max: retention.runsMax, bytes_max: retention.bytesMax };
}

async function describeSystem(engine: UserEngine, canCrash: boolean): Promise<SystemDocument> {
  // First, since it throws for whoever may not see all.
  const { live, space, owner, ready, commitMs = 0, ended, ...figures } = await engine.overview.figures();
  const { status, reasons, warnings, store, durability, isOwner } = await engine.health();
  const kind = isServerAddress(store) ? "postgres" : store === ":memory:" ? "memory" : "sqlite";
  return {
    version: readVersion(),
    pid: process.pid,
    host: hostname(),
    started_at: Math.round(Date.now() - process.uptime() * 1000),
    status,
    reasons: [...reasons],
    warnings: [...warnings],
    store: {
      kind,
      place: store,
      bytes: space.fileBytes,
      wal_bytes: kind === "sqlite" ? space.walBytes : null,
    },
    durability,
    is_owner: isOwner,
    owner:
      owner === null
        ? null
        : { pid: owner.pid, host: owner.host, role: owner.role, since: owner.since, address: owner.address },
    runs: { running: live.running ?? 0, scheduled: live.scheduled ?? 0, paused: live.paused ?? 0 },
    ready: ready === undefined ? null : { count: ready, oldest_at: figures.oldestReadyAt },
    running_calls: figures.callsUnderWay ?? null,
    calls_max: figures.callsMax ?? null,
    commit_ms: commitMs === 0 ? null : Math.round(commitMs * 100) / 100,
    steps_ended:
      ended === undefined ? null : { every_ms: ended.everyMs, since: ended.since, counts: [...ended.counts] },
    streams: figures.followers,
    memory_bytes: process.memoryUsage.rss(),
    retention: toRetention(figures.retention),
    can_crash: canCrash,
  };
}
