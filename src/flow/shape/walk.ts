// One walk of a value along the schema literals. Free values (arguments, set, JSON Schemas) have no schema below them
// and are not entered, so the walk is as deep as the language, not as the document.

import { parseDuration } from "../duration.ts";
import { finding, type Finding, type FindingCode } from "../finding.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import { partsOf, under } from "../pointer.ts";
import type { SchemaNode } from "../schema/node.ts";
import { alternativesOf, propertiesOf, resolve, takesTypeOf, typesOf, type Resolved } from "../schema/resolve.ts";
import { checkConstruct } from "./construct.ts";
import { meantKeys } from "./key.ts";
import type { Place, Subject } from "./place.ts";
import { misplaced, type View } from "./view.ts";
import { expectation, inWords, listWords, quote, sentence } from "./words.ts";
import { nearest } from "../suggest.ts";

type Report = View["report"];

/** Definitions whose values have a code of their own when they are wrong. */
const codes: { readonly [definition: string]: FindingCode } = {
  format: "unknown_format",
  duration: "bad_duration",
  terminalKind: "invalid_terminal_kind",
  outcomeName: "bad_outcome_name",
};

export function checkValue(value: Json, schema: SchemaNode, place: Place, report: Report): void {
  const alternatives = alternativesOf(schema);
  const fitting = alternatives.filter(({ node }) => takesTypeOf(node, value) && !isOtherThan(node, value));
  const chosen = fitting.length > 1 && isObject(value) ? bestMatch(value, fitting) : fitting[0];
  if (chosen === undefined) return report(wrongType(value, alternatives, place));
  if (isArray(value)) checkList(value, chosen, place, report);
  else if (isObject(value)) checkObject(value, chosen, place, report);
  else checkScalar(value, chosen, place, report);
}

/** `retry: true`: of an alternative that takes only `false`, the opposite was hardly meant. */
function isOtherThan({ const: only }: SchemaNode, value: Json): boolean {
  return typeof only === "boolean" && only !== value;
}

/** The alternative whose own keys are there, and most of whose others are; of equals the first. */
function bestMatch(value: JsonObject, alternatives: readonly Resolved[]): Resolved | undefined {
  const keys = Object.keys(value);
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const scores = alternatives.map(({ node }) => {
    const identifying = (node.required ?? []).filter(has).length;
    const known = Object.keys(propertiesOf(node)).filter((key) => has(key) || nearest(key, keys) !== undefined);
    return 100 * identifying + known.length;
  });
  return alternatives[scores.indexOf(Math.max(...scores))];
}

function wrongType(value: Json, alternatives: readonly Resolved[], place: Place): Finding {
  const expected = listWords([...new Set(alternatives.map(({ node }) => expectation(node)))]);
  const message = sentence(place, `must be ${expected}, not ${inWords(value)}.`);
  const only = alternatives.length === 1 ? own(codes, alternatives[0]?.name ?? "") : undefined;
  const cures = alternatives.map(({ node }) => converted(value, node)).filter((cure) => cure !== undefined);
  // Two ways to cure it would be a guess.
  const cure = cures.length === 1 ? cures[0] : undefined;
  const patch = cure === undefined ? undefined : [{ op: "replace", path: place.pointer, value: cure } as const];
  const other = alternatives.some(({ node }) => takesTypeOf(node, value)) ? "wrong_value" : "wrong_type";
  return finding(only ?? other, place.pointer, message, patch);
}

/** The value of the right type that was surely meant, if there is one. */
function converted(value: Json, node: SchemaNode): Json | undefined {
  if (node.const !== undefined) return node.const;
  const types = typesOf(node);
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  const isNumeric = typeof value === "string" && /^\d{1,9}(\.\d{1,9})?$/.test(value);
  if (isNumeric && (types.includes("number") || (types.includes("integer") && Number.isInteger(Number(value))))) {
    return Number(value);
  }
  const { items } = node;
  const isItem = items !== undefined && alternativesOf(items).some((each) => isLike(each.node, value));
  if (types.includes("array") && isItem) return [value];
  // YAML: a key with nothing behind it.
  if (types.includes("object") && node.required === undefined && (value === null || value === true)) return {};
  return undefined;
}

/** Of the right type, and with the keys that it cannot do without. */
function isLike(node: SchemaNode, value: Json): boolean {
  const { required = [] } = node;
  return takesTypeOf(node, value) && required.every((key) => isObject(value) && Object.hasOwn(value, key));
}

