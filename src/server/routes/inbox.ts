// What waits for a person, with the requests that answer it.

import { z } from "@hono/zod-openapi";
import type { Decided, DecisionQuery } from "../../engine/decisions.ts";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import type { RunReads } from "../../engine/run-reads.ts";
import { StepwellError } from "../../error.ts";
import type { App } from "../door.ts";
import { jsonSchema, type DecisionDocument, type InboxItemDocument } from "../contract.ts";
import { decisionSchema, inboxItemSchema } from "../contract/inbox-schema.ts";
import { listInboxItems, type ItemSource } from "../document/inbox.ts";
import { toChangedItem } from "../document/server.ts";
import { collectInbox, type InboxPlace, type InboxWish } from "../inbox.ts";
import { addRoute } from "../route.ts";

/** So many live runs are looked at for one answer; the cursor leads on. */
const runsMax = 10_000;

/** Waiting, or answered of late. */
const inboxQuery = z.object({
  state: z.enum(["open", "done"]).default("open").describe("done: gates that people have answered, newest first"),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,16}(?::\d{1,16})?$/u)
    .optional()
    .describe("Only what comes behind it, as the header x-next-cursor of the page before said it"),
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
      const behind = cursor === undefined ? null : readPlace(cursor);
      const page =
        state === "done"
          ? await listDone(reads, { limitMax: limit, ...(behind === null ? {} : { before: behind.run }) })
          : await listOpen(engine, reads, { limitMax: limit, runsMax, ...(behind === null ? {} : { behind }) });
      if (page.next !== null) context.header("x-next-cursor", page.next);
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

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** `17`: behind all of run 17; `17:23`: behind what waits with its row 23. */
function readPlace(cursor: string): InboxPlace {
  const [run, row] = cursor.split(":").map(Number);
  return { run: run ?? 0, row: row ?? null };
}

function showPlace({ run, row }: InboxPlace): string {
  return row === null ? String(run) : `${run}:${row}`;
}

async function listOpen(engine: UserEngine, reads: RunReads, wish: InboxWish): Promise<Page<InboxItemDocument>> {
  const { items, next } = await listInboxItems(toItemSource(engine, reads), wish);
  const changed = wish.behind === undefined ? await listChanged(engine) : [];
  return { items: [...changed, ...items], next: next === null ? null : showPlace(next) };
}

/** What people have to do something about: a machine that rests in a state waits for nobody. */
export async function countOpen(engine: UserEngine, reads: RunReads, limitMax: number): Promise<number> {
  const [{ items }, changed] = await Promise.all([
    collectInbox(toItemSource(engine, reads), { limitMax, runsMax, hasStates: false }, async ({ item }) => item.kind),
    listChanged(engine),
  ]);
  return items.length + changed.length;
}

async function listDone(reads: RunReads, query: DecisionQuery): Promise<Page<DecisionDocument>> {
  const { decisions, next } = await reads.decisions(query);
  return { items: decisions.map(toDecisionDocument), next: next === null ? null : String(next) };
}

function toDecisionDocument({ run, row, by, at, outcome, comment }: Decided): DecisionDocument {
  const { id, name, status, title } = row;
  const where = { workflow_id: run.id, uid: run.uid, workflow: run.name, step_id: id, step: name, title };
  return { ...where, by, at, outcome, comment, status };
}

/** With the rights of who looks: a run of another's is in no list. */
function toItemSource(engine: UserEngine, reads: RunReads): ItemSource {
  return {
    search: (search) => engine.overview.search(search),
    planOf: (stored) => reads.planOf(stored),
    ...reads.given,
  };
}
