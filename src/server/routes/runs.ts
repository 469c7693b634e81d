// Runs: the seeds' `/api/workflow`, and all that can be done with one.

import { z } from "@hono/zod-openapi";
import { StepwellError } from "../../error.ts";
import type { Engine, StartOptions, UserEngine } from "../../engine/engine.ts";
import type { HistoryPart } from "../../engine/run-history.ts";
import type { RunId } from "../../run/model.ts";
import type { App } from "../door.ts";
import {
  jsonSchema,
  startedSchema,
  wholeRunSchema,
  type HistoryEntryDocument,
  type NumberedHistoryDocument,
  type StartedDocument,
} from "../contract.ts";
import { valueBytesMax } from "../document/omitted.ts";
import { toHistoryDocument } from "../document/run.ts";
import { toSeedDocument } from "../document/seed.ts";
import { readId, readInput } from "../reading.ts";
import { addRoute } from "../route.ts";
import type { Visitor } from "../visitor.ts";

const tag = "Runs";

const startBody = z.strictObject({
  name: z.string().min(1).max(200).optional().describe("What the run is called, or, without a flow, what is saved so"),
  flow: jsonSchema.optional().describe("A flow, its text, or the name of a saved workflow"),
  flow_json: jsonSchema.optional().describe("The same, as the seeds call it"),
  input: jsonSchema.optional(),
  input_json: jsonSchema.optional().describe("The same, as the seeds call it"),
  schedule: z
    .union([z.string().max(200), z.number()])
    .nullish()
    .describe('When: "tomorrow at 9am", "in 30 minutes", unix seconds or milliseconds'),
  tz: z.string().max(100).optional().describe("The time zone in which schedule is read, such as Europe/Berlin"),
  idempotency_key: z.string().min(1).max(200).optional().describe("In place of the header Idempotency-Key"),
});

type StartBody = z.output<typeof startBody>;

/** So many in one request. */
const batchMax = 1000;

export function addRunRoutes(app: App, program: Engine): void {
  addStarts(app);
  addReads(app, program);
  addVerbs(app);
  addMessages(app);
  addAgain(app);
  addPruning(app);
}

function addStarts(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow",
      about: "Start a run",
      tag,
      right: "start",
      body: startBody,
      answer: startedSchema,
      status: 201,
    },
    async ({ visitor, engine, body, context }) => {
      const started = await start(visitor, engine, body);
      context.header("location", `/api/workflow/${started.id}`);
      return started;
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/batch",
      about: "Start many runs; each is started or refused by itself",
      tag,
      right: "start",
      body: z.strictObject({ runs: z.array(startBody).min(1).max(batchMax) }),
      answer: z.object({ runs: z.array(jsonSchema) }),
    },
    async ({ visitor, body, context }) => {
      const key = context.req.header("idempotency-key");
      const begin = (each: StartBody, at: number): Promise<unknown> =>
        startOrTell(visitor, key === undefined ? each : { idempotency_key: `${key}/${at}`, ...each });
      return { runs: await Promise.all(body.runs.map(begin)) };
    },
  );
}

async function start({ user }: Visitor, engine: UserEngine, body: StartBody): Promise<StartedDocument> {
  const flow = body.flow ?? body.flow_json ?? body.name;
  if (flow === undefined)
    throw new StepwellError("INPUT_INVALID", "Say what to run: flow, or the name of a saved workflow.");
  const key = body.idempotency_key;
  const options: StartOptions = {
    input: readInput(body.input ?? body.input_json),
    as: user,
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(typeof body.schedule === "string" || typeof body.schedule === "number" ? { at: body.schedule } : {}),
    ...(body.tz === undefined ? {} : { tz: body.tz }),
  };
  const hand = key === undefined ? engine : engine.under(key);
  const { id, uid, status, scheduledAt, warnings } = await hand.start(flow, options);
  const isScheduled = status === "scheduled";
  return { id, uid, status: isScheduled ? status : "started", scheduled_at: scheduledAt ?? null, warnings };
}

async function startOrTell(visitor: Visitor, body: StartBody): Promise<unknown> {
  const { toProblem } = await import("../problem.ts");
  return start(visitor, visitor.engine, body).catch((error: unknown) => {
    // Who may start none of them is told so once.
    if (error instanceof StepwellError && error.code === "NOT_ALLOWED") throw error;
    return { problem: toProblem(error) };
  });
}

function addReads(app: App, program: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}",
      about: "One run with its steps",
      tag,
      right: "read",
      answer: wholeRunSchema,
    },
    async ({ engine, named }) => {
      const { steps, ...run } = await engine.get(readId(named("id")));
      const flow = await engine.flow(run.id);
      return toSeedDocument({ run, flow: run.flow, updatedAt: run.updatedAt, rows: steps }, flow);
    },
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/history",
      about: "What happened in a run, in order",
      tag,
      right: "read",
      query: z.object({
        after: z.coerce.number().int().min(0).optional().describe("Only what comes behind the entry of this number"),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(10_000)
          .optional()
          .describe("All, and all of them, unless given; else values over 64 KiB are left out"),
      }),
      answer: z.array(jsonSchema),
    },
    async ({ engine, visitor, named, query: { after = 0, limit } }) => {
      const run = readId(named("id"));
      if (limit === undefined)
        return (await engine.history(run)).slice(after).map(toHistoryDocument).map(numberFrom(after));
      const wish = { skip: after, limitMax: limit, bytesMax: valueBytesMax };
      const parts = await program.readsFor(visitor.asker).history(run, wish);
      return parts.map(toPartDocument).map(numberFrom(after));
    },
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/preview",
      about: "What cancelling now would abort and undo",
      tag,
      right: "read",
      answer: jsonSchema,
    },
    ({ engine, named }) => engine.preview(readId(named("id"))),
  );
}

