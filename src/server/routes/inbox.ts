// What waits for a person, with the requests that answer it.

import { z } from "@hono/zod-openapi";
import type { Decided, DecisionQuery } from "../../engine/decisions.ts";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import type { RunReads } from "../../engine/run-reads.ts";
import { StepwellError } from "../../error.ts";
import type { RunId } from "../../run/model.ts";
import type { App } from "../door.ts";
import { jsonSchema, type DecisionDocument, type InboxItemDocument } from "../contract.ts";
import { decisionSchema, inboxItemSchema } from "../contract/inbox-schema.ts";
import { toInboxItem, type ItemReads } from "../document/inbox.ts";
import { toChangedItem } from "../document/server.ts";
import { collectInbox, type InboxSource, type InboxWish } from "../inbox.ts";
import { addRoute } from "../route.ts";

/** Of one run, where a gate looks back at them. */
const stepsMax = 5000;
/** So many live runs are looked at for one answer; the cursor leads on. */
const runsMax = 10_000;

/** Waiting, or answered of late. */
const inboxQuery = z.object({
  state: z.enum(["open", "done"]).default("open").describe("done: gates that people have answered, newest first"),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.coerce.number().int().positive().optional().describe("Only of runs older than this one"),
});

export function addInboxRoutes(app: App, program: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/inbox",
      about: "What waits for a person, and with which requests it is answered",
      tag: "Runs",
      right: "read",
      query: inboxQuery,
      answer: z.union([z.array(inboxItemSchema), z.array(decisionSchema)]),
    },
    async ({ engine, visitor, query: { state, limit, cursor }, context }) => {
      const reads = program.readsFor(visitor.asker);
      const before = cursor === undefined ? {} : { before: cursor };
      const page =
        state === "done"
          ? await listDone(reads, { limitMax: limit, ...before })
          : await listOpen(engine, reads, { limitMax: limit, runsMax, ...before });
      if (page.next !== null) context.header("x-next-cursor", String(page.next));
      return page.items;
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
    async ({ engine, body: { event, data } }) => ({ runs: await engine.emit(event, data ?? null) }),
  );
}

/** Tools of servers that are not what was agreed on, for those who may see more than their own runs. */
async function listChanged(engine: UserEngine): Promise<readonly InboxItemDocument[]> {
  // Only who owns the store is connected to servers.
  if (!engine.isOwner) return [];
  const changes = await engine.lock.changes().catch((error: unknown) => {
    if (error instanceof StepwellError && error.code === "NOT_ALLOWED") return [];
    throw error;
  });
  return changes.map(toChangedItem);
}

type Page<Item> = { readonly items: readonly Item[]; readonly next: number | null };

async function listOpen(engine: UserEngine, reads: RunReads, wish: InboxWish): Promise<Page<InboxItemDocument>> {
  const { lines, next } = await collectInbox(toInboxSource(engine, reads), wish);
  const items = await Promise.all(lines.map((line) => toInboxItem(line, toItemReads(reads, line.run.id))));
  return { items: wish.before === undefined ? [...(await listChanged(engine)), ...items] : items, next };
}

function toItemReads(reads: RunReads, run: RunId): ItemReads {
  return {
    find: (row) => reads.rowIn(run, row).catch(() => undefined),
    list: async () => (await reads.steps(run, stepsMax)).map(({ row }) => row),
  };
}

async function listDone(reads: RunReads, query: DecisionQuery): Promise<Page<DecisionDocument>> {
  const { decisions, next } = await reads.decisions(query);
  return { items: decisions.map(toDecisionDocument), next };
}

function toDecisionDocument({ run, row, by, at, outcome, comment }: Decided): DecisionDocument {
  const { id, name, status, title } = row;
  const where = { workflow_id: run.id, uid: run.uid, workflow: run.name, step_id: id, step: name, title };
  return { ...where, by, at, outcome, comment, status };
}

/** With the rights of who looks: a run of another's is in no list. */
export function toInboxSource(engine: UserEngine, reads: RunReads): InboxSource {
  return {
    list: (query) => engine.list(query),
    listRows: async (run) => (await reads.live(run)).map(({ row }) => row),
    planOf: (stored) => reads.planOf(stored),
  };
}
