// Keeps the saved workflows: every change of them is decided here, in the owner's memory, and is told when it is on disk.

import { StepwellError } from "../error.ts";
import { hashOf } from "../flow/hash.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Entries, EntryChange } from "./entries.ts";
import type { FlowLibrary, FlowVersion } from "./flow-library.ts";
import type { IdSource } from "./ids.ts";
import {
  checkName,
  findVersion,
  findWorkflow,
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
  /** Where workflows lie in files: folders, files, or file names with `*`. */
  readonly workflowFiles?: readonly string[];
  readonly problem: (error: unknown) => void;
};

type AskOf<Verb extends WorkflowAsk["do"]> = Extract<WorkflowAsk, { do: Verb }>;

/** What a version is made of. */
type Content = { readonly hash: string; readonly note: string | null; readonly text: string | null };

type Told = Pick<SavedWorkflow, "isNewVersion" | "warnings">;
const unchanged: Told = { isNewVersion: false, warnings: [] };

/** Longer texts are not kept beside the flow: all entries are in memory. */
const textMax = 65_536;

const fileUser = "local";

export class WorkflowsClerk implements Clerk {
  readonly #parts: WorkflowsClerkParts;
  readonly #folder: WorkflowFolder | null;
  /** Where steps and starts find what they name. */
  readonly shelf: Shelf;

  constructor(parts: WorkflowsClerkParts) {
    this.#parts = parts;
    this.shelf = new Shelf(parts.entries, parts.library);
    const places = parts.workflowFiles ?? [];
    const save = (file: WorkflowFile): Promise<void> => this.#saveFile(file);
    this.#folder = places.length === 0 ? null : new WorkflowFolder({ ...parts, places, save });
  }

  /** Reads what lies in files, and goes on doing so; only the owner does. */
  async start(): Promise<void> {
    await this.#folder?.start();
  }

  stop(): void {
    this.#folder?.stop();
  }

  async handle(ask: Json, by: string): Promise<Json> {
    const asked = parseAsk(ask);
    switch (asked.do) {
      case "save":
        return this.#save(asked, by);
      case "restore":
        return this.#restore(asked, by);
      case "enable":
      case "disable":
        return this.#setEnabled(asked, by);
      case "delete":
        return this.#delete(asked, by);
    }
  }

  /** A file that is as it was when it was last read changes nothing, whatever was done to the workflow since. Throws what
   *  is wrong with it. */
  #saveFile({ name: fileName, text, accept }: WorkflowFile): Promise<void> {
    const { library, clock, entries } = this.#parts;
    const version = library.admit(text, clock.now());
    const { hash, name: ownName } = version.plan;
    const name = checkName(ownName ?? fileName);
    accept(name);
    const known = findWorkflow(entries, name);
    const fileHash = hashOf(text);
    if (known?.fileHash === fileHash) return Promise.resolve();
    const content = { hash, note: null, text: keptText(text) };
    const record = { ...this.#recordOf(known, fileUser), description: descriptionOf(version, known), fileHash };
    return this.#write(name, { known, record, content, flow: version }, fileUser).written;
  }

