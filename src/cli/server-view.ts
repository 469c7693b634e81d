// What is only looked at, on a server.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { isLive, type Row, type RunId } from "../run/model.ts";
import type { RemoteEngine } from "../remote/remote-engine.ts";
import type { InboxLine } from "../server/inbox.ts";
import type { Answer } from "../server/waiting.ts";
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
    collectInbox: async (limitMax) => (await client.inbox(limitMax)).filter(isOfRun).map(toInboxLine),
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
function isOfRun({ workflow_id: run }: JsonObject): boolean {
  return typeof run === "number";
}

/** A document of the inbox, which says the same in other words. */
function toInboxLine(document: JsonObject): InboxLine {
  const told = document as {
    readonly kind: InboxLine["item"]["kind"];
    readonly workflow_id: number;
    readonly workflow: string;
    readonly created_by: string;
    readonly step_id: number | null;
    readonly step: string | null;
    readonly title: string;
    readonly message: string | null;
    readonly hash: string | null;
    readonly since: number;
    readonly actions: Json;
  };
  const { hash, title, message, step_id: id, step } = told;
  const gate = hash === null ? null : { title, message, hash, reminders: 0, answers: [] };
  const answers = isArray(told.actions) ? told.actions.flatMap(toAnswer) : [];
  return {
    run: { id: told.workflow_id, name: told.workflow, createdBy: told.created_by },
    item: {
      kind: told.kind,
      row: id === null ? null : { id, name: step ?? "", gate },
      since: told.since,
      title,
      answers,
    },
  };
}

/** `{ method: "POST", path: "/api/workflow/12/resolve", body: { how: "retry" } }` is `resolve 12 retry`. */
function toAnswer(action: Json): readonly Answer[] {
  if (!isObject(action)) return [];
  const { path, body } = action;
  const [, id = "", verb = "cancel"] =
    typeof path === "string" ? (/^\/api\/workflow\/(\d+)(?:\/(\w+))?$/u.exec(path) ?? []) : [];
  const given = isObject(body) ? body : {};
  const word = ["outcome", "how", "step", "transition"]
    .map((name) => own(given, name))
    .find((said) => said !== undefined);
  const said = word === null ? "end" : typeof word === "string" ? word : null;
  return [{ verb: verb as Answer["verb"], id: Number(id), word: said }];
}
