// The flows of a test file, read once for all of its cases, and what a case says about steps, tools and secrets that none
// of them has: an expectation about something that is not there could never fail.

import { secretsOf } from "../access/secret-names.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Plan, PlanStep } from "../flow/plan.ts";
import { under, type Pointer } from "../flow/pointer.ts";
import { nearest } from "../flow/suggest.ts";
import { validate } from "../flow/validate/validate.ts";
import type { FlowTestCase, FlowTestFile, Problem } from "./flow-test-file.ts";

/** Names are those of the flow and of all that it starts. */
export type Flows = {
  readonly flow: Json;
  readonly named: Readonly<Record<string, Json>>;
  readonly steps: readonly string[];
  readonly gates: readonly string[];
  readonly tools: readonly string[];
  readonly secrets: readonly string[];
};

type ReadFlow = (path: string) => string | Promise<string>;

/** All that the cases need to be played, or why they cannot. */
export async function readFlows(
  file: FlowTestFile,
  readFlow: ReadFlow,
): Promise<{ readonly flows: Flows; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const plans: Plan[] = [];
  const read = async (flow: Json, pointer: Pointer): Promise<Json> => {
    try {
      const source = typeof flow === "string" ? await readFlow(flow) : flow;
      const { findings, plan } = validate(source);
      if (plan !== null) plans.push(plan);
      for (const { severity, line, message } of findings)
        if (severity === "error")
          problems.push({ pointer, message: line === undefined ? message : `Line ${line}: ${message}` });
      return source;
    } catch (error) {
      problems.push({ pointer, message: `The flow cannot be read: ${messageOf(error)}` });
      return null;
    }
  };
  const named: Record<string, Json> = {};
  for (const [name, path] of file.flows) named[name] = await read(path, under("/flows", name));
  const flow = await read(file.flow, "/flow");
  return { flows: { flow, named, ...namesOf(plans) }, problems };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function namesOf(plans: readonly Plan[]): Pick<Flows, "steps" | "gates" | "tools" | "secrets"> {
  const steps = plans.flatMap(({ names, steps: all }) => [
    ...Object.entries(names).map(([name, key]) => ({ name, step: all[key] })),
    ...Object.entries(all).map(([name, step]) => ({ name, step })),
  ]);
  return {
    steps: unique(steps.map(({ name }) => name)),
    gates: unique(steps.flatMap(({ name, step }) => (step?.kind === "gate" ? name : []))),
    tools: unique(plans.flatMap((plan) => Object.values(plan.steps).flatMap(toolsOf))),
    secrets: unique(plans.flatMap(secretsOf)),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function toolsOf(step: PlanStep): readonly string[] {
  switch (step.kind) {
    case "tool":
      return [step.tool, step.probe?.tool, step.compensate?.tool, step.fallback].filter(isName);
    case "flow":
      return [step.compensate?.tool].filter(isName);
    case "gate":
      return [step.notify?.tool].filter(isName);
    case "wait":
    case "set":
    case "end":
    case "state":
      return [];
  }
}

function isName(name: string | null | undefined): name is string {
  return typeof name === "string";
}

/** `given` are the tools of the test. */
export function findUnknown(test: FlowTestCase, flows: Flows, given: readonly string[]): readonly Problem[] {
  const expected = under(test.pointer, "expect");
  return [
    ...[...test.answers.keys()].flatMap((step) => unknownGate(step, flows, under(test.pointer, "answers", step))),
    ...[...test.secrets].flatMap(([name, { pointer }]) =>
      unless(flows.secrets, name, { pointer, message: `The flow names no secret "${name}".` }),
    ),
    ...entriesAt(test, "steps").flatMap(([step, status]) =>
      status === null ? unknownStep(step, flows, under(expected, "steps", step)) : [],
    ),
    ...entriesAt(test, "calls").flatMap(([tool]) =>
      unless([...flows.tools, ...given], tool, {
        pointer: under(expected, "calls", tool),
        message: `Neither the flow nor the test names a tool "${tool}".`,
      }),
    ),
  ];
}

function entriesAt({ expect }: FlowTestCase, key: string): readonly (readonly [string, Json])[] {
  const value = own(expect, key);
  return value !== undefined && isObject(value) ? Object.entries(value) : [];
}

function unknownGate(step: string, { steps, gates }: Flows, pointer: Pointer): readonly Problem[] {
  if (!steps.includes(step)) return unknownStep(step, { steps }, pointer);
  if (gates.includes(step)) return [];
  const hint = gates.length === 0 ? "The flow has no gates." : `Gates: ${gates.join(", ")}.`;
  return [{ pointer, message: `"${step}" is no gate: nobody is asked there. ${hint}` }];
}

function unknownStep(step: string, { steps }: Pick<Flows, "steps">, pointer: Pointer): readonly Problem[] {
  return unless(steps, step, { pointer, message: `The flow has no step "${step}".` });
}

/** The problem, with the name that was meant, unless the name is known. */
function unless(known: readonly string[], name: string, { pointer, message }: Problem): readonly Problem[] {
  if (known.includes(name)) return [];
  const near = nearest(name, known);
  return [{ pointer, message: near === undefined ? message : `${message} Did you mean "${near}"?` }];
}
