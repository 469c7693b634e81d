// The verbs on saved workflows: what changes them is asked of the owner, what reads them reads the store.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { readText } from "../flow/source/read.ts";
import type { Entry, Store } from "../store/store.ts";
import { secretsOf } from "../access/secret-names.ts";
import { StepwellError } from "../error.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import type { Clock } from "./clock.ts";
import type { FlowLibrary } from "./flow-library.ts";
import { diffFlows, type WorkflowDiff } from "./workflow-diff.ts";
import {
  parseReference,
  toVersion,
  versionKey,
  versionKind,
  workflowKind,
  type EntryReader,
  type Reference,
  type WorkflowReference,
} from "./workflow-entry.ts";
import { missingVersion, Shelf, toError } from "./workflow-shelf.ts";
import { checkSharedSize, type SharedDocument } from "./sharing/document.ts";
import type { ImportPlan } from "./sharing/import.ts";
import {
  viewVersion,
  viewWorkflow,
  type Expected,
  type SavedWorkflow,
  type Workflow,
  type WorkflowVersion,
  type WorkflowView,
} from "./workflow-view.ts";

export type WorkflowBy = Expected & { readonly by?: string };

export type SaveOptions = WorkflowBy & {
  /** Default: the flow's own name. */
  readonly name?: string;
  /** Why there is a new version, for whoever reads the list. */
  readonly note?: string;
  /** Default: the flow's own, else as it was; null: none. */
  readonly description?: string | null;
  /** An input to begin with, for whoever fills in a form; default: as it was. */
  readonly input?: Json;
};

export type ExportOptions = { readonly tests?: readonly Json[] };

export type ImportOptions = { readonly by?: string; readonly enable?: boolean };

export type ImportedWorkflow = ImportPlan & { readonly workflow: Workflow };

