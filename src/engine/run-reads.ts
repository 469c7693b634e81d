// What people look at again and again: a run, its steps and those of many runs, without what may be large in them. Each
// read is checked for whoever asks, as all others are.

import type { Asker } from "../access/permission.ts";
import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Plan, StepKey } from "../flow/plan.ts";
import { hasEnded, type Row, type RowId, type RunId, type RunRow } from "../run/model.ts";
import type { Brief, ChildHead, ItemQuery, ShortRow, StatusCounts, WaitQuery } from "../store/brief.ts";
import type { Store, StoredRun } from "../store/store.ts";
import { textsOf } from "./ask-fields.ts";
import type { Progress } from "./call-context.ts";
import type { Clock } from "./clock.ts";
import { listDecisions, type DecisionPage, type DecisionQuery } from "./decisions.ts";
import { sumSteps, type StepSums } from "./doing.ts";
import type { FlowLibrary } from "./flow-library.ts";
import { checkReader, checkRight, noSuchRun, noSuchStep } from "./readers.ts";
import type { Request } from "./request.ts";
import { listHistory, type HistoryPart, type HistoryQuery } from "./run-history.ts";
import { gatherOverview, type OverviewQuery, type RunOverview } from "./run-overview.ts";
import { toVersion, toWorkflow, versionKey, versionKind, workflowKind } from "./workflow-entry.ts";

export type RunReadsParts = {
  readonly store: Store;
  readonly library: FlowLibrary;
  readonly clock: Clock;
  readonly asker: Asker;
  /** Of who owns the store, in the name of the asker. */
  readonly ask: (request: Request) => Promise<Json>;
  /** How far calls of a run are, as far as this process makes them. */
  readonly progressOf: (run: RunId) => ReadonlyMap<RowId, Progress>;
};

/** Reads of runs that somebody was found to be allowed to see. */
export type GivenReads = {
  readonly listWaits: (query: WaitQuery) => Promise<ReadonlyMap<RunId, readonly Brief[]>>;
  readonly findShort: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  readonly listArrivals: (run: RunId, fork: RowId) => Promise<readonly Brief[]>;
  readonly findNewest: (run: RunId, step: StepKey) => Promise<RowId | undefined>;
};

export type RunOutline = {
  readonly stored: StoredRun;
  readonly steps: readonly Brief[];
  /** false: there are so many that only the newest are told. */
  readonly isComplete: boolean;
  /** Rows that may wait for a person, the oldest so many. */
  readonly waits: readonly Brief[];
  readonly items: ReadonlyMap<RowId, StatusCounts>;
  /** Of calls under way that have said so. */
  readonly progress: ReadonlyMap<RowId, Progress>;
  readonly children: readonly ChildHead[];
  readonly parent: { readonly id: RunId; readonly name: string } | null;
  /** Of the saved workflow of the same name; null: this flow was never saved under it. */
  readonly version: number | null;
  readonly plan: Plan | null;
  readonly outlook: Outlook;
};

/** What may be done with the run as it is. */
export type Outlook = {
  readonly isCancellable: boolean;
  /** Why it is not. */
  readonly cancelRefused: string | null;
  /** Names of transitions that may be fired now. */
  readonly transitions: readonly string[];
};

const stepsMax = 5000;
const waitsMax = 2000;
const childrenMax = 200;
/** So many versions are looked at, the newest first. */
const versionsMax = 200;

export class RunReads {
  readonly #parts: RunReadsParts;

  constructor(parts: RunReadsParts) {
    this.#parts = parts;
  }

  /** Throws when there is none, or none for whoever asks. */
  async find(run: RunId): Promise<StoredRun> {
    const { store, asker } = this.#parts;
    await checkReader(store, asker, run);
    const found = await store.findRun(run);
    if (found === undefined) throw noSuchRun(run);
    return found;
  }

  async outline(run: RunId): Promise<RunOutline> {
    const { store } = this.#parts;
    const stored = await this.find(run);
    const [steps, waits, items, children, parent, version, plan, outlook] = await Promise.all([
      store.listBriefs(run, stepsMax + 1),
      store.listWaits({ runs: [run], limitMax: waitsMax }),
      store.countItems(run),
      store.listChildren(run, childrenMax),
      this.#findParent(stored),
      this.#findVersion(stored),
      this.planOf(stored),
      this.#lookAhead(stored),
    ]);
    const isComplete = steps.length <= stepsMax;
    return {
      stored,
      steps: steps.slice(-stepsMax),
      isComplete,
      waits: waits.get(run) ?? [],
      items,
      progress: this.#parts.progressOf(run),
      children,
      parent,
      version,
      plan,
      outlook,
    };
  }

  /** One row of a run, whole. */
  async row(run: RunId, row: RowId): Promise<Row> {
    await this.find(run);
    return this.rowIn(run, row);
  }

