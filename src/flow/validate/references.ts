// Can the steps that an expression names have run before it is read?

import type { Use } from "../compile/compiler.ts";
import { finding, type Finding } from "../finding.ts";
import type { Dominators } from "../graph/dominators.ts";
import { successors, type Graph } from "../graph/graph.ts";
import { own } from "../json.ts";
import type { Plan } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { nearest, suggestionsMax } from "../suggest.ts";

type Context = {
  readonly plan: Plan;
  readonly graph: Graph;
  readonly dominators: Dominators;
  readonly walks: Map<number, Walk>;
};

/** Names of steps that do not exist; found without the graph. */
export function checkNamesOfSteps(plan: Plan, uses: readonly Use[]): readonly Finding[] {
  let suggestionsLeft = suggestionsMax;
  return uses.flatMap(({ reference, pointer }) => {
    const [name] = reference.path;
    if (reference.root !== "steps" || name === undefined || own(plan.names, String(name)) !== undefined) return [];
    const near = suggestionsLeft-- > 0 ? nearest(String(name), Object.keys(plan.names)) : undefined;
    const hint = near === undefined ? "Name a step of this flow." : `Did you mean "${near}"?`;
    return [finding("dangling_reference", pointer, `There is no step "${name}" whose result could be read. ${hint}`)];
  });
}

export function checkReferences(reading: Omit<Context, "walks">, uses: readonly Use[]): readonly Finding[] {
  const context: Context = { ...reading, walks: new Map() };
  const { plan } = context;
  const named = uses.flatMap(({ step, reference, pointer, moment }) => {
    const [name] = reference.path;
    if (reference.root !== "steps" || name === undefined || moment === "undo") return [];
    const key = own(plan.names, String(name)) ?? "";
    const isOwn = moment === "after" && key === step;
    return isOwn ? [] : cannotHaveRun(context, { from: key, to: step, pointer });
  });
  const inputs = Object.values(plan.steps).flatMap((step) =>
    step.inputFrom === null
      ? []
      : cannotHaveRun(context, { from: step.inputFrom, to: step.key, pointer: under(step.pointer, "input_from") }),
  );
  return [...named, ...inputs];
}

type Read = { readonly from: string; readonly to: string; readonly pointer: Pointer };

function cannotHaveRun(context: Context, { from, to, pointer }: Read): readonly Finding[] {
  const { graph, dominators } = context;
  const source = graph.indexOf.get(from);
  const reader = graph.indexOf.get(to);
  if (source === undefined || reader === undefined) return [];
  if (source !== reader && dominators.dominates(source, reader)) return [];
  if (leadsTo(context, source, reader)) return [];
  const message =
    source === reader
      ? `"${from}" reads its own result before it has one. Use previous, or read another step.`
      : `"${from}" cannot have run when "${to}" reads it: no path leads from the one to the other. Read a step that comes before.`;
  return [finding("reference_cannot_have_run", pointer, message)];
}

/** A walk that stops as soon as it has arrived, and goes on from there when the next one asks: most references are to a
 *  step nearby, and some steps are read by all others. */
type Walk = { readonly seen: Set<number>; readonly rest: Iterator<number> };

function leadsTo({ graph, walks }: Context, from: number, to: number): boolean {
  const { seen, rest } = walks.get(from) ?? startWalk(graph, from);
  walks.set(from, { seen, rest });
  while (!seen.has(to)) {
    const at = rest.next();
    if (at.done === true) return false;
    for (const next of successors(graph, at.value)) seen.add(next);
  }
  return true;
}

function startWalk(graph: Graph, from: number): Walk {
  const seen = new Set(successors(graph, from));
  // A set's iterator also comes to what is added while it is under way.
  return { seen, rest: seen.values() };
}
