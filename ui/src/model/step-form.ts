// A step as a form shows it: what it calls, what happens when that fails, and where it leads. Every answer is a patch.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { setAt, setMap, valueAt, type Patch, type Path } from "./patch.ts";
import { keyIn, setKey } from "./step-keys.ts";
import { nameOfPlace } from "./step-references.ts";
import { routesIn, setRoute } from "./step-routes.ts";

export type StepPlace = {
  /** Where the step stands; of a transition of a machine, its action. */
  readonly path: Path;
  readonly name: string;
  readonly step: JsonObject;
  readonly notation: "flow" | "pipeline" | "action";
  /** Names by which steps are led to. */
  readonly targets: readonly string[];
};

/** What a step does. */
export type StepKind = "tool" | "gate" | "wait" | "flow" | "set" | "end";

/** null: a form has nothing to say about what stands there. */
export function findStep(flow: Json, path: Path): StepPlace | null {
  const found = valueAt(flow, path);
  if (!isObject(found) || !isObject(flow) || isForeign(flow)) return null;
  if (path[0] === "transitions") return findAction(flow, path);
  if (path[0] === "states" || isObject(flow["states"])) return null;
  const isPipeline = path[0] === "steps" && Array.isArray(flow["steps"]);
  const own = found["name"];
  const name = isPipeline ? nameOfPlace(found, Number(path[1])) : typeof own === "string" ? own : (path.at(-1) ?? "");
  return { path, name, step: found, notation: isPipeline ? "pipeline" : "flow", targets: targetsOf(flow) };
}

/** An export of another engine has words of its own. */
function isForeign(flow: JsonObject): boolean {
  return flow["version"] === 1 && isObject(flow["workflow"]);
}

function findAction(flow: JsonObject, path: Path): StepPlace | null {
  const place = [...path.slice(0, 2), "action"];
  const step = valueAt(flow, place);
  const name = valueAt(flow, [...path.slice(0, 2), "name"]);
  if (!isObject(step) || typeof name !== "string") return null;
  return { path: place, name, step, notation: "action", targets: [] };
}

function targetsOf(flow: JsonObject): readonly string[] {
  const { steps } = flow;
  if (Array.isArray(steps)) return (steps as readonly Json[]).map(nameOfPlace);
  return Object.entries(isObject(steps) ? steps : flow).flatMap(([key, step]) => (isObject(step) ? [key] : []));
}

export function kindOf(step: JsonObject): StepKind {
  if (keyIn(step, "tool") !== "") return "tool";
  if ("gate" in step || step["tool"] === null) return "gate";
  if ("wait" in step) return "wait";
  if ("flow" in step) return "flow";
  return "set" in step ? "set" : "end";
}

type Choice = { readonly value: string; readonly label: string };

/** One question about a step, answered by one of a few. */
export type Question = {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  /** What the answer does to the flow. */
  readonly answer: (flow: Json, value: string) => Patch;
};

/** A select, with what stands there although it was not offered. */
function toQuestion(question: Question): Question {
  const { value, choices } = question;
  const isKnown = choices.some((choice) => choice.value === value);
  return isKnown ? question : { ...question, choices: [...choices, { value, label: value }] };
}

const plain = (values: readonly string[]): readonly Choice[] => values.map((value) => ({ value, label: value }));
const end: Choice = { value: "end", label: "End workflow" };

/** Whether it is tried again, and what becomes of it when its tool is out of order. */
export function troublesOf({ path, step, notation }: StepPlace): readonly Question[] {
  const kind = kindOf(step);
  if (kind !== "tool" && kind !== "flow") return [];
  const tries = triesOf(path, step, notation);
  return kind === "tool" ? [tries, ...troublesOfTool(path, step)] : [tries];
}

function triesOf(path: Path, step: JsonObject, notation: StepPlace["notation"]): Question {
  const { retry } = step;
  const attempts = isObject(retry) ? retry["attempts"] : retry === false ? 1 : undefined;
  const value = typeof attempts === "number" ? String(attempts) : retry === "classic" ? "classic" : "";
  return toQuestion({
    id: "retry",
    label: "How often it is tried",
    value,
    choices: [
      { value: "", label: notation === "flow" ? "As the workflow says (default: 3 times)" : "Once (default)" },
      { value: "1", label: "Once" },
      ...["2", "3", "5", "10"].map((count) => ({ value: count, label: `${count} times` })),
      { value: "classic", label: "3 times, after 30 s, 2 min, 5 min" },
    ],
    answer: (flow, wish) => {
      if (wish === "") return setAt(flow, [...path, "retry"], undefined);
      if (wish === "classic") return setAt(flow, [...path, "retry"], wish);
      if (isObject(valueAt(flow, [...path, "retry"]))) return setAt(flow, [...path, "retry", "attempts"], Number(wish));
      return setAt(flow, [...path, "retry"], wish === "1" ? false : { attempts: Number(wish) });
    },
  });
}

