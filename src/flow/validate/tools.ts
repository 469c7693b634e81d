// What a flow needs from outside: tools, secrets, other workflows. Checked only against what the caller says is there.

import type { ErrorObject } from "ajv/dist/2020.js";
import type { Compiled } from "../compile/compile.ts";
import { finding, type Finding } from "../finding.ts";
import { isObject, objectFrom, own, type Json } from "../json.ts";
import type { Call, Effect, Plan, PlanStep } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { nearest } from "../suggest.ts";
import type { Template } from "../template/template.ts";
import { compileSchema } from "./schemas.ts";

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
  const steps = Object.values(plan.steps);
  return [
    ...(tools === undefined ? [] : callsOf(plan).flatMap((call) => checkCall(call, tools))),
    ...(workflows === undefined ? [] : steps.flatMap((step) => checkWorkflow(step, workflows))),
    ...(surroundings.secrets === undefined ? [] : missingSecrets(secrets, surroundings.secrets)),
  ];
}

function missingSecrets(used: Compiled["secrets"], there: readonly string[]): readonly Finding[] {
  return used
    .filter(({ name }) => !there.includes(name))
    .map(({ name, pointer }) => {
      const message = `There is no secret "${name}" yet. Without it the step fails before its call.`;
      return finding("missing_secret", pointer, message);
    });
}

function checkWorkflow(step: PlanStep, workflows: readonly string[]): readonly Finding[] {
  if (step.kind !== "flow" || workflows.includes(step.workflow)) return [];
  const near = nearest(step.workflow, workflows);
  const hint = near === undefined ? "Save it before a run gets here." : `Did you mean "${near}"?`;
  return [finding("unknown_workflow", under(step.pointer, "flow"), `There is no workflow "${step.workflow}". ${hint}`)];
}

type PlacedCall = { readonly call: Pick<Call, "tool"> & { readonly args: Template | null }; readonly pointer: Pointer };

function callsOf(plan: Plan): readonly PlacedCall[] {
  return Object.values(plan.steps).flatMap((step) => {
    const at = (call: Call | null, ...parts: readonly string[]): readonly PlacedCall[] =>
      call === null ? [] : [{ call, pointer: under(step.pointer, ...parts) }];
    if (step.kind === "gate") return at(step.notify, "gate", "notify");
    if (step.kind === "flow") return at(step.compensate, "compensate");
    if (step.kind !== "tool") return [];
    return [
      { call: step, pointer: step.pointer },
      ...at(step.probe, "probe"),
      ...at(step.compensate, "compensate"),
      ...(step.fallback === null ? [] : fallbackCall(step.fallback, step.pointer)),
    ];
  });
}

/** A fallback is handed the same args, but its name stands under its own key. */
function fallbackCall(tool: string, pointer: Pointer): readonly PlacedCall[] {
  return [{ call: { tool, args: null }, pointer: under(pointer, "fallback") }];
}

function checkCall({ call, pointer }: PlacedCall, tools: readonly ToolDescription[]): readonly Finding[] {
  const at = call.args === null ? pointer : under(pointer, "tool");
  const answering = toolsNamed(call.tool, tools);
  const [tool] = answering;
  if (tool === undefined) return [unknownTool(call.tool, at, tools)];
  if (answering.length > 1) {
    const names = answering.map(({ name }) => name).join(", ");
    return [finding("unknown_tool", at, `Several tools answer to "${call.tool}": ${names}. Write the full name.`)];
  }
  return call.args === null ? [] : checkArguments(tool, call.args, under(pointer, "args"));
}

/** The full name, else a bare name that tools of any server have. Names are case-sensitive. */
export function toolsNamed(name: string, tools: readonly ToolDescription[]): readonly ToolDescription[] {
  const exact = tools.filter((tool) => tool.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => tool.name.slice(tool.name.indexOf(".") + 1) === name);
}

function unknownTool(name: string, pointer: Pointer, tools: readonly ToolDescription[]): Finding {
  const near = nearest(
    name,
    tools.map((tool) => tool.name),
  );
  if (near === undefined) {
    return finding("unknown_tool", pointer, `Unknown tool: ${name}. Add its server before a run gets here.`);
  }
  const patch = [{ op: "replace", path: pointer, value: near }] as const;
  return finding("unknown_tool", pointer, `Unknown tool: ${name}. Did you mean "${near}"?`, patch);
}

function checkArguments(tool: ToolDescription, args: Template, pointer: Pointer): readonly Finding[] {
  if (tool.inputSchema === undefined || (args.kind !== "value" && args.kind !== "map")) return [];
  const compiled = compileSchema(tool.inputSchema);
  if (!compiled.ok) return [];
  const unknown = new Set<Pointer>();
  const value = knownPart(args, "", unknown);
  if (compiled.validate(value)) return [];
  const told = (compiled.validate.errors ?? []).filter((error) => isCertain(error, unknown));
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
function isCertain(error: ErrorObject, unknown: ReadonlySet<Pointer>): boolean {
  if (/\/(anyOf|oneOf|not|if|then|else)\//.test(error.schemaPath)) return false;
  if (error.keyword === "required" || error.keyword === "additionalProperties") return true;
  const isOpen = (pointer: Pointer): boolean =>
    pointer === error.instancePath || (error.keyword !== "type" && pointer.startsWith(`${error.instancePath}/`));
  return ![...unknown].some(isOpen);
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

/** The seed's wish: expected and given names side by side. */
function wrongNames(error: ErrorObject, { tool, value, pointer }: Given): Finding {
  const schema = tool.inputSchema ?? true;
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const expected = Object.keys(isObject(properties) ? properties : {});
  const given = Object.keys(isObject(value) ? value : {});
  const names = `Expected ${expected.join(", ") || "none"}; given ${given.join(", ") || "none"}.`;
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
