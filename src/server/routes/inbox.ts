// What waits for a person, with the requests that answer it.

import { z } from "@hono/zod-openapi";
import type { UserEngine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import type { App } from "../door.ts";
import { jsonSchema } from "../contract.ts";
import { toChangedItem } from "../document/server.ts";
import { collectInbox, toInboxDocument, type InboxSource } from "../inbox.ts";
import { addRoute } from "../route.ts";
import { toAction } from "../waiting.ts";

const itemSchema = z
  .object({
    kind: z
      .string()
      .describe(
        "gate, state, uncertain, no_branch_matched, compensation_failed, tool_changed, poison; or changed_tool",
      ),
    workflow_id: z.int().nullable().describe("null: it is no run's, but a changed_tool"),
    workflow: z.string().nullable(),
    step_id: z.int().nullable(),
    step: z.string().nullable(),
    title: z.string(),
    message: z.string().nullable(),
    hash: z.string().nullable(),
    created_by: z.string().nullable(),
    since: z.int(),
    actions: z
      .array(z.object({ method: z.string(), path: z.string(), body: jsonSchema }))
      .describe("What answers it; STEP stands for the name of a step"),
  })
  .openapi("InboxItem");

/** So many live runs are looked at for one answer; the cursor leads on. */
const runsMax = 10_000;
/** Plans of flows, which never change, are kept for as many. */
const plansMax = 500;

export function addInboxRoutes(app: App): void {
  const plans = new Map<string, Plan | null>();
  addRoute(
    app,
    {
      method: "get",
      path: "/api/inbox",
      about: "What waits for a person, and with which requests it is answered",
      tag: "Runs",
      right: "read",
      query: z.object({
        limit: z.coerce.number().int().min(1).max(1000).default(50),
        cursor: z.coerce.number().int().positive().optional().describe("Only of runs older than this one"),
      }),
      answer: z.array(itemSchema),
    },
    async ({ engine, query: { limit, cursor }, context }) => {
      const wish = { limitMax: limit, runsMax, ...(cursor === undefined ? {} : { before: cursor }) };
      const { lines, next } = await collectInbox(toSource(engine, plans), wish);
      if (next !== null) context.header("x-next-cursor", String(next));
      const items = lines.map((line) => {
        const { row, answers } = line.item;
        const hash = row?.gate?.hash ?? null;
        return { ...toInboxDocument(line), actions: answers.map((answer) => toAction(answer, hash)) };
      });
      return cursor === undefined ? [...(await listChanged(engine)), ...items] : items;
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/emit",
      about: "Tell every run that waits for an event",
      tag: "Runs",
      right: "signal",
      body: z.strictObject({ event: z.string().min(1).max(200), data: jsonSchema.optional() }),
      answer: z.object({ runs: z.int() }),
    },
    async ({ engine, body: { event, data } }) => ({ runs: await engine.emit(event, (data ?? null) as Json) }),
  );
}

/** Tools of servers that are not what was agreed on, for those who may see more than their own runs. */
async function listChanged(engine: UserEngine): Promise<readonly JsonObject[]> {
  // Only who owns the store is connected to servers.
  if (!engine.isOwner) return [];
  const changes = await engine.lock.changes().catch((error: unknown) => {
    if (error instanceof StepwellError && error.code === "NOT_ALLOWED") return [];
    throw error;
  });
  return changes.map(toChangedItem);
}

/** With the rights of who looks: a run of another's is in no list. */
function toSource(engine: UserEngine, plans: Map<string, Plan | null>): InboxSource {
  return {
    list: (query) => engine.list(query),
    listRows: async (run) => (await engine.get(run)).steps,
    planOf: async ({ run, flow }) => {
      const known = plans.get(flow);
      if (known !== undefined) return known;
      const { plan } = validate(await engine.flow(run.id));
      if (plans.size >= plansMax) plans.clear();
      plans.set(flow, plan);
      return plan;
    },
  };
}
