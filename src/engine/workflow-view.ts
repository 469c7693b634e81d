// Saved workflows as programs and doors see them, and the one place that reads what was asked for.

import { StepwellError } from "../error.ts";
import { isArray, type Json } from "../flow/json.ts";
import type { Entry } from "../store/store.ts";
import { findIn, numberIn, textIn } from "./ask-fields.ts";
import { toVersion, toWorkflow, type WorkflowRecord, type WorkflowReference } from "./workflow-entry.ts";

export type Workflow = {
  readonly id: number;
  readonly name: string;
  /** Number and hash of its newest version. */
  readonly version: number;
  readonly hash: string;
  /** Of its newest version; null: it was saved before they were counted. */
  readonly stepCount: number | null;
  readonly isEnabled: boolean;
  readonly description: string | null;
  /** An input to begin with, for whoever fills in a form; null: none. */
  readonly input: Json;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedBy: string;
  readonly updatedAt: number;
  /** null: it is there. */
  readonly deletedAt: number | null;
};

export type WorkflowVersion = {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly note: string | null;
  readonly by: string;
  readonly at: number;
  readonly isEnabled: boolean;
};

export type SavedWorkflow = Workflow & {
  /** False: it was saved like this already. */
  readonly isNewVersion: boolean;
  readonly warnings: readonly string[];
};

/** One version of a workflow, with its flow. */
export type WorkflowView = Workflow & {
  readonly newestVersion: number;
  readonly note: string | null;
  readonly flow: Json;
  /** As it was written, with its comments and layout; null: it was given as a value. */
  readonly text: string | null;
};

/** What a change rests on; when it is no longer so, the change is refused. */
export type Expected = {
  /** The newest version; 0: there must be none of this name. */
  readonly expectedVersion?: number;
  readonly expectedUpdatedAt?: number;
};

export function viewWorkflow(entry: Entry): Workflow {
  const { id, no, hash, stepCount = null, isEnabled, description, input, ...made } = toWorkflow(entry);
  const { createdBy, createdAt, updatedBy, deletedAt } = made;
  const { key: name, updatedAt } = entry;
  const about = { isEnabled, description, input, createdBy, createdAt, updatedBy, updatedAt, deletedAt };
  return { id, name, version: no, hash, stepCount, ...about };
}

export function viewVersion(entry: Entry): WorkflowVersion {
  const { hash, note, by, at, isEnabled } = toVersion(entry);
  const mark = entry.key.lastIndexOf("@");
  const version = Number(entry.key.slice(mark + 1));
  return { name: entry.key.slice(0, mark), version, hash, note, by, at, isEnabled };
}

/** What the clerk is asked; from this process or from another one. */
export type WorkflowAsk = { readonly expected: Expected } & (
  | {
      readonly do: "save";
      readonly flow: Json;
      readonly name: string | null;
      readonly note: string | null;
      /** undefined: as it was. */
      readonly description: string | null | undefined;
      readonly input: Json | undefined;
    }
  | { readonly do: "restore"; readonly workflow: WorkflowReference; readonly no: number; readonly note: string | null }
  | { readonly do: "enable" | "disable" | "delete"; readonly workflow: WorkflowReference }
  | SharingAsk
);

/** Files are asked for and given as their texts: how deep they are is for whoever reads them to say. */
export type SharingAsk =
  | { readonly do: "export"; readonly workflow: WorkflowReference; readonly tests: readonly Json[] }
  | { readonly do: "plan_import"; readonly file: string }
  | { readonly do: "import"; readonly file: string; readonly isEnabled: boolean }
  | { readonly do: "clone"; readonly workflow: WorkflowReference };

export function parseAsk(ask: Json): WorkflowAsk {
  const expected = expectedIn(ask);
  const verb = textIn(ask, "do");
  switch (verb) {
    case "save": {
      const description = findIn(ask, "description") === undefined ? undefined : maybeTextIn(ask, "description");
      const told = { name: maybeTextIn(ask, "name"), note: maybeTextIn(ask, "note"), description };
      return { do: verb, expected, flow: findIn(ask, "flow") ?? null, ...told, input: findIn(ask, "input") };
    }
    case "restore": {
      const asked = { workflow: workflowIn(ask), no: countIn(ask, "no") ?? 0, note: maybeTextIn(ask, "note") };
      return { do: verb, expected, ...asked };
    }
    case "enable":
    case "disable":
    case "delete":
    case "clone":
      return { do: verb, expected, workflow: workflowIn(ask) };
    case "export":
      return { do: verb, expected, workflow: workflowIn(ask), tests: listIn(ask, "tests") };
    case "plan_import":
      return { do: verb, expected, file: textIn(ask, "file") };
    case "import":
      return { do: verb, expected, file: textIn(ask, "file"), isEnabled: findIn(ask, "enable") === true };
    default:
      throw new StepwellError("REFUSED", "The message is none that this version knows.", {
        details: { code: "unknown_request" },
      });
  }
}

function workflowIn(ask: Json): WorkflowReference {
  const workflow = findIn(ask, "workflow");
  return typeof workflow === "number" ? workflow : textIn(ask, "workflow");
}

function listIn(ask: Json, field: string): readonly Json[] {
  const list = findIn(ask, field) ?? [];
  return isArray(list) ? list : [list];
}

function expectedIn(ask: Json): Expected {
  const expectedVersion = countIn(ask, "expectedVersion");
  const expectedUpdatedAt = countIn(ask, "expectedUpdatedAt");
  return {
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
    ...(expectedUpdatedAt === undefined ? {} : { expectedUpdatedAt }),
  };
}

function maybeTextIn(ask: Json, field: string): string | null {
  return (findIn(ask, field) ?? null) === null ? null : textIn(ask, field);
}

function countIn(ask: Json, field: string): number | undefined {
  const value = numberIn(ask, field);
  if (value === null) return undefined;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new StepwellError("INPUT_INVALID", `"${field}" must be a whole number, 0 or more.`);
}

/** Throws when the workflow is not as whoever asks has seen it. */
export function checkExpected(name: string, entry: Entry | undefined, expected: Expected): void {
  const { expectedVersion, expectedUpdatedAt } = expected;
  const record: WorkflowRecord | undefined = entry === undefined ? undefined : toWorkflow(entry);
  const actual = record === undefined || record.deletedAt !== null ? 0 : record.no;
  const isAsSeen =
    (expectedVersion === undefined || expectedVersion === actual) &&
    (expectedUpdatedAt === undefined || expectedUpdatedAt === entry?.updatedAt);
  if (isAsSeen) return;
  const now = actual === 0 ? "is not there" : `is at version ${actual}`;
  const seen =
    expectedVersion === undefined ? "as you saw it" : expectedVersion === 0 ? "new" : `at ${expectedVersion}`;
  throw new StepwellError("REFUSED", `The workflow "${name}" ${now}, not ${seen}: somebody changed it meanwhile.`, {
    hint: "Read it again, and then decide.",
    details: {
      code: "version_changed",
      expectedVersion: expectedVersion ?? null,
      actualVersion: actual,
      updatedAt: entry?.updatedAt ?? null,
    },
  });
}
