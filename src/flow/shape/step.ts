// A step has one action and one transition, and its other keys go with them.

import { finding, type PatchOperation } from "../finding.ts";
import { isArray, isObject, own, type Json } from "../json.ts";
import { withoutPrefix } from "../normalise/step.ts";
import { parentOf, under, type Pointer } from "../pointer.ts";
import { misplaced, type Field, type View } from "./view.ts";
import { listWords, quote, sentence } from "./words.ts";

type ActionKind = "tool" | "gate" | "wait" | "flow" | "set" | "end";

const words: { readonly [kind in ActionKind]: string } = {
  tool: "a tool",
  gate: "a gate",
  wait: "a wait",
  flow: "a flow",
  set: "a set",
  end: "an end state",
};

const withTool: readonly ActionKind[] = ["tool"];
const withCall: readonly ActionKind[] = ["tool", "flow"];
const withAction: readonly ActionKind[] = ["tool", "gate", "wait", "flow", "set"];

/** The keys that go with some actions only; all others go with every step. */
const companions: { readonly [key: string]: readonly ActionKind[] } = {
  args: withTool,
  effect: withTool,
  on_unknown: withTool,
  probe: withTool,
  idempotency_key: withTool,
  on_circuit_open: withTool,
  on_missing_tool: withTool,
  on_missing_skill: withTool,
  fallback: withTool,
  fallback_skill: withTool,
  sanitize: withTool,
  config: withTool,
  prompt_template: withTool,
  llm_tier: withTool,
  llm_model: withTool,
  each: withCall,
  retry: withCall,
  compensate: withCall,
  input: ["flow"],
  timeout: ["tool", "flow", "gate", "wait"],
  outcome: withAction,
  routes: withAction,
  on: withAction,
  on_error: withAction,
  on_no_match: withAction,
};

/** The keys whose conditions or names may all fail to match, and how a message names them. */
type Choices = { readonly keys: readonly string[]; readonly inWords: string };

const ofFlow: Choices = { keys: ["branch", "routes", "on"], inWords: '"branch" or "routes"' };
const ofPipeline: Choices = { keys: ["branch"], inWords: '"branch": in a pipeline the next position follows' };

export function checkStep(view: View): void {
  checkAnyStep(view, ofFlow);
}

export function checkPipelineStep(view: View): void {
  checkAnyStep(view, ofPipeline);
  checkHanded(view);
}

function checkAnyStep(view: View, choices: Choices): void {
  const kinds = checkAction(view);
  if (kinds.length > 0) checkCompanions(view, kinds, choices);
  checkTransitions(view);
  checkRoutes(view);
  checkFallback(view);
}

type Named = Field & { readonly meant: string };

function pick(fields: View["fields"], keys: readonly string[]): readonly Named[] {
  return keys.flatMap((meant) => {
    const field = fields.get(meant);
    return field === undefined ? [] : [{ ...field, meant }];
  });
}

/** The kinds of the step's actions: one in a right step, none when it says nothing at all. */
function checkAction({ place, fields, report }: View): readonly ActionKind[] {
  const [first, ...others] = pick(fields, ["tool", "skill", "gate", "wait", "flow", "set"]).filter(
    // `tool: null` beside `gate` says the same twice.
    ({ meant, value }) => !(meant === "tool" && value === null && fields.has("gate")),
  );
  if (first === undefined) {
    if (fields.has("terminal") || isEnd(fields.get("done"))) return ["end"];
    const claim =
      'does nothing. Give it a "tool", "gate", "wait", "flow" or "set", or "done": true if its path ends here.';
    report(finding("no_action", place.pointer, sentence(place, claim)));
    return [];
  }
  for (const { pointer } of others) {
    const claim = `stands beside ${quote(first.key)}, but a step does one thing. Move one of them to another step.`;
    report(finding("several_actions", pointer, sentence({ ...place, pointer }, claim)));
  }
  return [first, ...others].map(kindOf);
}

function kindOf({ meant, value }: Named): ActionKind {
  switch (meant) {
    case "gate":
    case "wait":
    case "flow":
    case "set":
      return meant;
    default:
      return value === null ? "gate" : "tool";
  }
}

function isEnd(done: Field | undefined): boolean {
  return done !== undefined && done.value !== false;
}

