// The flows of the simulation. Checking a flow costs as much as a hundred events, so neighbouring seeds share some: a
// number names a flow for ever, and each seed draws its library from the flows of its neighbourhood.

import type { JsonObject } from "../../flow/json.ts";
import type { Plan } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import { randomFlow } from "../random-flow.ts";
import { createRandom, type Random } from "../random.ts";

export type Flow = { readonly number: number; readonly document: JsonObject; readonly plan: Plan };

export interface Library {
  /** What runs are started from. */
  readonly flows: readonly Flow[];
  /** The flow that a step means by this name: sub-flows are small, or a run would never end. */
  named(name: string): Flow;
  /** What random flows read of their input. */
  readonly input: JsonObject;
}

/** So many seeds share so many flows, and so many small ones. */
const neighbours = 200;
const flowsShared = 100;
const smallShared = 50;

const known = new Map<number, Flow>();
/** More than a neighbourhood has; older ones are forgotten, and made again if they are wanted. */
const knownMax = 1000;

export function drawLibrary(random: Random, seed: number): Library {
  const first = Math.floor(seed / neighbours) * (flowsShared + smallShared);
  const flows = Array.from({ length: 1 + random.integer(3) }, () =>
    flowOf(first + random.integer(flowsShared), "large"),
  );
  const leaf = drawSmall(random, first + flowsShared, (flow) => !isNesting(flow));
  const small = drawSmall(random, first + flowsShared, (flow) => !isNesting(flow) || random.chance(0.3));
  return { flows, input: drawInput(random), named: (name) => (name === "onboard" ? leaf : small) };
}

function drawSmall(random: Random, first: number, isWanted: (flow: Flow) => boolean): Flow {
  const start = random.integer(smallShared);
  for (let tried = 0; tried < smallShared; tried++) {
    const flow = flowOf(first + ((start + tried) % smallShared), "small");
    if (isWanted(flow)) return flow;
  }
  throw new Error("Every small flow starts another one.");
}

/** It starts sub-flows of its own, perhaps itself among them. */
function isNesting({ plan }: Flow): boolean {
  return Object.values(plan.steps).some(({ kind }) => kind === "flow");
}

/** Everything that random expressions read of the input, and some of it in another way each time. */
export function drawInput(random: Random): JsonObject {
  return {
    order: random.pick(["o-1", "o-2"]),
    amount: random.integer(200),
    topic: random.pick(["open,paid", "news"]),
    due: random.chance(0.1) ? "some day" : random.pick(["2030-01-01T09:00:00Z", "2029-12-30T10:00:00+01:00"]),
    urgent: random.chance(0.5),
    items: ["one", "two", "three", "four", "open"].slice(0, random.integer(6)),
    customer: { email: "someone@example.org", name: "Someone" },
  };
}

const documents = new WeakMap<Plan, JsonObject>();

/** What was written of a flow of the library. */
export function documentOf(plan: Plan): JsonObject {
  return documents.get(plan) ?? {};
}

function flowOf(number: number, size: "large" | "small"): Flow {
  const made = known.get(number) ?? makeFlow(number, size === "small" ? 4 : 6 + (number % 12));
  known.set(number, made);
  const [oldest] = known.keys();
  if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
  return made;
}

function makeFlow(number: number, maxSteps: number): Flow {
  const document = randomFlow(createRandom(number + 1), { maxSteps });
  const { plan, findings } = validate(document);
  if (plan === null) throw new Error(`The random flow ${number} was refused: ${JSON.stringify(findings[0])}`);
  documents.set(plan, document);
  return { number, document, plan };
}
