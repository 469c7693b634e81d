// What a flow needs from outside: tools, secrets, other workflows. Checked only against what the caller says is there.

import type { ErrorObject } from "ajv/dist/2020.js";
import type { Compiled } from "../compile/compile.ts";
import { finding, type Finding } from "../finding.ts";
import { outermostUnions, outsideUnions } from "../json-schema/unions.ts";
import { isObject, objectFrom, own, type Json } from "../json.ts";
import type { Call, Effect, Plan } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { shortName } from "../schema/tools.ts";
import { problemsLimit } from "../source/limits.ts";
import { nearest, suggestionsMax } from "../suggest.ts";
import type { Template } from "../template/template.ts";
import { problemsOf } from "./schemas.ts";

export type ToolDescription = {
  /** `server.tool`, or the bare name of a built-in. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Json;
  readonly effect?: Effect;
};

/** What is there. A list that is not given is not checked. */
export type Surroundings = {
  readonly tools?: readonly ToolDescription[];
  readonly secrets?: readonly string[];
  readonly workflows?: readonly string[];
};

export function checkSurroundings(
  { plan, secrets }: Pick<Compiled, "plan" | "secrets">,
  surroundings: Surroundings,
): readonly Finding[] {
  const { tools, workflows } = surroundings;
  return [
    ...(tools === undefined ? [] : checkCalls(plan, tools)),
    ...(workflows === undefined ? [] : checkWorkflows(plan, workflows)),
    ...(surroundings.secrets === undefined ? [] : missingSecrets(secrets, surroundings.secrets)),
  ];
}

export function tellMissingSecret(name: string): string {
  return `There is no secret "${name}" yet. Without it the step fails before its call.`;
}

function missingSecrets(used: Compiled["secrets"], there: readonly string[]): readonly Finding[] {
  return used
    .filter(({ name }) => !there.includes(name))
    .map(({ name, pointer }) => {
      return finding("missing_secret", pointer, tellMissingSecret(name));
    });
}

/** The near name among those that are there, if there is one. */
type Suggest = (name: string) => string | undefined;

function suggestFrom(names: readonly string[]): Suggest {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name) && known.size < suggestionsMax) known.set(name, nearest(name, names));
    return known.get(name);
  };
}

function checkWorkflows(plan: Plan, workflows: readonly string[]): readonly Finding[] {
  const suggest = suggestFrom(workflows);
  return Object.values(plan.steps).flatMap((step) => {
    if (step.kind !== "flow" || workflows.includes(step.workflow)) return [];
    const near = suggest(step.workflow);
    const hint = near === undefined ? "Save it before a run gets here." : `Did you mean "${near}"?`;
    const message = `There is no workflow "${step.workflow}". ${hint}`;
    return [finding("unknown_workflow", under(step.pointer, "flow"), message)];
  });
}

type PlacedCall = {
  readonly call: Pick<Call, "tool"> & { readonly args: Template | null };
  readonly pointer: Pointer;
  /** Among its args is the one that a pipeline gives to a step by itself. */
  readonly isHandedOn?: boolean;
};

function callsOf(plan: Plan): readonly PlacedCall[] {
  return Object.values(plan.steps).flatMap((step) => {
    const at = (call: Call | null, ...parts: readonly string[]): readonly PlacedCall[] =>
      call === null ? [] : [{ call, pointer: under(step.pointer, ...parts) }];
    if (step.kind === "gate") return at(step.notify, "gate", "notify");
    if (step.kind === "flow") return at(step.compensate, "compensate");
    if (step.kind !== "tool") return [];
    return [
      { call: step, pointer: step.pointer, isHandedOn: plan.notation === "pipeline" && handsOn(step.args) },
      ...at(step.probe, "probe"),
      ...at(step.compensate, "compensate"),
      ...(step.fallback === null ? [] : fallbackCall(step.fallback, step.pointer)),
    ];
  });
}

/** `input: "{{ previous }}"`: whether it was written or not means the same. */
function handsOn(args: Template): boolean {
  if (args.kind !== "map") return false;
  return args.entries.some(
    ([key, member]) =>
      key === "input" &&
      member.kind === "expression" &&
      member.expression.node.kind === "name" &&
      member.expression.node.name === "previous",
  );
}

/** A fallback is handed the same args, but its name stands under its own key. */
function fallbackCall(tool: string, pointer: Pointer): readonly PlacedCall[] {
  return [{ call: { tool, args: null }, pointer: under(pointer, "fallback") }];
}

function checkCalls(plan: Plan, tools: readonly ToolDescription[]): readonly Finding[] {
  const suggest = suggestFrom(tools.map((tool) => tool.name));
  return callsOf(plan).flatMap((call) => checkCall(call, tools, suggest));
}

