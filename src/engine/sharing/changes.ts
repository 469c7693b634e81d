// From what was decided to what is written: of an import and of a copy. Whoever brings a workflow owns it, and it is
// disabled unless that one has said otherwise.

import type { Json } from "../../flow/json.ts";
import type { FlowRecord } from "../../store/store.ts";
import type { EntryChange } from "../entries.ts";
import type { FlowVersion } from "../flow-library.ts";
import {
  countSteps,
  findWorkflow,
  keptText,
  versionKey,
  versionKind,
  workflowKind,
  type Along,
  type EntryReader,
} from "../workflow-entry.ts";
import { toJsonText, type SharedFile } from "./document.ts";
import type { ImportDraft } from "./import.ts";
import { pickTools } from "./needs.ts";
import { resourceKey, resourceKind } from "./resources.ts";

export type Bringing = {
  readonly by: string;
  readonly now: number;
  readonly isEnabled: boolean;
  readonly nextId: () => number;
  readonly entries: EntryReader;
};

/** A workflow that is new here. */
export type Brought = {
  readonly name: string;
  readonly no: number;
  readonly version: FlowVersion;
  readonly description: string | null;
  readonly input: Json;
  readonly text: string | null;
  readonly note: string;
  readonly along: Along | undefined;
};

export function toWorkflowChanges(brought: Brought, bringing: Bringing): readonly EntryChange[] {
  const { name, no, version, description, input, text, note, along } = brought;
  const { by, now, isEnabled, nextId, entries } = bringing;
  const { hash } = version.plan;
  // One that was deleted leaves its id, and what was last read of its file.
  const gone = findWorkflow(entries, name);
  const id = gone?.id ?? nextId();
  const kept = { description, input, fileHash: gone?.fileHash ?? null, ...(along === undefined ? {} : { along }) };
  const made = { createdBy: by, createdAt: now, updatedBy: by, deletedAt: null };
  return [
    { kind: versionKind, key: versionKey(name, no), value: { hash, note, by, at: now, isEnabled: true, text } },
    {
      kind: workflowKind,
      key: name,
      value: { id, no, hash, stepCount: countSteps(version.plan), isEnabled, ...kept, ...made },
    },
  ];
}

export function toImportChanges(
  draft: ImportDraft,
  file: SharedFile,
  bringing: Bringing,
): { readonly changes: readonly EntryChange[]; readonly flows: readonly FlowRecord[] } {
  const created = draft.placed.filter(({ isLinked }) => !isLinked);
  const workflows = created.flatMap((each) => {
    const { as: name, no, version, filed, flow, text } = each;
    const tests = each === draft.main ? file.tests : [];
    const tools = pickTools(file.tools, version.plan);
    const brought: Brought = {
      name,
      no: no ?? 1,
      version,
      description: filed.description,
      input: filed.input,
      // As the file has it, whatever the same flow looks like that is here already.
      text: keptText(text ?? toJsonText(flow)),
      note: name === filed.name ? "Imported" : `Imported as "${filed.name}"`,
      along: tests.length + tools.length === 0 ? undefined : { tools, tests },
    };
    return toWorkflowChanges(brought, bringing);
  });
  const resources = draft.newResources.map((value) => ({ kind: resourceKind, key: resourceKey(value), value }));
  return { changes: [...workflows, ...resources], flows: created.map(({ version }) => version.record) };
}
