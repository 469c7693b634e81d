// The first look at a value that should be a flow: which notation it is, and what in it the language does not have.
// Everything it says comes from the schema literals; nothing here knows about names, graphs or expressions.

import { finding, type Finding } from "../finding.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import type { Notation } from "../plan.ts";
import { under } from "../pointer.ts";
import { definitionNamed, propertiesOf, resolve, type DefinitionName } from "../schema/resolve.ts";
import { inDocumentOrder } from "./order.ts";
import { checkValue } from "./walk.ts";
import { inWords, quote } from "./words.ts";
import { nearest, suggestionsMax } from "../suggest.ts";

export type Shape = {
  /** undefined: nothing that could be read as a flow. */
  readonly notation: Notation | "alexclaw" | undefined;
  /** The map of steps without its document. */
  readonly isBare: boolean;
  readonly findings: readonly Finding[];
};

export function checkShape(value: Json): Shape {
  if (!isObject(value)) return { notation: undefined, isBare: false, findings: [notAFlow(value)] };
  const definition = recognise(value);
  if (definition === undefined) return { notation: undefined, isBare: false, findings: [notAFlow(value)] };
  const findings: Finding[] = [];
  const place = { pointer: "", subject: { label: "", pointer: "" }, budget: { suggestionsLeft: suggestionsMax } };
  checkValue(value, definitionNamed(definition), place, (found) => findings.push(found));
  return {
    notation: notationOf(definition, value),
    isBare: definition === "bareFlow",
    findings: inDocumentOrder(value, findings),
  };
}

type DocumentName = Extract<DefinitionName, "flow" | "bareFlow" | "pipeline" | "machine" | "alexClaw">;

function recognise(value: JsonObject): DocumentName | undefined {
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (has("states") || (has("transitions") && !has("steps"))) return "machine";
  if (isExport(value)) return "alexClaw";
  if (isArray(own(value, "steps"))) return "pipeline";
  if (has("steps") || has("format")) return "flow";
  return isBareMap(value) && !isMisspelt(value) ? "bareFlow" : undefined;
}

/** Every value is an object. Where one is not, but others are clearly steps, the message is better about that one. */
function isBareMap(value: JsonObject): boolean {
  const members = Object.entries(value).filter(([key]) => !key.startsWith("x-"));
  const others = members.filter(([, member]) => !isObject(member));
  if (others.length === 0) return members.length > 0;
  return (
    others.every(([key]) => !isDocumentKey(key)) && members.some(([, member]) => isObject(member) && isStep(member))
  );
}

/** The one key that is not the document's own holds things by name, and nearly says so: no step, but all of them. */
function isMisspelt(value: JsonObject): boolean {
  const [only, ...others] = Object.entries(value).filter(([key]) => !key.startsWith("x-") && !isDocumentKey(key));
  if (only === undefined || others.length > 0 || nearest(only[0], ["steps", "states"]) === undefined) return false;
  const things = isObject(only[1]) && !isStep(only[1]) ? Object.values(only[1]) : [];
  return things.length > 0 && things.every(isObject);
}

function isDocumentKey(key: string): boolean {
  return Object.hasOwn(propertiesOf(resolve(definitionNamed("flow")).node), key);
}

function isStep(member: JsonObject): boolean {
  return ["tool", "gate", "wait", "flow", "set", "done", "terminal"].some((key) => Object.hasOwn(member, key));
}

/** An export that lacks a part is still an export, so that the message can say which part. */
function isExport(value: JsonObject): boolean {
  if (Object.hasOwn(value, "format")) return false;
  const version = own(value, "version");
  const hasWorkflow = Object.hasOwn(value, "workflow");
  if (version === undefined) return hasWorkflow && Object.hasOwn(value, "steps");
  const steps = own(value, "steps");
  const hasSkills = isArray(steps) && steps.some((step) => isObject(step) && Object.hasOwn(step, "skill"));
  return !isObject(version) && (hasWorkflow || hasSkills);
}

function notationOf(definition: DocumentName, value: JsonObject): Shape["notation"] {
  switch (definition) {
    case "pipeline":
    case "machine":
      return definition;
    case "alexClaw":
      return "alexclaw";
    case "bareFlow":
      return "flow";
    case "flow":
      return isObject(own(value, "steps")) ? "flow" : undefined;
  }
}

const smallest = '{"steps": {"hello": {"tool": "log", "args": {"message": "Hello"}, "done": true}}}';

function notAFlow(value: Json): Finding {
  const example = `The smallest flow is ${smallest}.`;
  if (!isObject(value)) return finding("not_a_flow", "", `A flow is an object, not ${inWords(value)}. ${example}`);
  const written = Object.keys(value).find((key) => nearest(key, ["steps", "states"]) !== undefined);
  const meant = nearest(written ?? "", ["steps", "states"]);
  if (written === undefined || meant === undefined) {
    return finding("not_a_flow", "", `This is not a flow: it has neither "steps" nor "states". ${example}`);
  }
  const message = `This is not a flow: it has ${quote(written)} where ${quote(meant)} should be. ${example}`;
  return finding("not_a_flow", "", message, [{ op: "move", from: under("", written), path: under("", meant) }]);
}
