// Keeps the saved workflows: every change of them is decided here, in the owner's memory, and is told when it is on disk.

import { localUser } from "../access/principal.ts";
import { StepwellError } from "../error.ts";
import { hashOf } from "../flow/hash.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { FlowRecord, Store } from "../store/store.ts";
import type { ToolBox } from "../tool/tool.ts";
import type { Clock } from "./clock.ts";
import type { Entries, EntryChange } from "./entries.ts";
import type { FlowLibrary, FlowVersion } from "./flow-library.ts";
import type { IdSource } from "./ids.ts";
import { share } from "./sharing/sharing.ts";
import {
  checkName,
  countSteps,
  findVersion,
  findWorkflow,
  keptText,
  toWorkflow,
  versionKey,
  versionKind,
  workflowKind,
  type VersionRecord,
  type WorkflowRecord,
} from "./workflow-entry.ts";
import { WorkflowFolder, type WorkflowFile } from "./workflow-folder.ts";
import { missingVersion, Shelf, toError } from "./workflow-shelf.ts";
import { checkExpected, parseAsk, viewWorkflow, type SavedWorkflow, type WorkflowAsk } from "./workflow-view.ts";

export type WorkflowsClerkParts = {
  readonly entries: Entries;
  readonly library: FlowLibrary;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly store: Store;
  readonly tools: ToolBox;
  /** Where workflows lie in files: folders, files, or file names with `*`. */
  readonly workflowFiles?: readonly string[];
  readonly problem: (error: unknown) => void;
};

type AskOf<Verb extends WorkflowAsk["do"]> = Extract<WorkflowAsk, { do: Verb }>;

/** What a version is made of. */
type Content = { readonly hash: string; readonly note: string | null; readonly text: string | null };

type Told = Pick<SavedWorkflow, "isNewVersion" | "warnings">;
const unchanged = (): Told => ({ isNewVersion: false, warnings: [] });

/** All that is decided about one workflow. */
type Made = {
  readonly known: WorkflowRecord | undefined;
  readonly record: Omit<WorkflowRecord, "no" | "hash" | "stepCount">;
  readonly content: Content;
  readonly flow: FlowVersion;
  /** What whoever saves it is told of the flow. */
  readonly warnings: readonly string[];
};

/** Files belong to whoever has the machine; nobody waits for an answer. */
const byFile: Asking = { by: localUser, audit: null, tell: () => [] };

export class WorkflowsClerk implements Clerk {
  readonly #parts: WorkflowsClerkParts;
  readonly #folder: WorkflowFolder | null;
  /** Where steps and starts find what they name. */
  readonly shelf: Shelf;

  constructor(parts: WorkflowsClerkParts) {
    this.#parts = parts;
    this.shelf = new Shelf(parts.entries, parts.library);
    const places = parts.workflowFiles ?? [];
    const save = (file: WorkflowFile): Promise<unknown> => this.#saveFile(file);
    this.#folder = places.length === 0 ? null : new WorkflowFolder({ ...parts, places, save });
  }

  /** Reads what lies in files, and goes on doing so; only the owner does. */
  async start(): Promise<void> {
    await this.#folder?.start();
  }

  stop(): void {
    this.#folder?.stop();
  }

  async handle(ask: Json, asking: Asking): Promise<Json> {
    const asked = parseAsk(ask);
    switch (asked.do) {
      case "save":
        return this.#save(asked, asking);
      case "restore":
        return this.#restore(asked, asking);
      case "enable":
      case "disable":
        return this.#setEnabled(asked, asking);
      case "delete":
        return this.#delete(asked, asking);
      case "export":
      case "plan_import":
      case "import":
      case "clone":
        return share(asked, asking, this.#parts);
    }
  }

  /** A file that is as it was when it was last read changes nothing, whatever was done to the workflow since. Throws what
   *  is wrong with it. */
  #saveFile({ name: fileName, text, accept }: WorkflowFile): Promise<unknown> {
    const { library, clock, entries } = this.#parts;
    const version = library.admit(text, clock.now());
    const { hash, name: ownName } = version.plan;
    const name = checkName(ownName ?? fileName);
    accept(name);
    const known = findWorkflow(entries, name);
    const fileHash = hashOf(text);
    if (known?.fileHash === fileHash) return Promise.resolve();
    const content = { hash, note: null, text: keptText(text) };
    const record = { ...this.#recordOf(known, byFile.by), description: descriptionOf(version, known), fileHash };
    const told = { at: clock.now(), user: localUser, via: null, source: "file", verb: "workflow.save" };
    const audit = { ...told, subject: name, details: {} };
    return this.#write(name, { known, record, content, flow: version, warnings: [] }, { ...byFile, audit });
  }

  async #save(ask: AskOf<"save">, asking: Asking): Promise<Json> {
    const { library, clock, entries } = this.#parts;
    const version = library.admit(ask.flow, clock.now());
    const name = checkName(ask.name ?? version.plan.name);
    const entry = entries.find(workflowKind, name);
    checkExpected(name, entry, ask.expected);
    const known = entry === undefined ? undefined : toWorkflow(entry);
    const record = {
      ...this.#recordOf(known, asking.by),
      description: ask.description === undefined ? descriptionOf(version, known) : ask.description,
      input: ask.input === undefined ? (known?.input ?? null) : ask.input,
    };
    const content = { hash: version.plan.hash, note: ask.note, text: textOf(ask.flow) };
    return this.#write(name, { known, record, content, flow: version, warnings: version.warnings }, asking);
  }