  async #save(ask: AskOf<"save">, by: string): Promise<Json> {
    const { library, clock, entries } = this.#parts;
    const version = library.admit(ask.flow, clock.now());
    const name = checkName(ask.name ?? version.plan.name);
    const entry = entries.find(workflowKind, name);
    checkExpected(name, entry, ask.expected);
    const known = entry === undefined ? undefined : toWorkflow(entry);
    const record = {
      ...this.#recordOf(known, by),
      description: ask.description === undefined ? descriptionOf(version, known) : ask.description,
      input: ask.input === undefined ? (known?.input ?? null) : ask.input,
    };
    const content = { hash: version.plan.hash, note: ask.note, text: textOf(ask.flow) };
    const { isNewVersion, notes, written } = this.#write(name, { known, record, content, flow: version }, by);
    const warnings = [...notes, ...version.warnings, ...this.shelf.warningsOf(version)];
    return this.#answer(name, written, { isNewVersion, warnings });
  }

  /** Makes the newest version equal to an older one; of one that was deleted, too. */
  async #restore({ workflow, no, note, expected }: AskOf<"restore">, by: string): Promise<Json> {
    const { name, newest } = this.shelf.find(workflow);
    const old = this.#versionOf(name, no, newest);
    const flow = await this.#parts.library.loadVersion(old.hash);
    // What follows is decided at once: the store was asked before.
    const { entry } = this.shelf.find(name);
    checkExpected(name, entry, expected);
    const known = toWorkflow(entry);
    const record = { ...this.#recordOf(known, by), description: descriptionOf(flow, known) };
    const content = { hash: old.hash, note: note ?? `Restored from version ${no}`, text: old.text };
    const { isNewVersion, notes, written } = this.#write(name, { known, record, content, flow }, by);
    return this.#answer(name, written, { isNewVersion, warnings: [...notes, ...this.shelf.warningsOf(flow)] });
  }

  async #setEnabled(ask: AskOf<"enable" | "disable" | "delete">, by: string): Promise<Json> {
    const { name, no, entry, newest } = this.shelf.find(ask.workflow);
    checkExpected(name, entry, ask.expected);
    const known = toWorkflow(entry);
    if (known.deletedAt !== null) throw toError({ kind: "missing", message: `The workflow "${name}" was deleted.` });
    const isEnabled = ask.do === "enable";
    const record = { ...known, updatedBy: by, ...(no === null ? { isEnabled } : {}) };
    const changes: EntryChange[] = [{ kind: workflowKind, key: name, value: record }];
    if (no !== null) {
      const value = { ...this.#versionOf(name, no, newest), isEnabled };
      changes.push({ kind: versionKind, key: versionKey(name, no), value });
    }
    return this.#answer(name, this.#parts.entries.change(changes), unchanged);
  }

  /** It can be saved or restored again, and its versions stay. */
  async #delete(ask: AskOf<"enable" | "disable" | "delete">, by: string): Promise<Json> {
    const { name, no, entry } = this.shelf.find(ask.workflow);
    checkExpected(name, entry, ask.expected);
    if (no !== null)
      throw new StepwellError(
        "INPUT_INVALID",
        `A version cannot be deleted by itself: disable "${name}@${no}" instead.`,
      );
    const known = toWorkflow(entry);
    if (known.deletedAt !== null) return this.#answer(name, Promise.resolve(), unchanged);
    const value = { ...known, updatedBy: by, deletedAt: this.#parts.clock.now() };
    return this.#answer(name, this.#parts.entries.change([{ kind: workflowKind, key: name, value }]), unchanged);
  }

  /** One transaction: the flow, its version unless the newest one is the same, and the workflow. Whoever saves a flow wants
   *  it to be started: a version that was disabled is enabled again. */
  #write(
    name: string,
    made: {
      readonly known: WorkflowRecord | undefined;
      readonly record: Omit<WorkflowRecord, "no" | "hash">;
      readonly content: Content;
      readonly flow: FlowVersion;
    },
    by: string,
  ): { readonly isNewVersion: boolean; readonly notes: readonly string[]; readonly written: Promise<void> } {
    const { entries, clock } = this.#parts;
    const { known, record, content, flow } = made;
    const { hash } = content;
    const newest = known === undefined ? undefined : findVersion(entries, name, known.no);
    const isNewVersion = newest?.hash !== hash;
    const no = (known?.no ?? 0) + Number(isNewVersion);
    const version: VersionRecord =
      newest === undefined || isNewVersion
        ? { ...content, by, at: clock.now(), isEnabled: true }
        : { ...newest, isEnabled: true, text: content.text };
    const wasDisabled = !isNewVersion && !newest.isEnabled;
    const notes = wasDisabled ? [`Version ${no} of the workflow "${name}" was disabled, and is enabled again.`] : [];
    const changes = [
      { kind: versionKind, key: versionKey(name, no), value: version },
      { kind: workflowKind, key: name, value: { ...record, no, hash } },
    ];
    return { isNewVersion, notes, written: entries.change(changes, [flow.record]) };
  }

  /** What stays of a workflow when it is saved again; one that was deleted comes back. */
  #recordOf(known: WorkflowRecord | undefined, by: string): Omit<WorkflowRecord, "no" | "hash"> {
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

  /** The workflow as it was decided, once that is on disk; meanwhile others may decide more. */
  async #answer(name: string, written: Promise<void>, about: Told): Promise<Json> {
    const workflow = viewWorkflow(this.shelf.find(name).entry);
    await written;
    return { ...workflow, ...about };
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

function keptText(text: string): string | null {
  return text.length <= textMax ? text : null;
}
