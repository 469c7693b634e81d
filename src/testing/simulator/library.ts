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
}

const poolSize = 3000;
const smallPoolSize = 600;

const pool = new Map<number, Flow>();

export function drawLibrary(random: Random): Library {
  const flows = Array.from({ length: 1 + random.integer(3) }, () => flowOf(random.integer(poolSize)));
  const small = [1, 2].map(() => flowOf(poolSize + random.integer(smallPoolSize)));
  return {
    flows,
    named: (name) => (name === "onboard" ? small[0] : small[1]) ?? flowOf(poolSize),
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
