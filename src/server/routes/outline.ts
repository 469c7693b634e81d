// A run as its page reads it: little at once, whatever the run holds, and all else piece by piece.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import type { RunOutline, RunReads } from "../../engine/run-reads.ts";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import type { Row, RowId, RunId } from "../../run/model.ts";
import type { Brief } from "../../store/brief.ts";
import { resultBytesMax } from "../../tool/result.ts";
import type { App, Door } from "../door.ts";
import { jsonSchema, rowStatuses, type InboxItemDocument } from "../contract.ts";
import { briefStepSchema, outlineSchema, outlineStepSchema } from "../contract/outline-schema.ts";
import { createGraphs } from "../document/graph.ts";
import { createItemReads, toInboxItem } from "../document/inbox.ts";
import { toOutlineDocument } from "../document/outline.ts";
import { toBriefStep, toOutlineStep } from "../document/step.ts";
import { valueBefore } from "../document/value-before.ts";
import { readId } from "../reading.ts";
import { addRoute } from "../route.ts";
import { listWaiting } from "../waiting.ts";

const tag = "Runs";

export function addOutlineRoutes(app: App, engine: Engine): void {
  const graphOf = createGraphs();
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/outline",
      about: "A run at a glance: its steps without their values, its graph, what it waits for, what can be done",
      tag,
      right: "read",
      answer: outlineSchema,
    },
    async ({ visitor, named }) => {
      const reads = engine.readsFor(visitor.asker);
      const outline = await reads.outline(readId(named("id")));
      const [waiting, rights] = await Promise.all([listItems(reads, outline), engine.access.rightsOf(visitor.asker)]);
      const graph = outline.plan === null ? null : graphOf(outline.plan);
      return toOutlineDocument(outline, { graph, waiting, rights, user: visitor.user });
    },
  );
  addSteps(app, engine);
  addValue(app, engine);
}

/** So many of one run; more are in the inbox. */
const waitingMax = 100;

async function listItems(reads: RunReads, outline: RunOutline): Promise<readonly InboxItemDocument[]> {
  const { stored, waits, plan } = outline;
  const { run } = stored;
  const items = listWaiting(
    run,
    waits.map(({ row }) => row),
    plan,
  );
  const known = createItemReads(reads.given, run.id);
  return Promise.all(items.slice(0, waitingMax).map((item) => toInboxItem({ run, item, plan }, known)));
}

const pageQuery = z.object({
  serves: z.coerce.number().int().positive().optional().describe("Only the items of this each, by their numbers"),
  status: z.enum(rowStatuses).optional().describe("Of items: only those of this status"),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.coerce.number().int().min(0).optional().describe("Only items behind the one of this number"),
});

function addSteps(app: App, engine: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/steps",
      about: "Items of an each, the newest try of each of them, without their values; or the newest steps of a run",
      tag,
      right: "read",
      query: pageQuery,
      answer: z.array(outlineStepSchema),
    },
    async ({ visitor, named, query: { serves, status, limit, cursor }, context }) => {
      const reads = engine.readsFor(visitor.asker);
      const run = readId(named("id"));
      const stored = await reads.find(run);
      const plan = await reads.planOf(stored);
      if (serves === undefined) return (await reads.steps(run, limit)).map((brief) => toOutlineStep(run, brief, plan));
      const items = await reads.items({
        run,
        each: serves,
        limitMax: limit,
        ...(status === undefined ? {} : { status }),
        ...(cursor === undefined ? {} : { after: cursor }),
      });
      const last = items.at(-1)?.row.index ?? null;
      if (items.length === limit && last !== null) context.header("x-next-cursor", String(last));
      return items.map((brief) => toOutlineStep(run, brief, plan));
    },
  );
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/steps/{step_id}",
      about: "One step; values over 64 KiB only when asked for by themselves",
      tag,
      right: "read",
      query: z.object({
        part: z
          .enum(["args", "result", "error", "errors", "previous"])
          .optional()
          .describe("This value alone, whole; `previous` is what led to the step: of a gate, what is approved"),
      }),
      answer: briefStepSchema,
    },
    async ({ visitor, named, query: { part }, context }) => {
      const reads = engine.readsFor(visitor.asker);
      const [run, id] = [readId(named("id")), readId(named("step_id"))];
      const row = await reads.row(run, id);
      if (part === "previous") return toFile(context, await readBefore(reads, run, row), `step-${id}-previous.json`);
      if (part !== undefined) return toFile(context, row[part], `step-${id}-${part}.json`);
      return toBriefStep(run, row, await reads.planOf(await reads.find(run)));
    },
  );
}

/** What branches have brought together: so much as sixteen of the largest results. All of it is in memory at once. */
const arrivedBytesMax = 16 * resultBytesMax;

async function listArrived({ given }: RunReads, run: RunId, fork: RowId): Promise<readonly Brief[]> {
  const arrived = await given.listArrivals(run, fork);
  const bytes = arrived.reduce((sum, { lastBytes }) => sum + lastBytes, 0);
  if (bytes <= arrivedBytesMax) return arrived;
  const message = `${arrived.length} branches of run ${run} have brought ${bytes} bytes; at most ${arrivedBytesMax} are told at once.`;
  throw new StepwellError("TOO_LARGE", message, { hint: "Ask for the `result` of the steps one by one." });
}

/** As whole as it was handed to the step. */
async function readBefore(reads: RunReads, run: RunId, row: Row): Promise<Json> {
  const stored = await reads.find(run);
  const plan = await reads.planOf(stored);
  return valueBefore(
    { run: stored.run, row, plan },
    {
      find: async (ids) => {
        const found = new Map<RowId, { readonly row: Row; readonly resultBytes: null }>();
        for (const id of ids) found.set(id, { row: await reads.rowIn(run, id), resultBytes: null });
        return found;
      },
      arrivals: (fork) => listArrived(reads, run, fork),
      newest: (step) => reads.given.findNewest(run, step),
      bytesMax: Number.POSITIVE_INFINITY,
    },
  );
}

function addValue(app: App, engine: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow/{id}/value",
      about: "One value of a run, whole",
      tag,
      right: "read",
      query: z.object({ part: z.enum(["input", "output", "error", "data"]) }),
      answer: jsonSchema,
    },
    async ({ visitor, named, query: { part }, context }) => {
      const id = readId(named("id"));
      const { run } = await engine.readsFor(visitor.asker).find(id);
      return toFile(context, run[part], `run-${id}-${part}.json`);
    },
  );
}

/** A browser that is led here saves it; whoever reads it has plain JSON. */
function toFile(context: Context<Door>, value: Json, name: string): Response {
  return context.body(JSON.stringify(value), 200, {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${name}"`,
  });
}
