// The flows of the simulation. Checking a flow costs as much as some hundred events, so seeds share a pool of them: a
// number names a flow for ever, and a seed draws its library from the pool.

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

const poolSize = 3000;
const smallPoolSize = 600;

const pool = new Map<number, Flow>();

export function drawLibrary(random: Random): Library {
  const flows = Array.from({ length: 1 + random.integer(3) }, () => flowOf(random.integer(poolSize)));
  const leaf = drawSmall(random, false);
  const small = drawSmall(random, random.chance(0.3));
  return { flows, input: drawInput(random), named: (name) => (name === "onboard" ? leaf : small) };
}

/** `mayNest`: it may start sub-flows of its own, itself among them. */
function drawSmall(random: Random, mayNest: boolean): Flow {
  const first = random.integer(smallPoolSize);
  for (let tried = 0; tried < smallPoolSize; tried++) {
    const flow = flowOf(poolSize + ((first + tried) % smallPoolSize));
    if (mayNest || !Object.values(flow.plan.steps).some(({ kind }) => kind === "flow")) return flow;
  }
  throw new Error("Every small flow starts another one.");
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

function flowOf(number: number): Flow {
  const known = pool.get(number);
  if (known !== undefined) return known;
  const maxSteps = number >= poolSize ? 4 : 6 + (number % 12);
  const document = randomFlow(createRandom(number + 1), { maxSteps });
  const { plan, findings } = validate(document);
  if (plan === null) throw new Error(`The random flow ${number} was refused: ${JSON.stringify(findings[0])}`);
  const flow = { number, document, plan };
  pool.set(number, flow);
  return flow;
}
