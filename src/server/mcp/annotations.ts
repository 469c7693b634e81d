// What a workflow tells about itself as a tool, from what its steps do. Where nobody knows, it is said to do the worst:
// these are hints that a host may go by when it asks its user, or does not. Pure.

import type { Call, Effect, Plan, PlanStep } from "../../flow/plan.ts";

export type Hints = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
};

export type Surroundings = {
  /** undefined: nobody knows the tool. */
  readonly effectOf: (tool: string) => Effect | undefined;
  /** Of a workflow that a step starts; null: nobody knows it. */
  readonly planOf: (workflow: string) => Plan | null;
};

const worst: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** Built-in tools that stay within this program: all others may reach whatever they like. */
const closed: ReadonlySet<string> = new Set(["demo", "json", "log", "notify", "outcomes", "text", "time"]);
/** They write nothing but a line for people. */
const harmless: ReadonlySet<string> = new Set(["log", "notify.inbox"]);

export function hintsOf(plan: Plan | null, surroundings: Surroundings): Hints {
  const calls = plan === null ? null : collectCalls(plan, surroundings, new Set());
  if (calls === null) return worst;
  const reads = calls.every(({ effect }) => effect === "read");
  return {
    readOnlyHint: reads,
    destructiveHint: !calls.every(({ tool, effect }) => effect === "read" || harmless.has(tool)),
    // A second run has keys of its own: what a tool does but once for each key, it does for each run.
    idempotentHint: reads,
    openWorldHint: !calls.every(({ tool }) => closed.has(tool.split(".", 1)[0] ?? "")),
  };
}

type Made = { readonly tool: string; readonly effect: Effect };

/** null: one of its workflows is not known. */
function collectCalls(plan: Plan, surroundings: Surroundings, seen: Set<string>): readonly Made[] | null {
  const made: Made[] = [];
  for (const step of Object.values(plan.steps)) {
    made.push(...callsOf(step, surroundings.effectOf));
    if (step.kind !== "flow" || seen.has(step.workflow)) continue;
    seen.add(step.workflow);
    const inner = surroundings.planOf(step.workflow);
    const calls = inner === null ? null : collectCalls(inner, surroundings, seen);
    if (calls === null) return null;
    made.push(...calls);
  }
  return made;
}

function callsOf(step: PlanStep, effectOf: Surroundings["effectOf"]): readonly Made[] {
  const known = (tool: string): Made => ({ tool, effect: effectOf(tool) ?? "write" });
  const also = (calls: readonly (Call | null)[]): readonly Made[] =>
    calls.flatMap((call) => (call === null ? [] : [known(call.tool)]));
  switch (step.kind) {
    case "tool": {
      const { tool, effect, fallback, compensate, probe } = step;
      const itself = { tool, effect: effect ?? known(tool).effect };
      return [itself, ...(fallback === null ? [] : [known(fallback)]), ...also([compensate, probe])];
    }
    case "gate":
      return also([step.notify]);
    case "flow":
      return also([step.compensate]);
    case "wait":
    case "set":
    case "end":
    case "state":
      return [];
  }
}
