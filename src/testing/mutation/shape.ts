// Mistakes in the shape of a document: keys and values that the language does not have.

import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { pointerTo, under } from "../../flow/pointer.ts";
import { notationOf, stepsOf, targetsOf, type StepView } from "../document-view.ts";
import {
  added,
  inStep,
  misspell,
  mutationClass,
  objectAt,
  pickSome,
  removed,
  replaced,
  type Mistake,
  type MutationClass,
} from "./mutation.ts";

const documentKeys: readonly string[] =
  "name description input defaults cancel timeout strict triggers resources".split(" ");

const stepKeys: readonly string[] =
  "args gate wait flow each next branch else routes parallel join done terminal outcome retry timeout effect probe fallback input_from cancel compensate sanitize tool".split(
    " ",
  );

const choices: readonly string[] =
  "effect on_unknown on_circuit_open on_missing_tool on_branch_error on_no_match sanitize".split(" ");

/** A value that no key of this list takes. */
const wrongTypes: { readonly [key: string]: Json } = {
  next: [true],
  branch: "result == true",
  parallel: { a: "b" },
  join: 12,
  args: 5,
  set: [1],
  gate: "yes",
  outcome: 3,
  input_from: {},
  compensate: "undo",
  probe: ["look"],
  each: 4,
  effect: 1,
  cancel: 0,
};

function hasKey(key: string): (view: StepView) => boolean {
  return ({ step }) => Object.hasOwn(step, key);
}

const wrongTypeMutations: readonly MutationClass[] = Object.entries(wrongTypes).map(([key, value]) =>
  inStep(`wrong type of ${key}`, hasKey(key), ({ pointer }) => {
    const path = under(pointer, key);
    return { code: "wrong_type", pointer: path, changes: [replaced(path, value)] };
  }),
);

function moved(from: string, to: string): Mistake["changes"] {
  return [{ op: "move", from, path: to }];
}

const keyMutations: readonly MutationClass[] = [
  mutationClass("misspelt key of the document", (document, random) => {
    if (notationOf(document) === "bare") return undefined;
    const key = pickSome(
      random,
      documentKeys.filter((each) => Object.hasOwn(document, each)),
    );
    if (key === undefined) return undefined;
    const pointer = pointerTo(misspell(random, key));
    return { code: "unknown_key", pointer, changes: moved(pointerTo(key), pointer) };
  }),
  inStep(
    "misspelt key of a step",
    ({ step }) => stepKeys.some((key) => Object.hasOwn(step, key)),
    ({ step, pointer }, random) => {
      const key = random.pick(stepKeys.filter((each) => Object.hasOwn(step, each)));
      const wrong = under(pointer, misspell(random, key));
      return { code: "unknown_key", pointer: wrong, changes: moved(under(pointer, key), wrong) };
    },
  ),
  inStep(
    "misspelt key of a gate",
    ({ step }) => Object.keys(objectAt(step, "gate") ?? {}).length > 0,
    (view, random) => {
      const gate = under(view.pointer, "gate");
      const key = random.pick(Object.keys(objectAt(view.step, "gate") ?? {}));
      const wrong = under(gate, misspell(random, key));
      return { code: "unknown_key", pointer: wrong, changes: moved(under(gate, key), wrong) };
    },
  ),
  inStep(
    "a key that is no key",
    () => true,
    ({ pointer }) => {
      const path = under(pointer, "colour_of_the_box");
      return { code: "unknown_key", pointer: path, changes: [added(path, "red")] };
    },
  ),
  inStep("on, misread as true", hasKey("on"), ({ pointer }) => {
    const path = under(pointer, "true");
    return { code: "misread_on", pointer: path, changes: moved(under(pointer, "on"), path) };
  }),
  inStep("missing if", hasKey("branch"), ({ pointer }) => {
    const path = under(pointer, "branch", 0);
    return { code: "missing_key", pointer: path, changes: [removed(under(path, "if"))] };
  }),
  inStep("missing items of each", hasKey("each"), ({ pointer }) => {
    const path = under(pointer, "each");
    return { code: "missing_key", pointer: path, changes: [removed(under(path, "items"))] };
  }),
  inStep(
    "else without branch",
    (view) => hasKey("next")(view) && !hasKey("branch")(view),
    ({ step, pointer }) => {
      const path = under(pointer, "else");
      return { code: "misplaced_key", pointer: path, changes: [added(path, own(step, "next") ?? "end")] };
    },
  ),
  inStep("args on a wait", hasKey("wait"), ({ pointer }) => {
    const path = under(pointer, "args");
    return { code: "misplaced_key", pointer: path, changes: [added(path, { to: "ann" })] };
  }),
];