  /** The same of a run that this one has given. */
  async rowIn(run: RunId, row: RowId): Promise<Row> {
    const found = await this.#parts.store.findRow(row);
    if (found?.run !== run) throw noSuchStep(row);
    return found.row;
  }

  /** A row of whichever run. */
  async rowAnywhere(row: RowId): Promise<Row> {
    const { store, asker } = this.#parts;
    const found = await store.findRow(row);
    const isSeen =
      found !== undefined &&
      (await checkReader(store, asker, found.run).then(
        () => true,
        () => false,
      ));
    if (!isSeen) throw noSuchStep(row);
    return found.row;
  }

  async items(query: ItemQuery): Promise<readonly Brief[]> {
    await this.#check(query.run);
    return this.#parts.store.listItems(query);
  }

  async steps(run: RunId, limitMax: number): Promise<readonly Brief[]> {
    await this.#check(run);
    return this.#parts.store.listBriefs(run, limitMax);
  }

  /** A part of what happened in a run, in order. */
  async history(run: RunId, query: HistoryQuery): Promise<readonly HistoryPart[]> {
    await this.#check(run);
    return listHistory(this.#parts.store, run, query);
  }

  /** Of runs that whoever asks was given before, within the same request: nothing is checked once more. */
  get given(): GivenReads {
    const { store } = this.#parts;
    return {
      listWaits: (query) => store.listWaits(query),
      findShort: (rows) => store.findShort(rows),
      listArrivals: (run, fork) => store.listArrivals(run, fork),
      findNewest: (run, step) => store.findNewest(run, step),
    };
  }

  /** Of runs that whoever asks was given before. */
  async sumSteps(runs: readonly RunRow[]): Promise<ReadonlyMap<RunId, StepSums>> {
    const { store, asker } = this.#parts;
    await checkRight(store, asker, "read");
    return sumSteps(store, runs);
  }

  /** Answers of people, newest first. */
  async decisions(query: DecisionQuery): Promise<DecisionPage> {
    return listDecisions(this.#parts.store, query, await this.#narrowTo());
  }

  async overview(query: OverviewQuery): Promise<RunOverview> {
    const { store, clock } = this.#parts;
    return gatherOverview(store, { ...query, now: clock.now(), user: await this.#narrowTo() });
  }

  /** null: it cannot be compiled by this version. */
  async planOf({ flow }: Pick<StoredRun, "flow">): Promise<Plan | null> {
    try {
      return await this.#parts.library.loadPlan(flow);
    } catch (error) {
      if (error instanceof StepwellError && error.code === "FLOW_INVALID") return null;
      throw error;
    }
  }

  /** As `find` throws, without reading what may be large in a run. */
  async #check(run: RunId): Promise<void> {
    const user = await this.#narrowTo();
    const found = (await this.#parts.store.listNames([run], [])).runs.get(run);
    if (found === undefined || (user !== null && found.createdBy !== user)) throw noSuchRun(run);
  }

  /** null: all runs may be seen. */
  async #narrowTo(): Promise<string | null> {
    const { store, asker } = this.#parts;
    return (await checkRight(store, asker, "read")) === "own" ? asker.user : null;
  }

  async #findParent({ run: { parent } }: StoredRun): Promise<RunOutline["parent"]> {
    if (parent === null) return null;
    const names = await this.#parts.store.listNames([parent.run], []);
    const found = names.runs.get(parent.run);
    const user = await this.#narrowTo();
    if (found === undefined || (user !== null && found.createdBy !== user)) return null;
    return { id: parent.run, name: found.name };
  }

  async #findVersion({ run, flow }: StoredRun): Promise<number | null> {
    const { store } = this.#parts;
    const entry = await store.findEntry(workflowKind, run.name);
    if (entry === undefined) return null;
    const newest = toWorkflow(entry);
    if (newest.hash === flow) return newest.no;
    for (let no = newest.no - 1; no > Math.max(0, newest.no - versionsMax); no -= 1) {
      const version = await store.findEntry(versionKind, versionKey(run.name, no));
      if (version !== undefined && toVersion(version).hash === flow) return no;
    }
    return null;
  }

  /** Who owns the store knows; when nobody answers, nothing can be done either. */
  async #lookAhead({ run }: StoredRun): Promise<Outlook> {
    const told = `The run has ended: ${run.status}.`;
    if (hasEnded(run)) return { isCancellable: false, cancelRefused: told, transitions: [] };
    const answer = await this.#parts
      .ask({ kind: "preview", run: run.id, isShort: true })
      .catch((error: unknown): Json => {
        if (error instanceof StepwellError) return { message: error.message };
        throw error;
      });
    const given = isObject(answer) ? answer : {};
    const message = own(given, "message");
    return {
      isCancellable: own(given, "allowed") === true,
      cancelRefused: typeof message === "string" ? message : null,
      transitions: textsOf(own(given, "transitions")),
    };
  }
}
