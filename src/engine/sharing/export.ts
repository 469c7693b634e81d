// From a saved workflow to the file that stands for it. Versions have their numbers from the place where they were saved:
// in the file each workflow has one, so a step that names a version names the first.

import type { Json } from "../../flow/json.ts";
import { readText } from "../../flow/source/read.ts";
import type { Store } from "../../store/store.ts";
import type { ToolBox } from "../../tool/tool.ts";
import type { FlowLibrary, FlowVersion } from "../flow-library.ts";
import {
  findVersion,
  findWorkflow,
  type EntryReader,
  type Reference,
  type WorkflowRecord,
  type WorkflowReference,
} from "../workflow-entry.ts";
import { missingVersion, Shelf, toError } from "../workflow-shelf.ts";
import { byText, toJsonText, type SharedDocument, type SharedWorkflow } from "./document.ts";
import { findNeeds } from "./needs.ts";
import { renameInText, renameReferences } from "./references.ts";
import { listOnce, resourcesIn } from "./resources.ts";

export type ExportParts = {
  readonly entries: EntryReader;
  readonly library: FlowLibrary;
  readonly store: Pick<Store, "findFlow">;
  readonly tools: ToolBox;
};

/** A version of a workflow, found by what names it. */
type Meant = {
  readonly name: string;
  /** null: the program brought it along. */
  readonly no: number | null;
  readonly hash: string;
  readonly text: string | null;
  readonly record: WorkflowRecord | null;
};

type Loaded = Meant & { readonly version: FlowVersion; readonly flow: Json };

export async function exportWorkflow(
  workflow: WorkflowReference,
  tests: readonly Json[],
  parts: ExportParts,
): Promise<SharedDocument> {
  const main = await load(findMain(workflow, parts), parts);
  const others = await loadOthers(main, parts);
  const items = [main, ...others];
  const names = nameInFile(items);
  const share = (item: Loaded): SharedWorkflow => toShared(item, names, parts);
  const { tools, secrets, permissions } = findNeeds(
    items.map(({ version }) => version.plan),
    parts.tools,
    items.flatMap(({ record }) => record?.along?.tools ?? []),
  );
  return {
    stepwell: 1,
    workflow: share(main),
    workflows: others.map(share).toSorted((one, other) => byText(one.name, other.name)),
    resources: listOnce(items.flatMap(({ flow }) => resourcesIn(flow))),
    tools,
    secrets,
    permissions,
    tests: tests.length > 0 ? tests : (main.record?.along?.tests ?? []),
  };
}

function findMain(workflow: WorkflowReference, { entries, library }: ExportParts): Meant {
  const { name, no, newest } = new Shelf(entries, library).find(workflow);
  const record = findWorkflow(entries, name);
  if (record === undefined || record.deletedAt !== null)
    throw toError({ kind: "missing", message: `The workflow "${name}" was deleted.` });
  const meant = findSaved(entries, { name, no: no ?? newest });
  if (meant === undefined) throw toError(missingVersion(name, no ?? newest, newest));
  return meant;
}

/** What a step starts; a workflow that is disabled travels along all the same. undefined: it is not here. */
function find(reference: Reference, { entries, library }: ExportParts): Meant | undefined {
  const { name, no } = reference;
  const brought = no === null ? library.findNamed(name) : undefined;
  if (brought !== undefined) return { name, no, hash: brought.plan.hash, text: null, record: null };
  return findSaved(entries, reference);
}

function findSaved(entries: EntryReader, { name, no }: Reference): Meant | undefined {
  const record = findWorkflow(entries, name);
  if (record === undefined || record.deletedAt !== null) return undefined;
  const number = no ?? newestEnabled(entries, name, record.no) ?? record.no;
  const version = findVersion(entries, name, number);
  return version === undefined ? undefined : { name, no: number, hash: version.hash, text: version.text, record };
}

function newestEnabled(entries: EntryReader, name: string, newest: number): number | undefined {
  for (let no = newest; no > 0; no--) if (findVersion(entries, name, no)?.isEnabled === true) return no;
  return undefined;
}

async function load(meant: Meant, parts: ExportParts): Promise<Loaded> {
  return { ...meant, ...(await loadFlow(meant, parts)) };
}

/** The flow in the spelling that the text or the store has; what is not there yet is known here. */
export async function loadFlow(
  { hash, text }: Pick<Meant, "hash" | "text">,
  { store, library }: Pick<ExportParts, "store" | "library">,
): Promise<Pick<Loaded, "version" | "flow">> {
  const version = await library.loadVersion(hash);
  const written = text === null ? undefined : readText(text).value;
  return { version, flow: written ?? (await store.findFlow(hash))?.source ?? version.record.source };
}

/** All that it starts, and what these start, each once. */
async function loadOthers(main: Loaded, parts: ExportParts): Promise<readonly Loaded[]> {
  const seen = new Set([keyOf(main)]);
  const found: Loaded[] = [];
  const rest = [main];
  for (const item of rest) {
    for (const reference of item.version.subFlows) {
      const meant = find(reference, parts);
      if (meant === undefined || seen.has(keyOf(meant))) continue;
      seen.add(keyOf(meant));
      const loaded = await load(meant, parts);
      found.push(loaded);
      rest.push(loaded);
    }
  }
  return found;
}

/** Two versions with the same flow are one. */
function keyOf({ name, hash }: Pick<Meant, "name" | "hash">): string {
  return `${hash} ${name}`;
}

/** What the program brought along goes before all that was saved. */
const ownVersion = Number.MAX_SAFE_INTEGER;

/** By its key, what each is called in the file: of two versions of one workflow only the newer one has its name. */
function nameInFile([main, ...others]: readonly Loaded[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const sorted = others.toSorted(
    (one, other) => byText(one.name, other.name) || (other.no ?? ownVersion) - (one.no ?? ownVersion),
  );
  for (const item of main === undefined ? sorted : [main, ...sorted]) {
    let { name } = item;
    while (taken.has(name)) name = `${name} (version ${item.no ?? 0})`;
    taken.add(name);
    names.set(keyOf(item), name);
  }
  return names;
}

function toShared(item: Loaded, names: ReadonlyMap<string, string>, parts: ExportParts): SharedWorkflow {
  const rename = (reference: Reference): Reference => {
    const meant = find(reference, parts);
    const name = meant === undefined ? undefined : names.get(keyOf(meant));
    return name === undefined ? reference : { name, no: reference.no === null ? null : 1 };
  };
  const flow = renameReferences(item.flow, rename);
  const written = item.text ?? undefined;
  const text = written === undefined || flow === item.flow ? written : renameInText(written, flow, rename);
  return {
    name: names.get(keyOf(item)) ?? item.name,
    description: item.record === null ? item.version.plan.description : item.record.description,
    flow,
    ...(text === undefined || text === toJsonText(flow) ? {} : { text }),
    input: item.record?.input ?? null,
  };
}