  /** Makes the newest version equal to an older one; of one that was deleted, too. */
  async #restore({ workflow, no, note, expected }: AskOf<"restore">, asking: Asking): Promise<Json> {
    const { name, newest } = this.shelf.find(workflow);
    const old = this.#versionOf(name, no, newest);
    const flow = await this.#parts.library.loadVersion(old.hash);
    // What follows is decided at once: the store was asked before.
    const { entry } = this.shelf.find(name);
    checkExpected(name, entry, expected);
    const known = toWorkflow(entry);
    const record = { ...this.#recordOf(known, asking.by), description: descriptionOf(flow, known) };
    const content = { hash: old.hash, note: note ?? `Restored from version ${no}`, text: old.text };
    return this.#write(name, { known, record, content, flow, warnings: [] }, asking);
  }

  async #setEnabled(ask: AskOf<"enable" | "disable" | "delete">, asking: Asking): Promise<Json> {
    const { name, no, entry, newest } = this.shelf.find(ask.workflow);
    checkExpected(name, entry, ask.expected);
    const known = toWorkflow(entry);
    if (known.deletedAt !== null) throw toError({ kind: "missing", message: `The workflow "${name}" was deleted.` });
    const isEnabled = ask.do === "enable";
    const record = { ...known, updatedBy: asking.by, ...(no === null ? { isEnabled } : {}) };
    const changes: EntryChange[] = [{ kind: workflowKind, key: name, value: record }];
    if (no !== null) {
      const value = { ...this.#versionOf(name, no, newest), isEnabled };
      changes.push({ kind: versionKind, key: versionKey(name, no), value });
    }
    return this.#change(name, { changes, flows: [], told: unchanged }, asking);
  }

  /** It can be saved or restored again, and its versions stay. */
  async #delete(ask: AskOf<"enable" | "disable" | "delete">, asking: Asking): Promise<Json> {
    const { name, no, entry } = this.shelf.find(ask.workflow);
    checkExpected(name, entry, ask.expected);
    if (no !== null)
      throw new StepwellError(
        "INPUT_INVALID",
        `A version cannot be deleted by itself: disable "${name}@${no}" instead.`,
      );
    const known = toWorkflow(entry);
    if (known.deletedAt !== null) return { ...viewWorkflow(entry), ...unchanged() };
    const value = { ...known, updatedBy: asking.by, deletedAt: this.#parts.clock.now() };
    const changes = [{ kind: workflowKind, key: name, value }];
    return this.#change(name, { changes, flows: [], told: unchanged }, asking);
  }

  /** One transaction: the flow, its version unless the newest one is the same, and the workflow. Whoever saves a flow wants
   *  it to be started: a version that was disabled is enabled again. */
  #write(name: string, made: Made, asking: Asking): Promise<Json> {
    const { entries, clock } = this.#parts;
    const { known, record, content, flow } = made;
    const { hash } = content;
    const newest = known === undefined ? undefined : findVersion(entries, name, known.no);
    const isNewVersion = newest?.hash !== hash;
    const no = (known?.no ?? 0) + Number(isNewVersion);
    const version: VersionRecord =
      newest === undefined || isNewVersion
        ? { ...content, by: asking.by, at: clock.now(), isEnabled: true }
        : { ...newest, isEnabled: true, text: content.text };
    const wasDisabled = !isNewVersion && !newest.isEnabled;
    const notes = wasDisabled ? [`Version ${no} of the workflow "${name}" was disabled, and is enabled again.`] : [];
    const changes = [
      { kind: versionKind, key: versionKey(name, no), value: version },
      { kind: workflowKind, key: name, value: { ...record, no, hash, stepCount: countSteps(flow.plan) } },
    ];
    const told = (): Told => ({
      isNewVersion,
      warnings: [...notes, ...made.warnings, ...this.shelf.warningsOf(flow)],
    });
    return this.#change(name, { changes, flows: [flow.record], told }, asking);
  }

  /** What stays of a workflow when it is saved again; one that was deleted comes back. */
  #recordOf(known: WorkflowRecord | undefined, by: string): Made["record"] {
    const { ids, clock } = this.#parts;
    const now = clock.now();
    if (known === undefined) {
      const made = { id: ids.next(now), createdBy: by, createdAt: now, updatedBy: by, deletedAt: null };
      return { ...made, isEnabled: true, description: null, input: null, fileHash: null };
    }
    return { ...known, updatedBy: by, deletedAt: null, isEnabled: known.isEnabled || known.deletedAt !== null };
  }

  #versionOf(name: string, no: number, newest: number): VersionRecord {
    const version = findVersion(this.#parts.entries, name, no);
    if (version === undefined) throw toError(missingVersion(name, no, newest));
    return version;
  }

  /** Answers with the workflow as it was decided; meanwhile others may decide more. */
  #change(
    name: string,
    made: {
      readonly changes: readonly EntryChange[];
      readonly flows: readonly FlowRecord[];
      readonly told: () => Told;
    },
    asking: Asking,
  ): Promise<Json> {
    const { changes, flows, told } = made;
    const answer = (): Json => ({ ...viewWorkflow(this.shelf.find(name).entry), ...told() });
    const audited = { subject: name };
    return this.#parts.entries.change(changes, { flows, asking, answer, audited });
  }
}

/** The flow's own; else as it was. */
function descriptionOf({ plan }: FlowVersion, known: WorkflowRecord | undefined): string | null {
  return plan.description ?? known?.description ?? null;
}

/** A text is kept as it was written; of a value only its layout is more than the flow tells. */
function textOf(flow: Json): string | null {
  if (typeof flow === "string") return keptText(flow);
  return isObject(flow) && own(flow, "x-ui") !== undefined ? keptText(JSON.stringify(flow, null, 2)) : null;
}
