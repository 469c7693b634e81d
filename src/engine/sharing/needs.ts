// What a flow needs of the place where it runs: tools, secrets, permissions.

import { toolKeyOf } from "../../access/permission.ts";
import { secretsOf } from "../../access/secret-names.ts";
import { isArray, isObject, type Json } from "../../flow/json.ts";
import type { Call, Plan, PlanStep } from "../../flow/plan.ts";
import { under, type Pointer } from "../../flow/pointer.ts";
import { shortName } from "../../flow/schema/tools.ts";
import type { ToolBox } from "../../tool/tool.ts";
import { byText, type SharedTool } from "./document.ts";

export type Needs = {
  /** What is known of them. */
  readonly tools: readonly SharedTool[];
  /** As steps call them. */
  readonly missingTools: readonly string[];
  readonly secrets: readonly string[];
  readonly permissions: readonly string[];
};

/** `told`: what files have said of tools that are not here. */
export function findNeeds(plans: readonly Plan[], tools: ToolBox, told: readonly SharedTool[]): Needs {
  const called = unique(plans.flatMap((plan) => toolsOf(plan)));
  const known = new Map<string, SharedTool>();
  const permissions: string[] = [];
  for (const name of called) {
    const tool = describe(tools, name) ?? findTold(told, name);
    if (tool !== undefined) known.set(tool.name, tool);
    permissions.push(toolKeyOf(tool?.name ?? name));
  }
  return {
    tools: [...known.values()].toSorted((one, other) => byText(one.name, other.name)),
    missingTools: called.filter((name) => tools.find(name) === undefined),
    secrets: unique(plans.flatMap((plan) => secretsOf(plan))),
    permissions: unique(permissions),
  };
}

/** Of what a file says of tools, what this flow calls. */
export function pickTools(told: readonly SharedTool[], plan: Plan): readonly SharedTool[] {
  const called = toolsOf(plan);
  return told.filter((tool) => called.some((name) => isCalled(tool, name)));
}

function findTold(told: readonly SharedTool[], name: string): SharedTool | undefined {
  return told.find((tool) => tool.name === name) ?? told.find((tool) => isCalled(tool, name));
}

function isCalled(tool: SharedTool, name: string): boolean {
  return tool.name === name || shortName(tool.name) === name;
}

function describe(tools: ToolBox, name: string): SharedTool | undefined {
  const tool = tools.find(name);
  if (tool === undefined) return undefined;
  const { description, effect, input, output } = tool;
  return { name: tool.name, description, effect, input_schema: input, output_schema: output };
}

function toolsOf(plan: Plan): readonly string[] {
  return Object.values(plan.steps).flatMap(callsOf);
}

function callsOf(step: PlanStep): readonly string[] {
  switch (step.kind) {
    case "tool":
      return [step.tool, ...(step.fallback === null ? [] : [step.fallback]), ...toolsIn(step.probe, step.compensate)];
    case "flow":
      return toolsIn(step.compensate);
    case "gate":
      return toolsIn(step.notify);
    case "wait":
    case "set":
    case "end":
    case "state":
      return [];
  }
}

function toolsIn(...calls: readonly (Call | null)[]): readonly string[] {
  return calls.flatMap((call) => (call === null ? [] : [call.tool]));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(byText);
}

/** Names under which people write down what nobody else should read. */
const secretName = /(?:^|[_-])(?:password|passwd|secret|token|api_?key|private_?key|credentials?)$/iu;

/** Texts that look like secrets and stand in the flow itself, so that whoever gets the file can read them. */
export function findPlainSecrets(flow: Json): readonly Pointer[] {
  const found: Pointer[] = [];
  const rest: (readonly [Json, Pointer])[] = [[flow, ""]];
  for (const [value, pointer] of rest) {
    if (!isArray(value) && !isObject(value)) continue;
    for (const [key, member] of Object.entries<Json>(value)) {
      const place = under(pointer, key);
      if (typeof member !== "string") rest.push([member, place]);
      else if (member !== "" && !member.includes("{{") && secretName.test(key)) found.push(place);
    }
  }
  return found;
}