const valueMutations: readonly MutationClass[] = [
  ...wrongTypeMutations,
  inStep(
    "a step that is a text",
    ({ step }) => !Object.hasOwn(step, "name"),
    ({ pointer }) => {
      return { code: "wrong_type", pointer, changes: [replaced(pointer, "log")] };
    },
  ),
  inStep(
    "misspelt choice",
    ({ step }) => choices.some((key) => Object.hasOwn(step, key)),
    ({ step, pointer }, random) => {
      const key = random.pick(choices.filter((each) => Object.hasOwn(step, each)));
      const value = own(step, key);
      const path = under(pointer, key);
      if (typeof value !== "string") return undefined;
      return { code: "wrong_value", pointer: path, changes: [replaced(path, misspell(random, value))] };
    },
  ),
  inStep("bad duration", hasKey("timeout"), ({ pointer }, random) => {
    const path = under(pointer, "timeout");
    const value = random.pick(["5 parsecs", "soon", "", "-5s", "5"]);
    return { code: "bad_duration", pointer: path, changes: [replaced(path, value)] };
  }),
  inStep(
    "silence that means yes",
    ({ step }) => objectAt(step, "gate") !== undefined,
    ({ step, pointer }) => {
      const gate = { expires_after: "2d", ...objectAt(step, "gate"), on_expire: "approved" };
      const path = under(pointer, "gate");
      return { code: "expiry_means_yes", pointer: under(path, "on_expire"), changes: [replaced(path, gate)] };
    },
  ),
  inStep(
    "bad outcome name",
    ({ step }) => objectAt(step, "routes") !== undefined,
    ({ pointer }, random) => {
      const path = under(pointer, "routes", random.pick(["Bad-Name", "1st", "no news", "x".repeat(41)]));
      return { code: "bad_outcome_name", pointer: path, changes: [added(path, "end")] };
    },
  ),
  inStep(
    "two routes for one outcome",
    ({ step }) => objectAt(step, "routes") !== undefined,
    (view) => {
      const routes = under(view.pointer, "routes");
      const route = targetsOf(view).find(
        ({ outcome, pointer }) => outcome !== "" && pointer === under(routes, outcome),
      );
      if (route === undefined) return undefined;
      // Of two spellings the short one stays.
      const other = under(routes, `on_${route.outcome}`);
      return { code: "several_transitions", pointer: other, changes: [added(other, route.target)] };
    },
  ),
  mutationClass("unknown format", (document) => {
    if (!Object.hasOwn(document, "format")) return undefined;
    return { code: "unknown_format", pointer: "/format", changes: [replaced("/format", "stepwell/v9")] };
  }),
  mutationClass("defaults against the input's schema", (document) => {
    const input = objectAt(objectAt(document, "defaults") ?? {}, "input");
    const pointer = pointerTo("defaults", "input", "amount");
    if (input === undefined || !Object.hasOwn(document, "input")) return undefined;
    return { code: "bad_defaults", pointer, changes: [added(pointer, "a lot")] };
  }),
  mutationClass("input that is no JSON Schema", (document) => {
    const pointer = pointerTo("input", "properties", "order", "type");
    if (!isObject(own(document, "input"))) return undefined;
    return { code: "bad_schema", pointer, changes: [replaced(pointer, "strng")] };
  }),
  inStep(
    "form that is no JSON Schema",
    ({ step }) => objectAt(objectAt(step, "gate") ?? {}, "form") !== undefined,
    ({ pointer }) => {
      const path = under(pointer, "gate", "form", "required");
      return { code: "bad_schema", pointer: path, changes: [replaced(path, "reason")] };
    },
  ),
];

const actionKeys: readonly string[] = ["tool", "gate", "wait", "flow", "set"];

function hasAction(step: JsonObject): boolean {
  return actionKeys.some((key) => Object.hasOwn(step, key));
}

function isEnd(step: JsonObject): boolean {
  return Object.hasOwn(step, "done") || Object.hasOwn(step, "terminal");
}

const oneOfEach: readonly MutationClass[] = [
  inStep(
    "missing action",
    ({ step }) => hasAction(step) && !isEnd(step),
    ({ step, pointer }) => {
      const gone = [...actionKeys, "args", "input"].filter((key) => Object.hasOwn(step, key));
      return { code: "no_action", pointer, changes: gone.map((key) => removed(under(pointer, key))) };
    },
  ),
  inStep(
    "two actions",
    ({ step }) => hasAction(step),
    ({ step, pointer }) => {
      const [first, second] = Object.hasOwn(step, "set") ? ["wait", "set"] : ["", "set"];
      const changes = first === "" ? [added(under(pointer, "set"), { a: 1 })] : [added(under(pointer, first), "5m")];
      return { code: "several_actions", pointer: under(pointer, second), changes };
    },
  ),
  inStep(
    "two transitions",
    ({ step }) => ["next", "join"].some((key) => Object.hasOwn(step, key)) && !Object.hasOwn(step, "parallel"),
    ({ pointer }) => {
      const path = under(pointer, "done");
      return { code: "several_transitions", pointer: path, changes: [added(path, true)] };
    },
  ),
  inStep(
    "next beside branch",
    (view) => hasKey("branch")(view) && hasKey("else")(view),
    ({ step, pointer }) => {
      const path = under(pointer, "next");
      return { code: "several_transitions", pointer: path, changes: [added(path, own(step, "else") ?? "end")] };
    },
  ),
  mutationClass("parallel in a pipeline", (document, random) => {
    if (notationOf(document) !== "pipeline") return undefined;
    const [one, other] = random.shuffle(stepsOf(document));
    if (one === undefined || other === undefined) return undefined;
    const path = under(one.pointer, "parallel");
    return { code: "fan_out_not_allowed", pointer: path, changes: [added(path, [other.key, one.key])] };
  }),
  mutationClass("steps that are a number", (document) => {
    if (notationOf(document) !== "flow") return undefined;
    return { code: "wrong_type", pointer: "/steps", changes: [replaced("/steps", 5)] };
  }),
];

export const shapeMutations: readonly MutationClass[] = [...keyMutations, ...valueMutations, ...oneOfEach];