export class Workflows {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** The same flow again makes no new version. `await engine.workflows.save(flow, { note: "shorter" })` */
  async save(flow: Json, { by, ...options }: SaveOptions = {}): Promise<SavedWorkflow> {
    return toSaved(await this.#window.ask("workflows", { ...options, do: "save", flow }, by));
  }

  /** By name; with `all` those that were deleted, too. */
  async list({ all = false }: { readonly all?: boolean } = {}): Promise<readonly Workflow[]> {
    await this.#window.allow("read");
    const found = (await this.#window.store.listEntries(workflowKind)).map(viewWorkflow);
    return all ? found : found.filter(({ deletedAt }) => deletedAt === null);
  }

  /** With its flow, in its newest version or the one that is named; one that was deleted, too. */
  async get(workflow: WorkflowReference): Promise<WorkflowView> {
    await this.#window.allow("read");
    return getWorkflow(this.#window.store, workflow);
  }

  /** Newest first. */
  async versions(workflow: WorkflowReference): Promise<readonly WorkflowVersion[]> {
    await this.#window.allow("read");
    const { store } = this.#window;
    const { name, newest } = await resolve(store, workflow);
    const found: WorkflowVersion[] = [];
    for (let no = newest; no > 0; no--) found.push(viewVersion(await getVersion(store, { name, no, newest })));
    return found;
  }

  /** From one version to another, by their numbers; to the newest unless told. */
  async diff(workflow: WorkflowReference, from: number, to?: number): Promise<WorkflowDiff> {
    await this.#window.allow("read");
    const { store } = this.#window;
    const { name, newest } = await resolve(store, workflow);
    const one = await readFlow(store, await getVersion(store, { name, no: from, newest }));
    const other = await readFlow(store, await getVersion(store, { name, no: to ?? newest, newest }));
    return { name, from, to: to ?? newest, ...diffFlows(one, other) };
  }

  /** A new version that equals an older one. */
  async restore(
    workflow: WorkflowReference,
    version: number,
    options: WorkflowBy & { readonly note?: string } = {},
  ): Promise<SavedWorkflow> {
    return this.#change("restore", workflow, { ...options, no: version });
  }

  /** All of it, or with `name@3` one version. */
  async enable(workflow: WorkflowReference, options: WorkflowBy = {}): Promise<SavedWorkflow> {
    return this.#change("enable", workflow, options);
  }

  /** What is disabled is not started any more; runs under way go on. */
  async disable(workflow: WorkflowReference, options: WorkflowBy = {}): Promise<SavedWorkflow> {
    return this.#change("disable", workflow, options);
  }

  /** It is no longer listed or started; its versions stay, and it can be saved or restored again. */
  async delete(workflow: WorkflowReference, options: WorkflowBy = {}): Promise<SavedWorkflow> {
    return this.#change("delete", workflow, options);
  }

  /** One file that stands for itself, as a value; `tests` go along. */
  async export(workflow: WorkflowReference, options: ExportOptions = {}): Promise<SharedDocument> {
    return JSON.parse(await this.exportText(workflow, options)) as SharedDocument;
  }

  /** The same as a text; the same workflow gives the same text, wherever it is exported. */
  async exportText(workflow: WorkflowReference, { tests = [] }: ExportOptions = {}): Promise<string> {
    await this.#window.allow("read");
    const text = await this.#window.ask("workflows", { do: "export", workflow, tests });
    return typeof text === "string" ? text : refuseAnswer();
  }

  /** What an import of this file, as its text or a value, would do; nothing is changed. */
  async planImport(file: Json): Promise<ImportPlan> {
    await this.#window.allow("read");
    const plan = toPlan(await this.#window.ask("workflows", { do: "plan_import", file: toFileText(file) }));
    const maySee = await this.#window.allow("secrets").then(
      () => true,
      () => false,
    );
    // By a file of their own making a reader would learn which there are.
    return maySee ? plan : { ...plan, missingSecrets: [] };
  }

  /** All of it or nothing. It is disabled unless whoever imports it says otherwise; the file has no say. */
  async import(file: Json, options: ImportOptions = {}): Promise<ImportedWorkflow> {
    const { by, enable = false } = options;
    return toImported(await this.#window.ask("workflows", { do: "import", file: toFileText(file), enable }, by));
  }

  /** `digest (copy)`, disabled, and without what would start it by itself. */
  async clone(workflow: WorkflowReference, { by }: { readonly by?: string } = {}): Promise<SavedWorkflow> {
    return this.#change("clone", workflow, by === undefined ? {} : { by });
  }

  /** Which workflow is meant, the clerk says: whoever may not change one is not told which there are. */
  async #change(
    verb: "restore" | "enable" | "disable" | "delete" | "clone",
    workflow: WorkflowReference,
    { by, ...options }: WorkflowBy & { readonly no?: number; readonly note?: string },
  ): Promise<SavedWorkflow> {
    return toSaved(await this.#window.ask("workflows", { ...options, do: verb, workflow }, by));
  }
}

type Meant = Reference & { readonly entry: Entry; readonly newest: number };

async function resolve(store: Store, workflow: WorkflowReference): Promise<Meant> {
  const entries = await readEntries(store, [workflowKind]);
  return new Shelf(entries, noFlows).find(workflow);
}

/** What a store alone knows nothing of. */
const noFlows: Pick<FlowLibrary, "findNamed" | "names" | "loadVersion"> = {
  findNamed: () => undefined,
  names: () => [],
  loadVersion: () => Promise.reject(new StepwellError("USAGE", "Nothing is started here.")),
};

type Wanted = { readonly name: string; readonly no: number; readonly newest: number };

async function getVersion(store: Store, { name, no, newest }: Wanted): Promise<Entry> {
  const entry = await store.findEntry(versionKind, versionKey(name, no));
  if (entry === undefined) throw toError(missingVersion(name, no, newest));
  return entry;
}

async function getWorkflow(store: Store, workflow: WorkflowReference): Promise<WorkflowView> {
  const { entry, name, no, newest } = await resolve(store, workflow);
  const version = await getVersion(store, { name, no: no ?? newest, newest });
  const { hash, note, isEnabled, version: number } = viewVersion(version);
  const view = viewWorkflow(entry);
  const about = { hash, note, version: number, newestVersion: newest, isEnabled: view.isEnabled && isEnabled };
  return { ...view, ...about, ...(await readFlow(store, version)) };
}

/** The text may say more than the flow under its hash: layout, comments. */
async function readFlow(store: Store, version: Entry): Promise<{ readonly flow: Json; readonly text: string | null }> {
  const { hash, text } = toVersion(version);
  const written = text === null ? undefined : readText(text).value;
  if (written !== undefined) return { flow: written, text };
  const record = await store.findFlow(hash);
  if (record === undefined)
    throw new StepwellError("STORE_CORRUPT", `The flow of ${version.key} is missing from ${store.name}.`);
  return { flow: record.source, text: null };
}

async function readEntries(store: Store, kinds: readonly string[]): Promise<EntryReader> {
  const byKind = Map.groupBy(await store.listEntries(...kinds), ({ kind }) => kind);
  const list = (kind: string): readonly Entry[] => byKind.get(kind) ?? [];
  return { list, find: (kind, key) => list(kind).find((entry) => entry.key === key) };
}

/** What there is to warn of about a flow that another process has started. */
export async function warningsOf(
  flow: Json,
  { store, library, clock }: { readonly store: Store; readonly library: FlowLibrary; readonly clock: Clock },
): Promise<readonly string[]> {
  const reference = typeof flow === "string" ? parseReference(flow) : undefined;
  const known = reference === undefined ? library.compile(flow, clock.now()) : undefined;
  if (known?.subFlows.length === 0 && secretsOf(known.plan).length === 0) return known.warnings;
  const shelf = new Shelf(await readEntries(store, [workflowKind, versionKind, "secret"]), library);
  try {
    const version = known ?? (reference === undefined ? undefined : await shelf.open(reference));
    return version === undefined ? [] : [...version.warnings, ...shelf.warningsOf(version)];
  } catch {
    // It has been started, and was deleted or disabled since.
    return [];
  }
}

/** What is too large goes nowhere. */
function toFileText(file: Json): string {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  checkSharedSize(Buffer.byteLength(text));
  return text;
}

/** The owner is a process of ours: its answer has the shape that its version gives. */
function toSaved(answer: Json): SavedWorkflow {
  return checkAnswer(answer, "isNewVersion") as unknown as SavedWorkflow;
}

function toPlan(answer: Json): ImportPlan {
  return checkAnswer(answer, "workflows") as unknown as ImportPlan;
}

function toImported(answer: Json): ImportedWorkflow {
  return checkAnswer(answer, "workflow") as unknown as ImportedWorkflow;
}

function checkAnswer(answer: Json, field: string): JsonObject {
  const isKnown = isObject(answer) && isArray(own(answer, "warnings")) && own(answer, field) !== undefined;
  return isKnown ? answer : refuseAnswer();
}

function refuseAnswer(): never {
  throw new StepwellError("REFUSED", "The owner of the store answers in a way that this version does not know.");
}
