// A store that is only looked at: nobody's work is taken over, nothing is called. Whoever acts in somebody's name sees what
// that one may see.

import { StepwellError } from "../error.ts";
import type { Workflow, WorkflowView } from "../engine/workflow-view.ts";
import type { Plan } from "../flow/plan.ts";
import type { Row, RunId } from "../run/model.ts";
import type { Lookup } from "../store/lookup.ts";
import type { Store } from "../store/store.ts";
import { findStore, refuseChange, type Ids, type View, type Wish } from "./view.ts";

/** Of a store, for what needs the store itself. */
export type StoreView = View & { readonly store: Store; readonly lookup: Lookup };

export async function openStoreView(wish: Wish): Promise<StoreView> {
  const address = await findStore(wish);
  if (wish.values.as !== undefined) (await import("../engine/asker.ts")).parseAsker(wish.values.as);
  const { openLookup, openStore } = await import("../store/open.ts");
  const store = await openStore(address);
  const lookup = await openLookup(address).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const rights = createRights(store, wish.values.as);
  const planOf = createPlans(store);
  const listRows = (run: RunId): Promise<readonly Row[]> => store.listRows(run);
  const search: View["search"] = async (wanted) => {
    const { searchRuns } = await import("../store/search.ts");
    return searchRuns({ listRuns: rights.list, listHeads: store.listHeads.bind(store) }, wanted);
  };
  return {
    store,
    lookup,
    list: rights.list,
    search,
    listRows,
    historyOf: async (run) => {
      const { historyOf } = await import("../run/history.ts");
      return historyOf(await store.listRows(run), await store.listEvents(run));
    },
    collectInbox: async (limitMax) => {
      const { listInboxItems } = await import("../server/document/inbox.ts");
      const source = {
        search,
        planOf,
        listWaits: store.listWaits.bind(store),
        findShort: store.findShort.bind(store),
        listArrivals: store.listArrivals.bind(store),
        findNewest: store.findNewest.bind(store),
      };
      return (await listInboxItems(source, { limitMax })).items;
    },
    listWorkflows: () => listWorkflows(store),
    ids: createIds(store, lookup),
    read: async (run) => {
      await rights.check(run);
      const found = await store.findRun(run);
      if (found === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
      return { ...found, rows: await store.listRows(run) };
    },
    getWorkflow: (reference) => readWorkflow(store, reference, rights.allow),
    allow: rights.allow,
    isSeen: rights.isSeen,
    planOf,
    [Symbol.asyncDispose]: async () => {
      await lookup[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

type Rights = Pick<View, "list" | "allow" | "isSeen"> & { readonly check: (run: RunId) => Promise<void> };

/** Whoever has the file and acts in nobody's name may read all of it. */
function createRights(store: Store, user: string | undefined): Rights {
  if (user === undefined) {
    return {
      list: (query) => store.listRuns(query),
      check: async () => {},
      isSeen: async () => true,
      allow: async () => {},
    };
  }
  const asker = { user, via: null, scopes: null };
  return {
    list: async (query) => {
      const { checkRight, listOwnRuns } = await import("../engine/readers.ts");
      const extent = await checkRight(store, asker, "read");
      return extent === "all" ? store.listRuns(query) : listOwnRuns(store, user, query);
    },
    check: async (run) => {
      const { checkReader } = await import("../engine/readers.ts");
      await checkReader(store, asker, run);
    },
    isSeen: async (run) => {
      const { checkReader } = await import("../engine/readers.ts");
      // Who may see none at all is told that, by whatever they ask for.
      return checkReader(store, asker, run).then(
        () => true,
        (error: unknown) => !(error instanceof StepwellError && error.code === "RUN_NOT_FOUND"),
      );
    },
    allow: async (right) => {
      const { checkWholeRight } = await import("../engine/readers.ts");
      await checkWholeRight(store, asker, right);
    },
  };
}

function createIds(store: Store, { findIds, findNeighbours, countSteps }: Lookup): Ids {
  return {
    findIds,
    findNeighbours,
    countSteps,
    hasRun: async (run) => (await store.findRun(run)) !== undefined,
    runOfUid: async (uid) => (await store.findRunByUid(uid))?.run.id,
    runOfStep: async (step) => (await store.findRow(step))?.run,
  };
}

async function listWorkflows(store: Store): Promise<readonly Workflow[]> {
  const [{ workflowKind }, { viewWorkflow }] = await Promise.all([
    import("../engine/workflow-entry.ts"),
    import("../engine/workflow-view.ts"),
  ]);
  return (await store.listEntries(workflowKind)).map(viewWorkflow).filter(({ deletedAt }) => deletedAt === null);
}

async function readWorkflow(store: Store, reference: string, allow: View["allow"]): Promise<WorkflowView> {
  const [{ Workflows }, { systemClock }] = await Promise.all([
    import("../engine/workflows.ts"),
    import("../engine/clock.ts"),
  ]);
  return new Workflows({ store, clock: systemClock, ask: refuseChange, allow }).get(reference);
}

function createPlans(store: Store): View["planOf"] {
  const plans = new Map<string, Plan | null>();
  return async ({ flow: hash }) => {
    const known = plans.get(hash);
    if (known !== undefined) return known;
    const [{ validate }, flow] = await Promise.all([import("../flow/validate/validate.ts"), store.findFlow(hash)]);
    const plan = flow === undefined ? null : validate(flow.source).plan;
    plans.set(hash, plan);
    return plan;
  };
}