function checkCall(placed: PlacedCall, tools: readonly ToolDescription[], suggest: Suggest): readonly Finding[] {
  const { call, pointer, isHandedOn = false } = placed;
  const at = call.args === null ? pointer : under(pointer, "tool");
  const answering = toolsNamed(call.tool, tools);
  const [tool] = answering;
  if (tool === undefined) return [unknownTool(call.tool, at, suggest(call.tool))];
  if (answering.length > 1) {
    const names = answering.map(({ name }) => name).join(", ");
    return [finding("unknown_tool", at, `Several tools answer to "${call.tool}": ${names}. Write the full name.`)];
  }
  if (call.args === null) return [];
  const args = under(pointer, "args");
  const found = checkArguments(tool, call.args, args);
  if (!isHandedOn) return found;
  // Perhaps nobody wrote it: then there is no such place, and nothing to take away.
  const isWritten = (told: Finding): boolean => told.pointer !== args && told.pointer !== under(args, "input");
  return found.map((told) => (isWritten(told) ? told : finding(told.code, at, told.message)));
}

/** The full name, else a bare name that tools of any server have. Names are case-sensitive. */
export function toolsNamed(name: string, tools: readonly ToolDescription[]): readonly ToolDescription[] {
  const exact = tools.filter((tool) => tool.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => shortName(tool.name) === name);
}

function unknownTool(name: string, pointer: Pointer, near: string | undefined): Finding {
  if (near === undefined) {
    return finding("unknown_tool", pointer, `Unknown tool: ${name}. Add its server before a run gets here.`);
  }
  const patch = [{ op: "replace", path: pointer, value: near }] as const;
  return finding("unknown_tool", pointer, `Unknown tool: ${name}. Did you mean "${near}"?`, patch);
}

function checkArguments(tool: ToolDescription, args: Template, pointer: Pointer): readonly Finding[] {
  if (tool.inputSchema === undefined || (args.kind !== "value" && args.kind !== "map")) return [];
  const unknown = new Set<Pointer>();
  const value = knownPart(args, "", unknown);
  const errors = problemsOf(tool.inputSchema, value) ?? [];
  const told = certainOnes(errors, unknown).slice(0, problemsLimit);
  return told.map((error) => badArgument(error, { tool, value, pointer }));
}

/** The args as far as they are known before a run; the places that are not are noted. */
function knownPart(template: Template, pointer: Pointer, unknown: Set<Pointer>): Json {
  switch (template.kind) {
    case "value":
      return template.value;
    case "list":
      return template.items.map((item, index) => knownPart(item, under(pointer, index), unknown));
    case "map":
      return objectFrom(
        template.entries.map(([key, member]) => [key, knownPart(member, under(pointer, key), unknown)]),
      );
    case "expression":
    case "text":
    case "secret":
      unknown.add(pointer);
      return "";
  }
}

/** Whatever a template may become, a missing or unknown argument stays one; the rest must not rest on a template. */
function certainOnes(errors: readonly ErrorObject[], unknown: ReadonlySet<Pointer>): readonly ErrorObject[] {
  const holding = new Set([...unknown].flatMap(withPlacesAround));
  const isCertain = ({ keyword, instancePath }: ErrorObject): boolean => {
    if (keyword === "required" || keyword === "additionalProperties") return true;
    return keyword === "type" ? !unknown.has(instancePath) : !holding.has(instancePath);
  };
  // Of a failed union only itself is told, not what each of its branches would have wanted.
  return [...outsideUnions(errors, () => true), ...outermostUnions(errors)].filter(isCertain);
}

function withPlacesAround(place: Pointer): readonly Pointer[] {
  const parts = place.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

type Given = { readonly tool: ToolDescription; readonly value: Json; readonly pointer: Pointer };

function badArgument(error: ErrorObject, { tool, value, pointer }: Given): Finding {
  const at = pointer + error.instancePath;
  if (error.instancePath === "" && (error.keyword === "required" || error.keyword === "additionalProperties")) {
    return wrongNames(error, { tool, value, pointer });
  }
  return finding(
    "bad_arguments",
    at,
    `The tool "${tool.name}" does not take this: it ${error.message ?? "is not valid"}.`,
  );
}

const namesShown = 20;

function listFew(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, namesShown).join(", ");
  return names.length > namesShown ? `${shown} and ${names.length - namesShown} more` : shown;
}

/** The seed's wish: expected and given names side by side. */
function wrongNames(error: ErrorObject, { tool, value, pointer }: Given): Finding {
  const schema = tool.inputSchema ?? true;
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const expected = Object.keys(isObject(properties) ? properties : {});
  const given = Object.keys(isObject(value) ? value : {});
  const names = `Expected ${listFew(expected)}; given ${listFew(given)}.`;
  const extra: unknown = error.params["additionalProperty"];
  if (typeof extra !== "string") {
    const missing = String(error.params["missingProperty"]);
    return finding("bad_arguments", pointer, `The tool "${tool.name}" needs the argument "${missing}". ${names}`);
  }
  const near = nearest(
    extra,
    expected.filter((name) => !given.includes(name)),
  );
  const from = under(pointer, extra);
  const patch =
    near === undefined
      ? ({ op: "remove", path: from } as const)
      : ({ op: "move", from, path: under(pointer, near) } as const);
  return finding("bad_arguments", from, `The tool "${tool.name}" has no argument "${extra}". ${names}`, [patch]);
}
