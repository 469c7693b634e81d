// Those who begin again: they retry runs that have ended, run them again from a step, or fork them.

import { planAgain } from "../../run/again.ts";
import type { Clients } from "./clients.ts";
import { drawInput } from "./library.ts";
import { people } from "./people.ts";
import type { StoredRun } from "./store.ts";
import type { World } from "./world.ts";

/** Whether it makes sense or not: what may not be begun again is refused before anything is sent. */
export function beginAgain(world: World, { plan, run, rows }: StoredRun, clients: Clients): void {
  const { random } = world;
  const how = random.pick(["retry", "retry", "rerun", "fork"] as const);
  const from = random.chance(0.1) ? null : random.pick([...rows.keys(), ...Object.keys(plan.steps)]);
  const edited = random.chance(0.5) ? { ...plan.input.defaults, ...drawInput(random) } : null;
  const input = how === "retry" ? null : edited;
  const planned = planAgain({ plan, run, rows: [...rows.values()], how, from, input });
  if (!planned.ok) return world.note(`${how} of ${run.id} refused: ${planned.code}`);
  const id = world.newId();
  const named = { run: id, uid: `u${id}`, name: run.name, by: random.pick(people), via: null, at: null, parent: null };
  world.note(`${how} of ${run.id} as ${id}, ${planned.again.recorded.length} visits are recorded`);
  clients.send(id, { kind: "start", ...named, input: planned.input, again: planned.again }, plan);
}
