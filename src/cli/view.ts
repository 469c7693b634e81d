// A store that is only looked at: nobody's work is taken over, nothing is called. Whoever acts in somebody's name sees
// what that one may see.

import { existsSync } from "node:fs";
import { StepwellError } from "../error.ts";
import type { Right } from "../access/permission.ts";
import type { WorkflowView } from "../engine/workflow-view.ts";
import type { Plan } from "../flow/plan.ts";
import type { RunId } from "../run/model.ts";
import { isServerAddress, showAddress } from "../store/address.ts";
import type { Lookup } from "../store/lookup.ts";
import type { RunQuery, Store, StoredRun } from "../store/store.ts";
import type { Call } from "./command.ts";
import { defaultStore } from "./global-flags.ts";
import type { WholeRun } from "../server/document/run.ts";

export interface View extends AsyncDisposable {
  readonly store: Store;
  readonly lookup: Lookup;
  readonly list: (query: RunQuery) => Promise<readonly StoredRun[]>;
  /** With all its rows. */
  readonly read: (run: RunId) => Promise<WholeRun>;
  /** false: it is another's, and who acts may see only their own. */
  readonly isSeen: (run: RunId) => Promise<boolean>;
  /** Throws when who acts may not. */
  readonly allow: (right: Right) => Promise<void>;
  /** A saved one, by its name or as `name@3`; throws when there is none. */
  readonly getWorkflow: (reference: string) => Promise<WorkflowView>;
  /** null: it cannot be compiled by this version. */
  readonly planOf: (hash: string) => Promise<Plan | null>;
}

type Wish = Pick<Call, "values" | "surroundings">;

/** Where the store is: what was said, what the environment says, or the usual place. */
export function storeOf({ values, surroundings }: Wish): string {
  return values.store ?? (surroundings.environment["STEPWELL_STORE"] || (surroundings.config?.store ?? defaultStore));
}

/** What a command that somebody is told to type must say about the store, to mean the same one. */
export function storeFlag({ values }: Pick<Call, "values">): string {
  return values.store === undefined ? "" : ` --store ${showStore(values.store)}`;
}

/** As people see it and may type it: without a password, which `PGPASSWORD` or `~/.pgpass` brings, and quoted where a
 *  shell would take it apart. */
export function showStore(address: string): string {
  const shown = showAddress(address);
  return /^[\w./:@%+,=~\\-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** Of a server only the server can tell, and is asked. */
export async function isThere(address: string): Promise<boolean> {
  // Without loading anything: a store that is not there is a common answer.
  if (!isServerAddress(address)) return existsSync(address);
  const { hasStore } = await import("../store/open.ts");
  return hasStore(address);
}

/** The store, if it is there: looking makes none. */
export async function refuseMissing(wish: Wish): Promise<string> {
  const address = storeOf(wish);
  if (await isThere(address)) return address;
  throw new StepwellError("FILE_NOT_FOUND", `There is no store "${showAddress(address)}".`, {
    hint: "--store names another one, a file or postgres://…; stepwell run makes one",
  });
}

export async function openView(wish: Wish): Promise<View> {
  const address = await refuseMissing(wish);
  if (wish.values.as !== undefined) (await import("../engine/asker.ts")).parseAsker(wish.values.as);
  const { openLookup, openStore } = await import("../store/open.ts");
  const store = await openStore(address);
  const lookup = await openLookup(address).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const rights = createRights(store, wish.values.as);
  return {
    store,
    lookup,
    list: rights.list,
    read: async (run) => {
      await rights.check(run);
      const found = await store.findRun(run);
      if (found === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
      return { ...found, rows: await store.listRows(run) };
    },
    getWorkflow: (reference) => readWorkflow(store, reference, rights.allow),
    allow: rights.allow,
    isSeen: rights.isSeen,
    planOf: createPlans(store),
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

/** Of a store that is only looked at. */
export function refuseChange(): Promise<never> {
  return Promise.reject(new StepwellError("USAGE", "Nothing is changed here."));
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
  return async (hash) => {
    const known = plans.get(hash);
    if (known !== undefined) return known;
    const [{ validate }, flow] = await Promise.all([import("../flow/validate/validate.ts"), store.findFlow(hash)]);
    const plan = flow === undefined ? null : validate(flow.source).plan;
    plans.set(hash, plan);
    return plan;
  };
}