function checkScalar(value: Json, { name, node }: Resolved, place: Place, report: Report): void {
  const code = own(codes, name ?? "") ?? "wrong_value";
  const wrong = (claim: string, cure?: Json): void => {
    const patch = cure === undefined ? undefined : [{ op: "replace", path: place.pointer, value: cure } as const];
    const hint = cure === undefined ? "." : `. Write ${JSON.stringify(cure)}.`;
    report(finding(code, place.pointer, sentence(place, claim + hint), patch));
  };
  const allowed = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (allowed !== undefined && !allowed.includes(value)) {
    const texts = allowed.filter((each) => typeof each === "string");
    const meant = allowed.length > 1 && typeof value === "string" ? nearest(value, texts) : allowed[0];
    return wrong(`must be ${expectation(node)}, not ${inWords(value)}`, meant);
  }
  if (typeof value === "string" && !isTextOf(value, name, node)) {
    return wrong(`must be ${expectation(node)}, not ${inWords(value)}`);
  }
  if (typeof value === "number" && value < (node.minimum ?? value)) {
    return wrong(`must be at least ${node.minimum}, not ${value}`, node.minimum);
  }
  if (typeof value === "number" && value > (node.maximum ?? value)) {
    return wrong(`must be at most ${node.maximum}, not ${value}`);
  }
}

function isTextOf(value: string, name: string | undefined, node: SchemaNode): boolean {
  if (name === "duration") return parseDuration(value) !== undefined;
  if (value.length < (node.minLength ?? 0)) return false;
  return node.pattern === undefined || new RegExp(node.pattern, "u").test(value);
}

function checkList(list: readonly Json[], { name, node }: Resolved, place: Place, report: Report): void {
  if (list.length < (node.minItems ?? 0)) {
    const code = name === "branches" ? "empty_parallel" : "wrong_value";
    report(finding(code, place.pointer, sentence(place, "is empty. Put at least one entry into it, or leave it out.")));
  }
  if (node.uniqueItems === true) reportDuplicates(list, place, report);
  const { items } = node;
  if (items === undefined) return;
  list.forEach((item, index) => {
    checkValue(item, items, { ...place, pointer: under(place.pointer, index) }, report);
  });
}

function reportDuplicates(list: readonly Json[], place: Place, report: Report): void {
  const seen = new Set<Json>();
  list.forEach((item, index) => {
    const pointer = under(place.pointer, index);
    if (seen.has(item)) {
      const message = sentence(place, `names ${inWords(item)} twice. Name each branch once.`);
      report(finding("duplicate_branch", pointer, message, [{ op: "remove", path: pointer }]));
    }
    seen.add(item);
  });
}

function checkObject(value: JsonObject, { name, node }: Resolved, outer: Place, report: Report): void {
  const place = { ...outer, subject: subjectOf(name, value, outer) };
  if (node.properties === undefined) return checkMap(value, { name, node }, place, report);
  const view = { place, fields: meantKeys(value, { name, node, place, report }), report };
  checkFields(node, view);
  checkConstruct(name, view);
}

function checkFields(node: SchemaNode, { place, fields, report }: View): void {
  for (const key of node.required ?? []) {
    if (!fields.has(key))
      report(finding("missing_key", place.pointer, sentence(place, `needs the key ${quote(key)}.`)));
  }
  for (const [key, { value, pointer }] of fields) {
    const schema = own(propertiesOf(node), key);
    if (schema !== undefined) checkValue(value, schema, { ...place, pointer }, report);
    const needed = own(node.dependencies ?? {}, key)?.find((other) => !fields.has(other));
    if (needed !== undefined)
      report(misplaced({ ...place, pointer }, `means nothing without ${quote(needed)}. Remove it.`));
  }
}

/** A map of things by name: steps, states, routes. */
function checkMap(value: JsonObject, { name, node }: Resolved, place: Place, report: Report): void {
  const { additionalProperties: members, propertyNames } = node;
  if (typeof members !== "object") return;
  for (const [key, member] of Object.entries(value)) {
    // In the bare map these keys are the document's own notes, elsewhere they are names like any other.
    if (name === "bareFlow" && key.startsWith("x-")) continue;
    const at = { ...place, pointer: under(place.pointer, key) };
    if (propertyNames !== undefined) checkScalar(key, resolve(propertyNames), at, report);
    checkValue(member, members, at, report);
  }
}

const subjects: { readonly [definition: string]: string } = {
  step: "Step",
  pipelineStep: "Step",
  alexClawStep: "Step",
  state: "State",
  transition: "Transition",
};

/** A step is named by its key; one of a list by its name, else by its place in the list. */
function subjectOf(definition: string | undefined, value: JsonObject, { pointer, subject }: Place): Subject {
  const noun = own(subjects, definition ?? "");
  if (noun === undefined) return subject;
  const key = partsOf(pointer).at(-1) ?? "";
  const name = own(value, "name");
  if (definition === "step" || definition === "state") return { label: `${noun} ${quote(key)}`, pointer };
  return { label: typeof name === "string" ? `${noun} ${quote(name)}` : `${noun} ${Number(key) + 1}`, pointer };
}
