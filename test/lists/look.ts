// What can be seen of a store, by whoever has the engine or the store in hand.

import type { RunView } from "../../src/engine/engine.ts";
import { hasEnded, type RunId } from "../../src/run/model.ts";
import type { LoadedRun } from "../../src/store/store.ts";
import type { Life } from "./life.ts";

export type Sight = {
  /** All runs, newest first. */
  readonly runs: readonly SeenRun[];
  /** The ids and texts of those that are new or have changed since. */
  readonly news: string;
};

type SeenRun = { readonly view: RunView; readonly text: string };

const all = { status: "all", limitMax: 1000 } as const;

export const emptySight: Sight = { runs: [], news: "" };

/** What has ended before does not change any more: it is read again at the end. */
export async function look({ engine, store }: Life, before: Sight): Promise<Sight> {
  const known = new Map<RunId, SeenRun>(before.runs.map((seen) => [seen.view.id, seen]));
  const listed = await engine.list(all);
  const runs = await Promise.all(
    listed.map(async (stored): Promise<SeenRun> => {
      const { id, version, status } = stored.run;
      const seen = known.get(id);
      if (seen !== undefined && hasEnded(seen.view) && seen.view.version === version && seen.view.status === status)
        return seen;
      // As `get` shows it; that it does is seen at the end, and so are events.
      const view = { ...stored.run, flow: stored.flow, updatedAt: stored.updatedAt, steps: await store.listRows(id) };
      return { view, text: JSON.stringify({ ...view, startKey: stored.startKey }) };
    }),
  );
  const news = runs.map(({ view: { id }, text }) => (known.get(id)?.text === text ? `${id}` : text));
  return { runs, news: `[${news.join(",")}]` };
}

/** At the end: what nobody has seen yet, through the eyes of people after one list and of an owner after the next. Both
 *  would cost as much as the list itself. */
export async function lookAtAll(life: Life, { runs }: Sight, keys: readonly string[]): Promise<unknown> {
  const { engine, store, seed } = life;
  const kinds = ["workflow", "workflow_version", "breaker"];
  return gather({
    events: Promise.all(runs.map(({ view }) => store.listEvents(view.id))),
    byKey: Promise.all(keys.map(async (key) => (await store.findRunByKey(key))?.run.id)),
    entries: Promise.all(kinds.map((kind) => store.listEntries(kind))),
    breakers: engine.breakers.list(),
    commits: store.listCommits(0, 1000),
    ...(seed % 2 === 0 ? { owner: lookAsOwner(life, runs) } : { people: lookAsPeople(life, runs) }),
  });
}

async function lookAsPeople(life: Life, runs: readonly SeenRun[]): Promise<unknown> {
  const { engine, store } = life;
  const views = runs.map(({ view }) => view);
  const newest = views.slice(0, 2);
  const ended = views.filter(hasEnded);
  const statuses = ["live", "failed", null] as const;
  return gather({
    lists: Promise.all(statuses.map(async (status) => (await engine.list({ status })).map(({ run }) => run.id))),
    views: Promise.all(views.map(({ id }) => engine.get(id))),
    histories: Promise.all(newest.map(({ id }) => engine.history(id))),
    watched: Promise.all(ended.slice(0, 1).map(({ id }) => watch(life, id))),
    byUid: Promise.all(newest.map(async ({ uid }) => (await store.findRunByUid(uid))?.run.id)),
    rows: Promise.all(newest.flatMap(({ steps }) => steps.slice(-1).map(({ id }) => store.findRow(id)))),
    flows: Promise.all([...new Set(views.map(({ flow }) => flow))].map((hash) => store.findFlow(hash))),
    workflows: engine.workflows.list({ all: true }),
  });
}

/** All at once, under their names. */
async function gather(asked: { readonly [name: string]: Promise<unknown> }): Promise<unknown> {
  const entries = Object.entries(asked);
  const answers = await Promise.all(entries.map(([, answer]) => answer));
  return Object.fromEntries(entries.map(([name], place) => [name, answers[place] ?? null]));
}

const farOff = 10_000_000_000_000;

/** What an engine would find that opens the store now. */
async function lookAsOwner({ ownership, clock }: Life, seen: readonly SeenRun[]): Promise<unknown> {
  const runs = seen.map(({ view }) => view.id);
  return gather({
    loaded: ownership.load(runs).then((loaded) => loaded.map(toPlain)),
    brought: Promise.all(runs.map((run) => ownership.bring(run, [{ kind: "ends" }, { kind: "undo", below: null }]))),
    ready: ownership.listReady(100),
    interrupted: ownership.listInterrupted(),
    due: ownership.listDue(farOff, 100),
    nextDueAt: ownership.nextDueAt(clock.now()),
    // In no promised order.
    overdue: ownership.listOverdue(farOff, 100).then((found) => found.toSorted((one, other) => one - other)),
    waiting: ownership.listWaiting("paid"),
    prunable: ownership.listPrunable({ endedBefore: null, keepMax: 0, rowsMax: 100 }),
  });
}

function toPlain({ flow, frontier: { run, rows, scopes, visits, signals } }: LoadedRun): unknown {
  return {
    flow,
    run,
    rows: [...rows.values()],
    scopes: inOrder(scopes).map(([scope, steps]) => [scope, inOrder(steps)]),
    visits: inOrder(visits),
    signals,
  };
}

/** What is kept by key has no order of its own. */
function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function watch({ engine }: Life, run: RunId): Promise<unknown> {
  const seen: unknown[] = [];
  for await (const change of engine.watch(run)) seen.push(change);
  return seen;
}
