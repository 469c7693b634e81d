// The constructs of one step: its action, its transition, its policies.

import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { hasTransition, targetsOf, textOf, type StepView } from "../document-view.ts";
import { uses, type Construct } from "./construct.ts";

type StepInNotation = StepView & { readonly isInPipeline: boolean };

type StepConstruct = Construct<StepInNotation>;

/** The value at this path inside a step. */
function at(step: JsonObject, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = step;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

function has(...path: readonly string[]): StepConstruct {
  return uses(path.join("."), ({ step }) => at(step, ...path) !== undefined);
}

function is(value: Json, ...path: readonly string[]): StepConstruct {
  return uses(`${path.join(".")}: ${JSON.stringify(value)}`, ({ step }) => at(step, ...path) === value);
}

function oneOf(path: readonly string[], values: readonly Json[]): readonly StepConstruct[] {
  return values.map((value) => is(value, ...path));
}

function shows(name: string, isShown: (step: JsonObject) => boolean): StepConstruct {
  return uses(name, ({ step }) => isShown(step));
}

const actions: readonly StepConstruct[] = [
  has("name"),
  shows("tool", (step) => typeof own(step, "tool") === "string"),
  has("args"),
  uses("tool without args in a pipeline", ({ step, isInPipeline }) => isInPipeline && isPlainTool(step)),
  is(null, "tool"),
  ...["title", "message", "form", "approvers", "need", "self_approval", "notify", "remind_after"].map((key) =>
    has("gate", key),
  ),
  ...["escalate_after", "escalate_to", "expires_after", "on_expire"].map((key) => has("gate", key)),
  shows("wait: a duration", (step) => typeof own(step, "wait") === "string"),
  ...["until", "zone", "event", "match"].map((key) => has("wait", key)),
  shows("flow: the newest version", (step) => typeof own(step, "flow") === "string" && !hasVersion(step)),
  shows("flow: a version", hasVersion),
  shows("input of a sub-flow", (step) => Object.hasOwn(step, "flow") && Object.hasOwn(step, "input")),
  has("set"),
  shows("each on a tool", (step) => Object.hasOwn(step, "each") && Object.hasOwn(step, "tool")),
  shows("each on a flow", (step) => Object.hasOwn(step, "each") && Object.hasOwn(step, "flow")),
  has("each", "concurrency"),
  ...oneOf(["each", "on_item_error"], ["fail", "collect"]),
  ...oneOf(["each", "result"], ["list", "none"]),
  ...oneOf(["terminal"], ["success", "failure", "cancel"]),
  shows("end state with done", (step) => Object.hasOwn(step, "done") && !hasAction(step)),
];

const transitions: readonly StepConstruct[] = [
  has("next"),
  is("end", "next"),
  is("end", "else"),
  has("branch"),
  has("else"),
  shows("branch without else", (step) => Object.hasOwn(step, "branch") && !Object.hasOwn(step, "else")),
  has("routes"),
  has("on"),
  has("on_error"),
  has("outcome"),
  shows("routes: the prefix on_", (step) => outcomesIn(step).some((name) => name.startsWith("on_"))),
  shows("routes: default", (step) => outcomesIn(step).includes("default")),
  ...["error", "rejected", "expired", "timeout", "cancelled"].map((name) =>
    uses(`routes: ${name}`, (view: StepInNotation) => targetsOf(view).some((site) => site.outcome === name)),
  ),
  ...["next", "branch", "parallel", "join", "done"].map((key) =>
    shows(`routes beside ${key}`, (step) => outcomesIn(step).length > 0 && Object.hasOwn(step, key)),
  ),
  shows("routes alone", (step) => outcomesIn(step).length > 0 && !hasTransition(step)),
  shows("routes as a list", (step) => isArray(own(step, "routes"))),
  uses("target: end", (view) => targetsOf(view).some(({ kind, target }) => kind === "route" && target === "end")),
  uses("target: a position", (view) => targetsOf(view).some(({ target }) => typeof target === "number")),
  uses("position", ({ step }) => Object.hasOwn(step, "position")),
  uses("no transition", ({ step }) => hasAction(step) && !hasTransition(step) && outcomesIn(step).length === 0),
  is(true, "done"),
  has("done", "output"),
  has("done", "message"),
  ...oneOf(["done", "kind"], ["success", "failure", "cancel"]),
];

const policies: readonly StepConstruct[] = [
  ...oneOf(["retry"], [false, "classic"]),
  shows("retry.backoff: a list", (step) => isArray(at(step, "retry", "backoff"))),
  has("retry", "backoff", "base"),
  has("retry", "attempts"),
  has("retry", "jitter"),
  has("timeout"),
  ...oneOf(["effect"], ["read", "idempotent", "write"]),
  ...oneOf(["on_unknown"], ["ask", "retry", "fail"]),
  has("probe"),
  has("idempotency_key"),
  ...oneOf(["on_circuit_open"], ["halt", "skip", "fallback"]),
  ...oneOf(["on_missing_tool"], ["halt", "skip"]),
  has("on_missing_skill"),
  has("fallback"),
  has("fallback_skill"),
  ...oneOf(["on_branch_error"], ["fail", "collect"]),
  ...oneOf(["on_no_match"], ["hold", "fail", "complete"]),
  ...oneOf(["sanitize"], ["flag", "strip", "block", "off"]),
  has("input_from"),
  ...oneOf(["cancel"], [true, false]),
  shows("cancel: a step", (step) => typeof own(step, "cancel") === "string"),
  has("compensate"),
  has("attempt"),
  has("x-note"),
];

export const stepConstructs: readonly StepConstruct[] = [...actions, ...transitions, ...policies];

function hasAction(step: JsonObject): boolean {
  return ["tool", "gate", "wait", "flow", "set"].some((key) => Object.hasOwn(step, key));
}

function isPlainTool(step: JsonObject): boolean {
  return typeof own(step, "tool") === "string" && !Object.hasOwn(step, "args");
}

function hasVersion(step: JsonObject): boolean {
  return textOf(own(step, "flow")).includes("@");
}

/** The names of all routes, as they were written. */
function outcomesIn(step: JsonObject): readonly string[] {
  const routes = own(step, "routes") ?? own(step, "on");
  const short = Object.hasOwn(step, "on_error") ? ["error"] : [];
  if (isArray(routes))
    return [...short, ...routes.map((route) => (isObject(route) ? textOf(own(route, "branch")) : ""))];
  return isObject(routes) ? [...short, ...Object.keys(routes)] : short;
}
