// Every enabled workflow as a tool: what it takes, what it is for, and what it may do. What stands here comes from the
// workflow alone: nothing that a server says about its tools reaches a model through us.

import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { UserEngine } from "../../engine/engine.ts";
import type { Workflow } from "../../engine/workflow-view.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { Effect, Plan } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import { hintsOf } from "./annotations.ts";
import { needsWrapping, wrapSchema } from "./host-input.ts";
import { keepPlan, type Exposure, type House } from "./house.ts";
import { runTools } from "./run-tools.ts";
import { seedTools } from "./seed-tools.ts";
import { nameTools } from "./tool-name.ts";
import type { DoorTool } from "./tool.ts";

export const fixedTools: readonly DoorTool[] = [...seedTools, ...runTools];

export type WorkflowTool = {
  readonly name: string;
  readonly workflow: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  /** Its input comes as the one property `input`. */
  readonly isWrapped: boolean;
  readonly annotations: ToolAnnotations;
  /** null: it cannot be compiled by this version, and a start will say why. */
  readonly plan: Plan | null;
  readonly exposure: Exposure | undefined;
};

const taken: ReadonlySet<string> = new Set(fixedTools.map(({ name }) => name));

export function isFixed(tool: string): boolean {
  return taken.has(tool);
}

/** By name. */
export async function listWorkflowTools(house: House, engine: UserEngine): Promise<readonly WorkflowTool[]> {
  const { workflows, names } = await listNamed(engine);
  const plans = new Map<string, Plan | null>();
  for (const workflow of workflows) plans.set(workflow.name, await planOf(house, engine, workflow));
  const effects = new Map((await engine.tools.list()).map(({ name, effect }) => [name, effect]));
  const surroundings = {
    effectOf: (tool: string): Effect | undefined => effects.get(tool),
    planOf: (workflow: string): Plan | null => plans.get(workflow) ?? null,
  };
  return workflows
    .filter(({ isEnabled }) => isEnabled)
    .map((workflow) => {
      const plan = plans.get(workflow.name) ?? null;
      const tool = toTool(workflow, { house, names, plan });
      return { ...tool, annotations: { title: workflow.name, ...hintsOf(plan, surroundings) } };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

type Known = {
  readonly house: House;
  readonly names: ReadonlyMap<string, string>;
  readonly plan: Plan | null;
};

function toTool({ name, description }: Workflow, { house, names, plan }: Known): WorkflowTool {
  const exposure = house.exposures.get(name);
  const input = toInputSchema(plan?.input.schema ?? null);
  const isWrapped = needsWrapping(input);
  return {
    name: exposure?.tool ?? names.get(name) ?? name,
    workflow: name,
    title: name,
    description: description ?? plan?.description ?? `Run the ${name} workflow`,
    input: isWrapped ? wrapSchema(input) : input,
    isWrapped,
    annotations: {},
    plan,
    exposure,
  };
}

/** Of the version that a start follows: the newest one that is enabled. */
function planOf(house: House, engine: UserEngine, workflow: Workflow): Promise<Plan | null> {
  const { name, version, updatedAt } = workflow;
  // There may be a newer one by now, or another may be disabled: then it was changed at another time.
  return keepPlan(house, `${name}@${version} ${updatedAt}`, async () => {
    for (let no = version; no > 0; no--) {
      const { flow, isEnabled } = await engine.workflows.get(`${name}@${no}`);
      if (isEnabled || !workflow.isEnabled) return validate(flow).plan;
    }
    return null;
  });
}

type NamedWorkflows = {
  readonly workflows: readonly Workflow[];
  /** Of those that were deleted, too. */
  readonly names: ReadonlyMap<string, string>;
};

async function listNamed(engine: UserEngine): Promise<NamedWorkflows> {
  const all = await engine.workflows.list({ all: true });
  return { workflows: all.filter(({ deletedAt }) => deletedAt === null), names: nameTools(all, taken) };
}

/** Where the flow says nothing, the seeds' one text; whatever else is given goes along. */
const anyInput: JsonObject = {
  type: "object",
  properties: { input: { type: "string", description: "What it is run with" } },
};

function toInputSchema(schema: Json): JsonObject {
  if (schema === null || !isObject(schema)) return anyInput;
  // Tools take objects, and say so.
  return own(schema, "type") === "object" ? schema : { ...schema, type: "object" };
}

/** Under which name MCP clients call it; null: it is not offered to them. */
export async function findToolName(engine: UserEngine, workflow: string): Promise<string | null> {
  const { workflows, names } = await listNamed(engine);
  const isOffered = workflows.some(({ name, isEnabled }) => isEnabled && name === workflow);
  return isOffered ? (names.get(workflow) ?? null) : null;
}

/** By its name as a tool, or as the seeds call it: `workflow:digest`. Only this one is looked at. */
export async function findWorkflowTool(
  house: House,
  engine: UserEngine,
  name: string,
): Promise<WorkflowTool | undefined> {
  const { workflows, names } = await listNamed(engine);
  const meant = name.startsWith("workflow:") ? name.slice("workflow:".length) : null;
  const found = workflows.find((workflow) => {
    const tool = house.exposures.get(workflow.name)?.tool ?? names.get(workflow.name);
    return workflow.isEnabled && (meant === null ? tool === name : workflow.name === meant);
  });
  return found === undefined ? undefined : toTool(found, { house, names, plan: await planOf(house, engine, found) });
}
