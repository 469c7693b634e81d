// What is only looked at, on a server.

import type { JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { isLive, type Row, type RunId } from "../run/model.ts";
import type { RemoteEngine } from "../remote/remote-engine.ts";
import type { InboxItemDocument } from "../server/contract/inbox.ts";
import type { StepCount } from "../store/lookup.ts";
import { visitServer, type ServerWish } from "./server-place.ts";
import type { Ids, View } from "./view.ts";

export async function openServerView(url: string, wish: ServerWish): Promise<View> {
  const { client } = await visitServer(url, wish);
  const listRows = createRows(client);
  return {
    list: (query) => client.list(query),
    search: (search) => client.overview.search(search),
    read: async (run) => {
      const { steps, flow, updatedAt, ...row } = await client.get(run);
      return { run: row, flow, updatedAt, rows: steps };
    },
    listRows,
    historyOf: (run) => client.history(run),
    collectInbox: async (limitMax) => (await client.inbox(limitMax)).flatMap(toRunItem),
    listWorkflows: () => client.workflows.list(),
    ids: createIds(client, listRows),
    // The server tells nobody of what they may not see.
    isSeen: async () => true,
    allow: async () => {},
    getWorkflow: (reference) => client.workflows.get(reference),
    planOf: createPlans(client),
    [Symbol.asyncDispose]: () => client.stop(),
  };
}

/** Of each run once: a list asks for its steps twice. */
function createRows(client: RemoteEngine): View["listRows"] {
  const known = new Map<RunId, Promise<readonly Row[]>>();
  return (run) => {
    const rows = known.get(run) ?? client.get(run).then(({ steps }) => steps);
    known.set(run, rows);
    return rows;
  };
}

function createPlans(client: RemoteEngine): View["planOf"] {
  const plans = new Map<string, Plan | null>();
  return async ({ run, flow }) => {
    const known = plans.get(flow);
    if (known !== undefined) return known;
    const { validate } = await import("../flow/validate/validate.ts");
    const { plan } = validate(await client.flow(run.id));
    plans.set(flow, plan);
    return plan;
  };
}

function createIds(client: RemoteEngine, listRows: View["listRows"]): Ids {
  const find = (text: string): ReturnType<RemoteEngine["overview"]["find"]> => client.overview.find(text);
  return {
    hasRun: async (run) => (await find(String(run))).runs.includes(run),
    runOfUid: async (uid) => (await find(uid)).runs[0],
    runOfStep: async (step) => (await find(String(step))).steps[0]?.run,
    // Steps by the beginning of their ids: those that wait for somebody.
    findIds: async (kind, digits) =>
      kind === "run" ? (await find(digits)).runs : findWaiting(await client.inbox(waitingMax), digits),
    // Which other runs there are, nobody asks a server: with themselves beside them, ids are shown whole.
    findNeighbours: async (runs) => new Map(runs.map((run) => [run, [run]])),
    countSteps: async (runs) => {
      const { readRowsOf } = await import("../server/inbox.ts");
      const rows = await readRowsOf({ listRows }, runs);
      return new Map(runs.map((run) => [run, countSteps(rows.get(run) ?? [])]));
    },
  };
}

const waitingMax = 1000;

function findWaiting(inbox: readonly JsonObject[], digits: string): readonly number[] {
  const ids = inbox.flatMap(({ step_id: id }) => (typeof id === "number" && String(id).startsWith(digits) ? [id] : []));
  return [...new Set(ids)].slice(0, 2);
}

/** As a store counts them. */
function countSteps(rows: readonly Row[]): StepCount {
  const steps = rows.filter(({ role }) => role === "step");
  const done = steps.filter((row) => (row.status === "done" || row.status === "skipped") && !isLive(row));
  return { done: countNames(done), all: countNames(steps) };
}

function countNames(rows: readonly Row[]): number {
  return new Set(rows.map(({ step }) => step)).size;
}

/** What is no run's in particular is shown elsewhere. */
function toRunItem(document: JsonObject): readonly InboxItemDocument[] {
  // The server says it in the words of the contract.
  return typeof document["workflow_id"] === "number" ? [document as unknown as InboxItemDocument] : [];
}
