// What lists start: random flows, and one small flow for each thing that a store could get wrong. Checking a flow costs
// as much as playing a short list, so lists share them: a number names a flow for ever.

import type { JsonObject } from "../../src/flow/json.ts";
import type { Plan } from "../../src/flow/plan.ts";
import { validate } from "../../src/flow/validate/validate.ts";
import { randomFlow } from "../../src/testing/random-flow.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { allKinds, flowOf, grandchild } from "../crash/flows.ts";

export type ListFlow = { readonly document: JsonObject; readonly plan: Plan };

/** What one list starts, and what its flows start by name. */
export type FlowSet = {
  readonly flows: readonly ListFlow[];
  readonly named: Readonly<Record<string, JsonObject>>;
  /** By hash; also those of versions that are saved on the way. */
  readonly plans: Map<string, Plan>;
};

const flowsShared = 200;
const stepsMax = 6;

const work = { tool: "work", args: { n: "{{ input.amount }}" } };

/** Beside those of the crash harness: loops, machines, forms, limits, values that are large or odd. */
const own: readonly JsonObject[] = [
  {
    format: "stepwell/v1",
    name: "loop",
    steps: {
      start: { ...work, branch: [{ if: "result.n % 3 != 0", then: "again" }], else: "last" },
      again: { wait: { event: "paid", match: "event.order == input.order" }, timeout: "2m", next: "start" },
      last: { set: { seen: "{{ previous }}" }, done: true },
    },
  },
  {
    format: "stepwell/v1",
    name: "form",
    steps: {
      start: {
        gate: {
          title: "{{ input.topic }}",
          form: { type: "object", required: ["reason"], properties: { reason: { type: "string" } } },
          approvers: ["user:ann", "user:bob"],
          need: 2,
          remind_after: "30s",
          expires_after: "1h",
        },
        routes: { approved: "book", rejected: "no", expired: "no" },
      },
      book: {
        ...work,
        effect: "write",
        compensate: { tool: "undo", args: { n: "{{ result.n }}" } },
        next: "pay",
      },
      pay: { tool: "pay", retry: false, done: true },
      no: { ...work, done: { output: "{{ previous }}" } },
    },
  },
  {
    format: "stepwell/v1",
    name: "lamp",
    states: { off: { initial: true }, on: {}, broken: { terminal: "failure" }, gone: { terminal: "success" } },
    transitions: [
      { name: "press", from: "off", to: "on", action: { tool: "work" }, set: { last: "{{ event }}" } },
      { name: "press", from: "on", to: "off", guard: "input.amount >= 0" },
      { name: "burn", from: "on", to: "broken", after: "90m" },
      { name: "remove", from: ["on", "off"], to: "gone", requires_reason: true },
    ],
  },
  {
    format: "stepwell/v1",
    name: "many",
    timeout: "2d",
    steps: {
      start: {
        ...work,
        each: { items: "{{ input.items }}", concurrency: 2, on_item_error: "collect" },
        args: { item: "{{ item }}", index: "{{ index }}" },
        next: "child",
      },
      child: { flow: "grandchild", input: { n: "{{ size(previous) }}" }, on_error: "sorry", next: "sorry" },
      sorry: { tool: "work", args: { all: "{{ steps }}" }, done: { output: "{{ previous }}" } },
    },
  },
];

const written: readonly JsonObject[] = [...allKinds.map(flowOf), ...own];

/** Under the names by which flows of either sort start others. */
const leaf: JsonObject = { format: "stepwell/v1", name: "leaf", steps: { start: { ...work, done: true } } };
const named: Readonly<Record<string, JsonObject>> = { grandchild, refund: grandchild, onboard: leaf };

const known = new Map<number, ListFlow>();

export function drawFlows(random: Random): FlowSet {
  const flows = Array.from({ length: 1 + random.integer(2) }, () => {
    const isWritten = random.chance(0.5);
    return getFlow(isWritten ? random.integer(written.length) : written.length + random.integer(flowsShared));
  });
  const wanted = Object.entries(named).filter(([name]) => flows.some((flow) => isStarting(flow, name)));
  const reached = [...flows, ...wanted.map(([, document]) => check(document))];
  return {
    flows,
    named: Object.fromEntries(wanted),
    plans: new Map(reached.map(({ plan }) => [plan.hash, plan])),
  };
}

/** A version of it that differs, for whoever saves it again. */
export function getVersion(flow: ListFlow, no: number): ListFlow {
  const { document } = flow;
  // A bare map of steps has no place for it.
  if (no === 0 || !Object.hasOwn(document, "steps")) return flow;
  const versions = versionsKnown.get(flow) ?? new Map<number, ListFlow>();
  versionsKnown.set(flow, versions);
  const version = versions.get(no) ?? check({ ...document, description: `version ${no}` });
  versions.set(no, version);
  return version;
}

const versionsKnown = new WeakMap<ListFlow, Map<number, ListFlow>>();

function isStarting({ plan }: ListFlow, name: string): boolean {
  return Object.values(plan.steps).some((step) => step.kind === "flow" && step.workflow === name);
}

function getFlow(number: number): ListFlow {
  const made = known.get(number) ?? check(written[number] ?? drawFlow(number));
  known.set(number, made);
  return made;
}

function drawFlow(number: number): JsonObject {
  return randomFlow(createRandom(number), { maxSteps: 2 + (number % stepsMax) });
}

const checked = new WeakMap<JsonObject, ListFlow>();

function check(document: JsonObject): ListFlow {
  const before = checked.get(document);
  if (before !== undefined) return before;
  const { plan, findings } = validate(document);
  if (plan === null) throw new Error(`A flow of the lists was refused: ${JSON.stringify(findings)}`);
  const made = { document, plan };
  checked.set(document, made);
  return made;
}