function troublesOfTool(path: Path, step: JsonObject): readonly Question[] {
  const one = (key: Parameters<typeof keyIn>[1], label: string, choices: readonly Choice[]): Question =>
    toQuestion({
      id: key,
      label,
      value: keyIn(step, key),
      choices,
      answer: (flow, wish) => setKey(flow, path, key, wish),
    });
  return [
    one("on_circuit_open", "When its tool is switched off after failures", [
      { value: "", label: "The step fails (default)" },
      { value: "skip", label: "The step is skipped" },
      { value: "fallback", label: "Another tool is called" },
    ]),
    one("on_missing_tool", "When its tool is not there", [
      { value: "", label: "The step fails (default)" },
      { value: "skip", label: "The step is skipped" },
    ]),
    one("on_unknown", "When nobody knows whether it happened", [
      { value: "", label: "As its tool says (default)" },
      { value: "ask", label: "A person is asked" },
      { value: "retry", label: "It is called again" },
      { value: "fail", label: "The step fails" },
    ]),
  ];
}

const failures = new Set(["error", "rejected", "expired", "timeout", "cancelled"]);

/** Where it leads: in any case, by each condition, and by each outcome it is known to have. */
export function waysOf(place: StepPlace, declared: readonly string[]): readonly Question[] {
  if (place.notation === "action") return [];
  return [...mainWays(place), ...outcomesOf(place, declared).map((outcome) => routeOf(place, outcome))];
}

function mainWays({ path, step, notation, targets }: StepPlace): readonly Question[] {
  if (Array.isArray(step["branch"])) return branchesOf(path, step["branch"] as readonly Json[], step, targets);
  if ("parallel" in step || "join" in step || "terminal" in step || isObject(step["done"])) return [];
  // Without a word a step of a pipeline leads on, and one of a flow ends; routes alone decide by themselves.
  const hasRoutes = "routes" in step || "on" in step;
  if (notation === "flow" && hasRoutes && !("next" in step) && !("done" in step)) return [];
  const isDone = step["done"] === true || (notation === "flow" && step["next"] === undefined);
  const choices = notation === "pipeline" ? [nextStep, ...plain(targets), end] : [...plain(targets), end];
  const value = isDone ? "end" : textOf(step["next"]);
  const answer = (flow: Json, wish: string): Patch => [
    ...setAt(flow, [...path, "next"], wish === "" || wish === "end" ? undefined : wish),
    ...setAt(flow, [...path, "done"], wish === "end" ? true : undefined),
  ];
  return [toQuestion({ id: "next", label: "What comes next", value, choices, answer })];
}

const nextStep: Choice = { value: "", label: "Next step (default)" };

function branchesOf(
  path: Path,
  branches: readonly Json[],
  step: JsonObject,
  targets: readonly string[],
): readonly Question[] {
  const conditions = branches.map((branch, at) => {
    const own = isObject(branch) ? branch : {};
    const answer = (flow: Json, wish: string): Patch => setAt(flow, [...path, "branch", String(at), "then"], wish);
    const choices = [...plain(targets), end];
    return toQuestion({
      id: `branch-${at}`,
      label: `If ${textOf(own["if"])}`,
      value: textOf(own["then"]),
      choices,
      answer,
    });
  });
  const choices = [{ value: "", label: "A person is asked (default)" }, ...plain(targets), end];
  const answer = (flow: Json, wish: string): Patch => setAt(flow, [...path, "else"], wish === "" ? undefined : wish);
  return [...conditions, toQuestion({ id: "else", label: "Else", value: textOf(step["else"]), choices, answer })];
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Those that its tool declares or its kind has, and those that are routed already. */
function outcomesOf({ step }: StepPlace, declared: readonly string[]): readonly string[] {
  const kind = kindOf(step);
  const usual = [
    ...(kind === "gate" ? ["rejected", "expired"] : []),
    ...("each" in step ? ["partial", "empty"] : []),
    ...("timeout" in step && kind !== "tool" ? ["timeout"] : []),
    ...(kind === "tool" || kind === "flow" ? ["error"] : []),
  ];
  // What fails is asked for last, however it is written.
  const routed = routesIn(step).flatMap(({ outcome, path }) => (path[0] === "on_error" ? [] : [outcome]));
  return [...new Set([...declared, ...routed, ...usual])].filter((name) => name !== "default");
}

function routeOf({ path, step, targets }: StepPlace, outcome: string): Question {
  const route = routesIn(step).find((each) => each.outcome === outcome);
  const usual = failures.has(outcome) ? { value: "", label: "The run fails (default)" } : nextStep;
  return toQuestion({
    id: `route-${outcome}`,
    label: outcome === "error" ? "When it has failed for good" : `When the outcome is ${outcome}`,
    value: textOf(route?.target),
    choices: [usual, ...plain(targets), end],
    answer: (flow, wish) => setRoute(flow, path, outcome, wish === "" ? undefined : wish),
  });
}

export function setTool(flow: Json, { path }: StepPlace, key: "tool" | "fallback", name: string): Patch {
  return setKey(flow, path, key, name);
}

export function setArgs(flow: Json, { path }: StepPlace, args: Json): Patch {
  return setMap(flow, [...path, "args"], args);
}
