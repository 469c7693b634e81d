// Which constructs of the language a document uses: the coverage table of the random flows. The list is written out, so
// that a construct that nobody generates any more is missed.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { forkConstructs, forksIn } from "./constructs/forks.ts";
import { machineConstructs } from "./constructs/machines.ts";
import { stepConstructs } from "./constructs/steps.ts";
import { templateConstructs } from "./constructs/templates.ts";
import { uses, type Construct } from "./constructs/construct.ts";
import { findStep, notationOf, stepsOf, targetsOf, type StepView } from "./document-view.ts";

const documentKeys: readonly string[] = "format name description input timeout resources requires_2fa x-ui".split(" ");

const documentConstructs: readonly Construct<JsonObject>[] = [
  ...documentKeys.map((key) => uses(`document: ${key}`, (document: JsonObject) => Object.hasOwn(document, key))),
  ...["anywhere", "declared", "never"].map((rule) =>
    uses(`document: cancel ${rule}`, (document: JsonObject) => own(document, "cancel") === rule),
  ),
  ...["input", "timeout", "retry"].map((key) =>
    uses(`document: defaults.${key}`, (document: JsonObject) => memberOf(own(document, "defaults"), key)),
  ),
  ...["cron", "webhook"].map((key) =>
    uses(`document: trigger ${key}`, (document: JsonObject) => hasTrigger(own(document, "triggers"), key)),
  ),
  uses("document: strict", (document) => own(document, "strict") === true),
  uses("start: a key", (document) => startView(document)?.key === own(document, "start")),
  uses("start: another name", (document) => {
    const view = startView(document);
    return view !== undefined && view.key !== own(document, "start");
  }),
  uses("start: the step itself", (document) => isObject(own(document, "start"))),
  uses("start: left out", (document) => notationOf(document) === "flow" && !Object.hasOwn(document, "start")),
  uses("target: another name", (document) => stepsOf(document).some((view) => hasAliasTarget(document, view))),
];

/** Every construct that random flows must cover. */
export const allConstructs: readonly string[] = [
  "notation: flow",
  "notation: bare map",
  "notation: pipeline",
  "notation: machine",
].concat(
  documentConstructs.map(({ name }) => name),
  stepConstructs.map(({ name }) => name),
  forkConstructs.map(({ name }) => name),
  machineConstructs.map(({ name }) => name),
  templateConstructs.map(({ name }) => name),
);

/** The names, out of `allConstructs`, of what the document uses. */
export function constructsOf(document: JsonObject): readonly string[] {
  const notation = notationOf(document);
  const steps = stepsOf(document);
  const used = new Set<string>([notation === "bare" ? "notation: bare map" : `notation: ${notation}`]);
  const note = <T>(constructs: readonly Construct<T>[], thing: T): void => {
    for (const { name, isUsed } of constructs) if (isUsed(thing)) used.add(name);
  };
  if (notation !== "bare") note(documentConstructs, document);
  for (const view of steps) note(stepConstructs, { ...view, isInPipeline: notation === "pipeline" });
  note(forkConstructs, { steps, forks: forksIn(steps) });
  if (notation === "machine") note(machineConstructs, document);
  note(templateConstructs, JSON.stringify(document));
  return [...used];
}

function startView(document: JsonObject): StepView | undefined {
  const start = own(document, "start");
  return typeof start === "string" ? findStep(stepsOf(document), start) : undefined;
}

function hasAliasTarget(document: JsonObject, view: StepView): boolean {
  const steps = stepsOf(document);
  return targetsOf(view).some(({ target }) => {
    const found = findStep(steps, target);
    return found !== undefined && found.position === null && found.key !== target;
  });
}

function memberOf(value: Json | undefined, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

function hasTrigger(triggers: Json | undefined, key: string): boolean {
  return isArray(triggers) && triggers.some((trigger) => memberOf(trigger, key));
}
