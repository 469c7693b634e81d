// Saved workflows as they are kept: one entry for each, and one for each of its versions, which never changes what it is
// a version of. The flow itself stands with those of the runs, under its hash.

import { StepwellError } from "../error.ts";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import type { Entry } from "../store/store.ts";
import type { SharedTool } from "./sharing/document.ts";

export const workflowKind = "workflow";
export const versionKind = "workflow_version";

/** The view `workflow_templates` reads `id`, `hash`, `input`, `description`, `createdBy` and `deletedAt` of it. */
export type WorkflowRecord = {
  readonly id: number;
  /** Number and hash of its newest version. */
  readonly no: number;
  readonly hash: string;
  /** Of its newest version; missing: it was last saved by a version that did not count them. */
  readonly stepCount?: number;
  readonly isEnabled: boolean;
  readonly description: string | null;
  /** An input to begin with, for whoever fills in a form; a start does not take it by itself. */
  readonly input: Json;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedBy: string;
  readonly deletedAt: number | null;
  /** Of the file as it was last read: what was changed elsewhere since is not undone by reading the same file again. */
  readonly fileHash: string | null;
  /** What came with it in a file and is known nowhere else. */
  readonly along?: Along;
};

export type Along = { readonly tools: readonly SharedTool[]; readonly tests: readonly Json[] };

export type VersionRecord = {
  readonly hash: string;
  readonly note: string | null;
  readonly by: string;
  readonly at: number;
  readonly isEnabled: boolean;
  /** As it was written, with its comments and layout; null: the flow alone tells. */
  readonly text: string | null;
};

/** Who can look up entries: the owner in its memory, others in what they have read. */
export interface EntryReader {
  find(kind: string, key: string): Entry | undefined;
  list(kind: string): readonly Entry[];
}

export type Reference = {
  readonly name: string;
  /** null: the newest that may be started. */
  readonly no: number | null;
};

/** `digest`, `digest@3`, or the id of a workflow. */
export type WorkflowReference = string | number;

/** A letter, a digit or _ first, at least one letter, and nothing that a flow's text has: `@` stands before a version's
 *  number, `{` and `: ` only in JSON and YAML. */
const nameShape = /^(?=.*\p{L})[\p{L}\p{N}_](?:[^@{}\p{C}\p{Zl}\p{Zp}]{0,126}[^@{}:\p{C}\p{Z}])?$/u;
const referenceShape = /^([^@]+)(?:@([1-9]\d{0,8}))?$/;

export function isName(text: string): boolean {
  return nameShape.test(text) && !/:\s/.test(text);
}

/** `digest` or `digest@3`; undefined: no name, so it must be the text of a flow. */
export function parseReference(text: string): Reference | undefined {
  const [, name, no] = referenceShape.exec(text) ?? [];
  if (name === undefined || !isName(name)) return undefined;
  return { name, no: no === undefined ? null : Number(no) };
}

export function checkName(name: string | null): string {
  if (name === null)
    throw new StepwellError("INPUT_INVALID", "A workflow is saved under a name, and this flow has none.", {
      hint: "Write name: … into the flow, or give a name when you save it.",
    });
  if (isName(name)) return name;
  throw new StepwellError("INPUT_INVALID", `A workflow cannot be saved under the name "${name.slice(0, 200)}".`, {
    hint: "A name has at least one letter, begins with a letter, a digit or _, has no @, no braces, no line break and no colon before a blank, and is at most 128 characters long.",
  });
}

/** Longer texts are not kept beside the flow: all entries are in memory. */
const textMax = 65_536;

export function keptText(text: string): string | null {
  return text.length <= textMax ? text : null;
}

/** States of a machine, and what is called on the way from one to another, are steps as well. */
export function countSteps({ steps }: Plan): number {
  return Object.keys(steps).length;
}

export function versionKey(name: string, no: number): string {
  return `${name}@${no}`;
}

export function toWorkflow({ value }: Entry): WorkflowRecord {
  return fieldsOf(value) as WorkflowRecord;
}

export function toVersion({ value }: Entry): VersionRecord {
  return fieldsOf(value) as VersionRecord;
}

function fieldsOf(value: Json): JsonObject {
  if (isObject(value) && typeof own(value, "hash") === "string") return value;
  throw new StepwellError("STORE_CORRUPT", "An entry of a saved workflow is none.");
}

export function findWorkflow(entries: EntryReader, name: string): WorkflowRecord | undefined {
  const entry = entries.find(workflowKind, name);
  return entry === undefined ? undefined : toWorkflow(entry);
}

export function findVersion(entries: EntryReader, name: string, no: number): VersionRecord | undefined {
  const entry = entries.find(versionKind, versionKey(name, no));
  return entry === undefined ? undefined : toVersion(entry);
}
