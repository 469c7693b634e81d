// What an import does, decided before anything is changed: what each workflow of the file is called here, what is missing,
// and which resources are here already.

import type { JsonObject } from "../../flow/json.ts";
import { Shelf } from "../workflow-shelf.ts";
import { byText, type SharedFile } from "./document.ts";
import { findNeeds, findPlainSecrets } from "./needs.ts";
import { placeWorkflows, type Placed, type PlaceParts } from "./place.ts";
import { settleResources, type SettledResource } from "./settle-resources.ts";

export type ImportPlan = {
  /** What the workflow of the file will be called here. */
  readonly name: string;
  /** All that the file brings, the one it is about first. */
  readonly workflows: readonly PlannedWorkflow[];
  readonly resources: readonly PlannedResource[];
  /** What steps call, and nobody here knows. */
  readonly missingTools: readonly string[];
  /** Before an import told only to who may see their names. */
  readonly missingSecrets: readonly string[];
  /** Keys that whoever runs it must have. */
  readonly permissions: readonly string[];
  readonly warnings: readonly string[];
};

export type PlannedWorkflow = {
  /** In the file. */
  readonly name: string;
  /** Here. */
  readonly as: string;
  /** Compared with what is saved here under its name. */
  readonly state: "new" | "changed" | "same";
  /** `link`: what is here is used. */
  readonly action: "create" | "link";
};

export type PlannedResource = {
  readonly name: string;
  readonly url: string | null;
  readonly action: "create" | "link";
};

export type ImportDraft = {
  readonly plan: ImportPlan;
  readonly main: Placed;
  readonly placed: readonly Placed[];
  readonly newResources: readonly JsonObject[];
};

/** Throws what is wrong with the flows of the file; nothing is changed. */
export function draftImport(file: SharedFile, parts: PlaceParts): ImportDraft {
  const settled = settleResources(file, parts.entries);
  const { main, placed } = placeWorkflows(settled.file, parts);
  const plans = placed.map(({ version }) => version.plan);
  const { missingTools, secrets, permissions } = findNeeds(plans, parts.tools, file.tools);
  const isTold = (warning: string): boolean =>
    missingTools.some((tool) => warning.startsWith(`Unknown tool: ${tool}.`));
  const others = placed
    .filter((each) => each !== main)
    .toSorted((one, other) => byText(one.filed.name, other.filed.name));
  const plan: ImportPlan = {
    name: main.as,
    workflows: [main, ...others].map(({ filed, as, state, isLinked }) => {
      return { name: filed.name, as, state, action: isLinked ? "link" : "create" };
    }),
    resources: settled.resources.map(({ name, url, isHere }) => ({ name, url, action: isHere ? "link" : "create" })),
    missingTools,
    missingSecrets: secrets.filter((name) => parts.entries.find("secret", name) === undefined),
    permissions,
    warnings: [
      ...file.warnings,
      ...settled.resources.flatMap(tellResource),
      ...placed.flatMap((each) => warningsOf(each, main, placed, parts)).filter((warning) => !isTold(warning)),
    ],
  };
  return {
    plan,
    main,
    placed,
    newResources: settled.resources.filter(({ isHere }) => !isHere).map(({ kept }) => kept),
  };
}

function tellResource({ name, isHere, isOther }: SettledResource): readonly string[] {
  if (!isHere) return [`Resource '${name}' created`];
  return isOther ? [`Resource '${name}' is here already, and differs from the file's: what is here is used.`] : [];
}

function warningsOf(each: Placed, main: Placed, placed: readonly Placed[], parts: PlaceParts): readonly string[] {
  if (each.isLinked) return [];
  const { filed, as, version, flow, text } = each;
  const shelf = new Shelf(parts.entries, parts.library);
  const missing = version.subFlows.flatMap((reference) => {
    const picked = shelf.pick(reference);
    if (picked.kind === "found" || placed.some((other) => !other.isLinked && other.as === reference.name)) return [];
    return [`${picked.message} A step that starts it fails.`];
  });
  const told = [
    ...(text === undefined && filed.text !== undefined
      ? ["Its text is not kept, since names in it had to change: the flow alone is."]
      : []),
    ...version.warnings,
    ...missing,
    ...findPlainSecrets(flow).map(
      (pointer) => `What stands at ${pointer} looks like a secret; write {{ secrets.NAME }} there, and keep it apart.`,
    ),
  ];
  const renamed = as === filed.name || each === main ? [] : [`"${filed.name}" becomes "${as}".`];
  return [...renamed, ...(each === main ? told : told.map((warning) => `"${as}": ${warning}`))];
}