function checkCompanions({ place, fields, report }: View, kinds: readonly ActionKind[], choices: Choices): void {
  for (const [meant, { value, pointer }] of fields) {
    const at = { ...place, pointer };
    const allowed = own(companions, meant);
    // The seeds write empty arguments on gates.
    const isSeedGate = meant === "args" && kinds.includes("gate") && isObject(value) && Object.keys(value).length === 0;
    if (allowed !== undefined && !isSeedGate && !kinds.some((kind) => allowed.includes(kind))) {
      const wrong = listWords(kinds.map((kind) => words[kind]));
      const right = listWords(allowed.map((kind) => words[kind]));
      report(misplaced(at, `means nothing on ${wrong}, it goes with ${right}. Remove it.`));
    } else if (meant === "on_no_match" && pick(fields, choices.keys).length === 0) {
      report(misplaced(at, `means nothing without ${choices.inWords}. Remove it.`));
    } else if (meant === "terminal" && !kinds.includes("end")) {
      report(misplaced(at, `is for a step without an action. Write "done" in its place.`, endAfter(value, at, fields)));
    }
  }
  for (const [older, newer] of [
    ["on_missing_skill", "on_missing_tool"],
    ["fallback_skill", "fallback"],
  ] as const) {
    const field = fields.get(older);
    if (field === undefined || !fields.has(newer)) continue;
    report(
      misplaced({ ...place, pointer: field.pointer }, `says the same as ${quote(newer)}, which is there. Remove it.`),
    );
  }
}

/** Without `args` the settings of a skill are what its tool is handed. */
function checkHanded({ place, fields, report }: View): void {
  if (!fields.has("args")) return;
  for (const { pointer } of pick(fields, ["config", "prompt_template", "llm_tier", "llm_model"])) {
    const claim = 'stands beside "args", which says all that the tool is handed. Keep one of them.';
    report(finding("misplaced_key", pointer, sentence({ ...place, pointer }, claim)));
  }
}

/** `terminal` beside an action is `done` with that kind. */
function endAfter(
  kind: Json,
  { pointer }: { readonly pointer: Pointer },
  fields: View["fields"],
): readonly PatchOperation[] {
  const removal = { op: "remove", path: pointer } as const;
  if (fields.has("done")) return [removal];
  return [removal, { op: "add", path: under(parentOf(pointer), "done"), value: kind === "success" ? true : { kind } }];
}

function checkTransitions({ place, fields, report }: View): void {
  const [first, ...others] = pick(fields, ["branch", "parallel", "next", "join", "done", "terminal"]).filter(
    ({ meant, value }) => !(meant === "done" && value === false) && !(meant === "join" && fields.has("parallel")),
  );
  for (const { meant, pointer } of others) {
    const at = { ...place, pointer };
    const isElse = meant === "next" && first?.meant === "branch" && !fields.has("else");
    const cure = isElse ? 'Write "else".' : "Keep one of them.";
    const claim = `stands beside ${quote(first?.key ?? "")}, but a step has one way on. ${cure}`;
    const patch = isElse ? [{ op: "move", from: pointer, path: under(place.pointer, "else") } as const] : undefined;
    report(finding("several_transitions", pointer, sentence(at, claim), patch));
  }
}

type Route = { readonly outcome: string; readonly target: Json | undefined; readonly pointer: Pointer };

/** Each outcome has one route, however its name is written. */
function checkRoutes({ place, fields, report }: View): void {
  const seen = new Map<string, Route>();
  for (const route of pick(fields, ["routes", "on", "on_error"]).flatMap(routesOf)) {
    const earlier = seen.get(route.outcome);
    if (earlier === undefined) {
      seen.set(route.outcome, route);
      continue;
    }
    const claim = `is a second route for the outcome ${quote(route.outcome)}. Keep one of them.`;
    const patch = route.target === earlier.target ? [{ op: "remove", path: route.pointer } as const] : undefined;
    report(finding("several_transitions", route.pointer, sentence({ ...place, pointer: route.pointer }, claim), patch));
  }
}

function routesOf({ meant, value, pointer }: Named): readonly Route[] {
  if (meant === "on_error") return [{ outcome: "error", target: value, pointer }];
  if (isObject(value)) {
    // Of two spellings the short one stays, in whatever order they were written down.
    const entries = Object.entries(value).toSorted(([one], [other]) => one.length - other.length);
    return entries.map(([outcome, target]) => ({
      outcome: withoutPrefix(outcome),
      target,
      pointer: under(pointer, outcome),
    }));
  }
  if (!isArray(value)) return [];
  return value.flatMap((route, index) => {
    const outcome = isObject(route) ? own(route, "branch") : undefined;
    if (!isObject(route) || typeof outcome !== "string") return [];
    return [{ outcome: withoutPrefix(outcome), target: own(route, "goto"), pointer: under(pointer, index) }];
  });
}

export function checkFallback({ place, fields, report }: View): void {
  if (fields.get("on_circuit_open")?.value !== "fallback") return;
  if (pick(fields, ["fallback", "fallback_skill"]).length > 0) return;
  const claim = 'needs the key "fallback", the tool to call when the circuit is open.';
  report(finding("missing_key", place.pointer, sentence(place, claim)));
}
