// Where each workflow of a file goes: a workflow that others start is linked when the same one is here, under the same
// name; all else is new, under the first name that is free, and whoever starts it is told so.

import { StepwellError } from "../../error.ts";
import type { Finding } from "../../flow/finding.ts";
import type { Json } from "../../flow/json.ts";
import type { ToolBox } from "../../tool/tool.ts";
import type { FlowLibrary, FlowVersion } from "../flow-library.ts";
import { findVersion, findWorkflow, type EntryReader, type Reference, type WorkflowRecord } from "../workflow-entry.ts";
import type { FiledWorkflow, SharedFile } from "./document.ts";
import { findFreeName, toName } from "./names.ts";
import { renameInText, renameReferences } from "./references.ts";

export type PlaceParts = {
  readonly entries: EntryReader;
  readonly library: FlowLibrary;
  readonly tools: ToolBox;
  readonly now: number;
};

/** What a workflow of the file is called here. */
type Address = {
  readonly as: string;
  /** The version that it becomes, or is; null: the program brought it along. */
  readonly no: number | null;
  readonly isLinked: boolean;
};

export type Placed = Address & {
  readonly filed: FiledWorkflow;
  readonly state: "new" | "changed" | "same";
  readonly version: FlowVersion;
  /** With the names that hold here. */
  readonly flow: Json;
  /** The same as it was written; undefined: the flow alone tells. */
  readonly text: string | undefined;
};

export function placeWorkflows(
  { main, others }: SharedFile,
  parts: PlaceParts,
): { readonly main: Placed; readonly placed: readonly Placed[] } {
  const files = new Map([main, ...others].map((each) => [each.name, each]));
  const claim = createClaim(parts);
  const { sorted, circular } = sortByNeed(files);
  const addresses = new Map<string, Address>([[main.name, claim(main.name)]]);
  // Those that start each other know no order: they are new, all of them.
  for (const { name } of circular) if (!addresses.has(name)) addresses.set(name, claim(name));
  const findings: Finding[] = [];
  const placed: Placed[] = [];
  for (const filed of [...sorted, ...circular]) {
    const rename = (reference: Reference): Reference => toHere(reference, addresses);
    const flow = renameReferences(filed.flow, rename);
    const version = compile(filed, flow, { ...parts, findings });
    const hash = version?.plan.hash ?? "";
    const address = addresses.get(filed.name) ?? findSame(filed.name, hash, parts) ?? claim(filed.name);
    addresses.set(filed.name, address);
    const text = filed.text === undefined || flow === filed.flow ? filed.text : renameInText(filed.text, flow, rename);
    if (version !== undefined)
      placed.push({ ...address, filed, flow, version, text, state: compare(filed.name, hash, parts) });
  }
  const first = placed.find(({ filed }) => filed === main);
  if (first === undefined || findings.length > 0) throw toError(findings);
  return { main: first, placed };
}

/** A step that names a version names the one that the file has. */
function toHere(reference: Reference, addresses: ReadonlyMap<string, Address>): Reference {
  const address = addresses.get(reference.name);
  if (address === undefined) return reference;
  return { name: address.as, no: reference.no === null ? null : address.no };
}

function compile(
  { pointer }: FiledWorkflow,
  flow: Json,
  { library, now, findings }: PlaceParts & { readonly findings: Finding[] },
): FlowVersion | undefined {
  try {
    return library.admit(flow, now);
  } catch (error) {
    const found = findingsOf(error);
    if (found.length === 0) throw error;
    // A patch would be one of the flow, not of the file.
    for (const { patch: _, ...finding } of found)
      findings.push({ ...finding, pointer: `${pointer}${finding.pointer}` });
    return undefined;
  }
}

function findingsOf(error: unknown): readonly Finding[] {
  if (!(error instanceof StepwellError)) return [];
  const { findings }: { readonly findings: readonly Finding[] } = { findings: [], ...error.details };
  return findings;
}

function toError(findings: readonly Finding[]): StepwellError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `The file cannot be imported: ${first?.message ?? "a flow is wrong."}${rest}`;
  return new StepwellError("FLOW_INVALID", message, { details: { findings } });
}

/** Gives each name away once. */
function createClaim({ entries, library }: PlaceParts): (name: string) => Address {
  const given = new Set<string>();
  const isTaken = (name: string): boolean =>
    given.has(name) || library.findNamed(name) !== undefined || findLive(entries, name) !== undefined;
  return (written) => {
    const name = toName(written);
    const as = isTaken(name) ? findFreeName(name, isTaken, (count) => ` (imported ${count})`) : name;
    given.add(as);
    // One that was deleted counts on.
    return { as, no: (findWorkflow(entries, as)?.no ?? 0) + 1, isLinked: false };
  };
}

function findLive(entries: EntryReader, name: string): WorkflowRecord | undefined {
  const record = findWorkflow(entries, name);
  return record?.deletedAt === null ? record : undefined;
}

/** What a step that names it would start here, if that is the same. */
function findSame(name: string, hash: string, { entries, library }: PlaceParts): Address | undefined {
  const brought = library.findNamed(name);
  if (brought !== undefined) return brought.plan.hash === hash ? { as: name, no: null, isLinked: true } : undefined;
  const record = findLive(entries, name);
  const newest = record === undefined ? undefined : findVersion(entries, name, record.no);
  if (record === undefined || newest?.hash !== hash || !newest.isEnabled) return undefined;
  return { as: name, no: record.no, isLinked: true };
}

function compare(name: string, hash: string, { entries, library }: PlaceParts): Placed["state"] {
  const known = library.findNamed(name)?.plan.hash ?? findLive(entries, name)?.hash;
  if (known === undefined) return "new";
  return known === hash ? "same" : "changed";
}

type Sorted = { readonly sorted: readonly FiledWorkflow[]; readonly circular: readonly FiledWorkflow[] };

/** What is started before what starts it; the rest goes round in circles, or leads into one. */
function sortByNeed(files: ReadonlyMap<string, FiledWorkflow>): Sorted {
  const needs = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const { name, flow } of files.values()) {
    const needed = namesIn(flow, files);
    needs.set(name, needed);
    for (const each of needed) users.set(each, (users.get(each) ?? new Set()).add(name));
  }
  const sorted = [...files.values()].filter(({ name }) => needs.get(name)?.size === 0);
  for (const { name } of sorted) {
    for (const user of users.get(name) ?? []) {
      const open = needs.get(user);
      const filed = files.get(user);
      open?.delete(name);
      if (open?.size === 0 && filed !== undefined) sorted.push(filed);
    }
  }
  const isSorted = new Set(sorted);
  return { sorted, circular: [...files.values()].filter((each) => !isSorted.has(each)) };
}

function namesIn(flow: Json, files: ReadonlyMap<string, FiledWorkflow>): Set<string> {
  const names = new Set<string>();
  renameReferences(flow, (reference) => {
    if (files.has(reference.name)) names.add(reference.name);
    return reference;
  });
  return names;
}