function numberFrom(after: number): (entry: HistoryEntryDocument, at: number) => NumberedHistoryDocument {
  return (entry, at) => ({ n: after + at + 1, ...entry });
}

/** A value that was left out is told by its length; the step's own route has it. */
function toPartDocument({ entry, omitted }: HistoryPart): HistoryEntryDocument {
  const document = toHistoryDocument(entry);
  if (omitted === null) return document;
  const told = { $omitted: omitted };
  if (document.kind === "event") return { ...document, data: told };
  return document.kind === "ended" ? { ...document, result: told } : document;
}

/** The seeds lock by the instant of the last change. */
const changeQuery = z.object({
  updated_at: z.coerce.number().int().optional().describe("409 unless the run was last changed then"),
});

function toExpecting(updatedAt: number | undefined): { readonly expectedUpdatedAt?: number } {
  return updatedAt === undefined ? {} : { expectedUpdatedAt: updatedAt };
}

const answer = z.object({ id: z.int(), status: z.string() });

function addVerbs(app: App): void {
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/workflow/{id}",
      about: "Cancel a run, where its flow allows it",
      tag,
      right: "cancel",
      query: changeQuery.extend({ reason: z.string().max(1000).optional() }),
      answer,
    },
    async ({ engine, named, query: { reason, updated_at: expected } }) => {
      const id = readId(named("id"));
      await engine.cancel(id, { ...toExpecting(expected), ...(reason === undefined ? {} : { reason }) });
      return tell(engine, id);
    },
  );
  for (const verb of ["pause", "resume"] as const) {
    addRoute(
      app,
      {
        method: "post",
        path: `/api/workflow/{id}/${verb}`,
        about: verb === "pause" ? "Start nothing new in it" : "Let it go on",
        tag,
        right: "operate",
        query: changeQuery,
        answer,
      },
      async ({ engine, named, query }) => {
        const id = readId(named("id"));
        await engine[verb](id, toExpecting(query.updated_at));
        return tell(engine, id);
      },
    );
  }
}

/** What a run waits for. */
function addMessages(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{id}/signal",
      about: "Send it a signal",
      tag,
      right: "signal",
      body: z.strictObject({ name: z.string().min(1).max(200), data: jsonSchema.optional() }),
      answer,
    },
    async ({ engine, named, body }) => {
      const id = readId(named("id"));
      await engine.signal(id, body.name, body.data ?? null);
      return tell(engine, id);
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{id}/fire",
      about: "Fire a transition of a machine",
      tag,
      right: "answer",
      body: z.strictObject({
        transition: z.string().min(1).max(200),
        reason: z.string().max(1000).optional(),
        data: z.record(z.string(), jsonSchema).optional(),
      }),
      query: changeQuery,
      answer,
    },
    async ({ engine, named, query, body: { transition, reason, data } }) => {
      const id = readId(named("id"));
      await engine.fire(id, {
        ...toExpecting(query.updated_at),
        transition,
        ...(reason === undefined ? {} : { reason }),
        ...(data === undefined ? {} : { data }),
      });
      return tell(engine, id);
    },
  );
}

async function tell(engine: UserEngine, id: RunId): Promise<unknown> {
  const { status } = await engine.get(id);
  return { id, status };
}

const againBody = z.strictObject({
  from: z
    .union([z.string().max(200), z.int()])
    .optional()
    .describe("A step's name, or the id of one of its rows"),
  input: jsonSchema.optional(),
});

function addAgain(app: App): void {
  const abouts = {
    retry: "A new run of what failed; all else is taken over",
    rerun: "A new run that takes over everything before a step",
    fork: "The same with another input",
  } as const;
  for (const verb of ["retry", "rerun", "fork"] as const) {
    addRoute(
      app,
      {
        method: "post",
        path: `/api/workflow/{id}/${verb}`,
        about: abouts[verb],
        tag,
        right: "start",
        body: againBody,
        answer: startedSchema,
        status: 201,
      },
      async ({ engine, named, body: { from, input } }) => {
        const id = readId(named("id"));
        const place = from === undefined ? {} : { from };
        const { uid, ...started } =
          verb === "retry"
            ? await engine.retry(id)
            : verb === "rerun"
              ? await engine.rerun(id, place)
              : await engine.fork(id, { ...place, input: input ?? null });
        return { id: started.id, uid, status: "started", scheduled_at: null, warnings: started.warnings };
      },
    );
  }
}

function addPruning(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{id}/remove",
      about: "Remove a run that has ended, with its steps and its sub-runs",
      tag,
      right: "admin",
      answer: z.object({ runs: z.int().describe("How many there were, with its sub-runs") }),
    },
    async ({ engine, named }) => engine.remove(readId(named("id"))),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/prune",
      about: "Remove the ended runs of a name, with their steps and their sub-runs; live ones stay",
      tag,
      right: "admin",
      body: z.strictObject({
        workflow: z.string().min(1).max(200).describe("The name of the runs"),
        ended_before: z.int().nonnegative().optional().describe("Only what ended before this instant, in milliseconds"),
      }),
      answer: z.object({ runs: z.int().describe("How many there were, with their sub-runs") }),
    },
    async ({ engine, body: { workflow: name, ended_before: endedBefore } }) =>
      engine.prune({ name, ...(endedBefore === undefined ? {} : { endedBefore }) }),
  );
}
