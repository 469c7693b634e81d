// What the clerk of the workflows does when one leaves, arrives or is copied. Decided in the owner's memory at once, and
// written in one transaction: of a file that cannot be imported, nothing is.

import { isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { Asking } from "../clerk.ts";
import type { Clock } from "../clock.ts";
import type { Entries } from "../entries.ts";
import type { IdSource } from "../ids.ts";
import { findVersion, findWorkflow, keptText, toWorkflow } from "../workflow-entry.ts";
import { missingVersion, Shelf, toError } from "../workflow-shelf.ts";
import { viewWorkflow, type SharingAsk } from "../workflow-view.ts";
import { toImportChanges, toWorkflowChanges, type Bringing } from "./changes.ts";
import { toJsonText, toSharedText } from "./document.ts";
import { exportWorkflow, loadFlow, type ExportParts } from "./export.ts";
import { draftImport, type ImportPlan } from "./import.ts";
import { findFreeName } from "./names.ts";
import { parseSharedText } from "./parse.ts";
import { replaceMembers } from "./references.ts";

export type SharingParts = ExportParts & {
  readonly entries: Entries;
  readonly ids: IdSource;
  readonly clock: Clock;
};

type AskOf<Verb extends SharingAsk["do"]> = Extract<SharingAsk, { do: Verb }>;

export async function share(asked: SharingAsk, asking: Asking, parts: SharingParts): Promise<Json> {
  switch (asked.do) {
    case "export":
      return toSharedText(await exportWorkflow(asked.workflow, asked.tests, parts));
    case "plan_import":
      return draftImport(parseSharedText(asked.file), { ...parts, now: parts.clock.now() }).plan;
    case "import":
      return importFile(asked, asking, parts);
    case "clone":
      return clone(asked, asking, parts);
  }
}

function importFile({ file: text, isEnabled }: AskOf<"import">, asking: Asking, parts: SharingParts): Promise<Json> {
  const { entries } = parts;
  const bringing = toBringing(isEnabled, asking, parts);
  const file = parseSharedText(text);
  const draft = draftImport(file, { ...parts, now: bringing.now });
  const { changes, flows } = toImportChanges(draft, file, bringing);
  const { plan } = draft;
  const answer = (): Json => ({
    ...plan,
    workflow: viewWorkflow(new Shelf(entries, parts.library).find(plan.name).entry),
  });
  const audited = { subject: plan.name, details: { enabled: isEnabled, workflows: createdNames(plan) } };
  return entries.change(changes, { flows, asking, answer, audited });
}

function createdNames({ workflows }: ImportPlan): readonly string[] {
  return workflows.flatMap(({ as, action }) => (action === "create" ? [as] : []));
}

function toBringing(isEnabled: boolean, { by }: Asking, { entries, ids, clock }: SharingParts): Bringing {
  const now = clock.now();
  return { by, now, isEnabled, nextId: () => ids.next(now), entries };
}

/** Whatever starts the workflow by itself stays with the one that was there; a second factor is asked for as before. */
async function clone({ workflow }: AskOf<"clone">, asking: Asking, parts: SharingParts): Promise<Json> {
  const { entries, library } = parts;
  const shelf = new Shelf(entries, library);
  const { name, no, newest, entry } = shelf.find(workflow);
  const number = no ?? newest;
  const version = findVersion(entries, name, number);
  if (toWorkflow(entry).deletedAt !== null)
    throw toError({ kind: "missing", message: `The workflow "${name}" was deleted.` });
  if (version === undefined) throw toError(missingVersion(name, number, newest));
  const loaded = await loadFlow(version, parts);
  // What follows is decided at once: the store was asked before.
  const { description, input, along } = toWorkflow(shelf.find(name).entry);
  const flow = withoutTriggers(loaded.flow);
  const isSame = flow === loaded.flow;
  const free = findFreeName(
    name,
    (text) => isTaken(text, parts),
    (count) => (count === 1 ? " (copy)" : ` (copy ${count})`),
  );
  const copied = isSame ? loaded.version : library.compile(flow, parts.clock.now());
  const brought = {
    name: free,
    no: (findWorkflow(entries, free)?.no ?? 0) + 1,
    version: copied,
    description,
    input,
    text: isSame ? version.text : keptText(toJsonText(flow)),
    note: `Copied from "${name}", version ${number}`,
    along,
  };
  const changes = toWorkflowChanges(brought, toBringing(false, asking, parts));
  const answer = (): Json => {
    return { ...viewWorkflow(shelf.find(free).entry), isNewVersion: true, warnings: shelf.warningsOf(copied) };
  };
  const audited = { subject: free, details: { from: name } };
  return entries.change(changes, { flows: [copied.record], asking, answer, audited });
}

function isTaken(name: string, { entries, library }: SharingParts): boolean {
  return library.findNamed(name) !== undefined || findWorkflow(entries, name)?.deletedAt === null;
}

function withoutTriggers(flow: Json): Json {
  if (!isObject(flow) || (own(flow, "steps") ?? own(flow, "states")) === undefined) return flow;
  // An export of another engine, which was saved as it is.
  const workflow = own(flow, "version") === 1 ? own(flow, "workflow") : undefined;
  if (isObject(workflow)) return replaceMembers(flow, { workflow: without(workflow, "schedule") });
  return own(flow, "triggers") === undefined ? flow : without(flow, "triggers");
}

function without(object: JsonObject, name: string): JsonObject {
  return objectFrom(Object.entries(object).filter(([key]) => key !== name));
}
