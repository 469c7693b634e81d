// Runs by what is in them, newest first.

import { z } from "@hono/zod-openapi";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import { noSteps } from "../../engine/doing.ts";
import { StepwellError } from "../../error.ts";
import type { RunSearch } from "../../store/search.ts";
import type { App } from "../door.ts";
import { listedRunSchema } from "../contract.ts";
import { toCountsDocument } from "../document/overview.ts";
import { toRunDocument } from "../document/run.ts";
import { addRoute } from "../route.ts";
import { pageBytesMax, readField, readMoment, readStatuses, readTriggers, statusWords } from "../searching.ts";

const listQuery = z.object({
  status: z
    .string()
    .max(200)
    .optional()
    .describe("scheduled, running, paused, completed, failed, cancelled, live or all; several with commas"),
  workflow: z.string().max(200).optional().describe("Only runs of this name"),
  created_by: z.string().max(200).optional(),
  since: z.string().max(50).optional().describe("Created since then: milliseconds, ISO 8601, or so long ago (2h)"),
  until: z.string().max(50).optional().describe("Created before then"),
  text: z.string().max(200).optional().describe("In the name, input, output or error, in capitals or not"),
  field: z.string().max(1000).optional().describe("What the input has at a place: order.no=17"),
  trigger: z
    .string()
    .max(200)
    .optional()
    .describe(
      "What set it going: child, retry, rerun, fork, schedule, page, mcp, token, direct; person, run for several",
    ),
  id: z
    .string()
    .max(1000)
    .optional()
    .describe("Only this run: its id, the beginning of it, or its uid; several with commas"),
  with: z.enum(["steps"]).optional().describe("Also how many steps each has, by the status of their newest try"),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe("Only runs older than this one: the last id of a page"),
});

export function addRunListRoute(app: App, program: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/workflow",
      about: "Runs, newest first; cancelled ones only when asked for",
      tag: "Runs",
      right: "read",
      query: listQuery,
      answer: z.array(listedRunSchema),
    },
    async ({ engine, visitor, query, context }) => {
      const { runs, next } = await engine.overview.search({
        ...toSearch(query),
        ...(await findNamed(engine, query.id)),
      });
      if (next !== null) context.header("x-next-cursor", String(next));
      if (query.with === undefined) return runs.map(toRunDocument);
      const sums = await program.readsFor(visitor.asker).sumSteps(runs.map(({ run }) => run));
      return runs.map((stored) => {
        const found = sums.get(stored.run.id) ?? noSteps;
        return { ...toRunDocument(stored), steps: toCountsDocument(found), doing: found.doing };
      });
    },
  );
}

/** Who is not found is not in the list: that is no mistake. A step stands for its run. */
async function findNamed(engine: UserEngine, text: string | undefined): Promise<Pick<Partial<RunSearch>, "ids">> {
  if (text === undefined) return {};
  const found = await Promise.all(text.split(",").map((one) => engine.overview.find(one.trim())));
  return { ids: found.flatMap(({ runs, steps }) => [...runs, ...steps.map(({ run }) => run)]) };
}

function toSearch(query: z.output<typeof listQuery>): Partial<RunSearch> {
  const { limit, workflow, created_by: createdBy, cursor, text } = query;
  const statuses = readStatuses(query.status);
  if (!statuses.ok)
    throw new StepwellError("INPUT_INVALID", `"status": there is no status "${statuses.word}".`, {
      hint: statusWords.join(", "),
    });
  const field = given("field", query.field, readField);
  const triggers = given("trigger", query.trigger, readTriggers);
  const createdAfter = given("since", query.since, (since) => readMoment(since, Date.now()));
  const createdBefore = given("until", query.until, (until) => readMoment(until, Date.now()));
  return {
    ...statuses.wanted,
    limitMax: limit,
    bytesMax: pageBytesMax,
    ...(workflow === undefined ? {} : { name: workflow }),
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(text === undefined || text === "" ? {} : { text }),
    ...(field === undefined ? {} : { field }),
    ...(triggers === undefined ? {} : { triggers }),
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
  };
}

/** What was given and cannot be read is refused. */
function given<Value>(
  name: string,
  text: string | undefined,
  read: (text: string) => Value | undefined,
): Value | undefined {
  const value = text === undefined ? undefined : read(text);
  if (text !== undefined && value === undefined)
    throw new StepwellError("INPUT_INVALID", `"${name}": "${text}" cannot be read.`, {
      hint: "since=2h, since=2026-11-16T09:00:00Z, until=1774093092892, field=order.no=17, trigger=schedule",
    });
  return value;
}
