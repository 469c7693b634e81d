// The words of a drawing: what a step does or waits for, in a few of them.

import { isObject, type Json } from "../json.ts";
import type { GateStep, PlanStep, StateTransition, Wait } from "../plan.ts";
import type { Template, TextPart } from "../template/template.ts";

/** The second line of a step: its tool, what it waits for, what it sets; "" when its name says all. */
export function describeStep(step: PlanStep): string {
  switch (step.kind) {
    case "tool":
      return step.each === null ? step.tool : `${step.tool} for each item`;
    case "flow": {
      const flow = step.version === null ? `flow ${step.workflow}` : `flow ${step.workflow}@${step.version}`;
      return step.each === null ? flow : `${flow} for each item`;
    }
    case "gate":
      return describeGate(step);
    case "wait":
      return describeWait(step.wait);
    case "set":
      return `set ${listKeys(step.values)}`.trimEnd();
    case "end":
    case "state":
      return "";
  }
}

/** A transition as state diagrams write it: `submit [data.pages > 0]`, `remind after 1d`. */
export function describeTransition(transition: StateTransition): string {
  const guard = transition.guard === null ? "" : ` [${transition.guard.source}]`;
  const after = transition.afterMs === null ? "" : ` after ${describeDuration(transition.afterMs)}`;
  return `${transition.name}${guard}${after}`;
}

/** `1d 12h`, `90ms`: the way the language writes durations. */
export function describeDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of units) {
    const count = unit === "ms" ? rest : Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.length === 0 ? "0s" : parts.join(" ");
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

function describeGate(step: GateStep): string {
  const count = step.need === 1 ? "approval" : `${step.need} approvals`;
  return step.approvers === null ? count : `${count} by ${step.approvers.join(", ")}`;
}

function describeWait(wait: Wait): string {
  switch (wait.kind) {
    case "sleep":
      return `sleep ${describeDuration(wait.ms)}`;
    case "until":
      return `until ${describeTemplate(wait.until)}`;
    case "event":
      return wait.match === null ? `event ${wait.event}` : `event ${wait.event} [${wait.match.source}]`;
  }
}

function listKeys(template: Template): string {
  if (template.kind === "map") return template.entries.map(([key]) => key).join(", ");
  if (template.kind === "value" && isObject(template.value)) return Object.keys(template.value).join(", ");
  return describeTemplate(template);
}

function describeTemplate(template: Template): string {
  switch (template.kind) {
    case "value":
      return describeValue(template.value);
    case "text":
      return template.parts.map(describePart).join("");
    case "expression":
    case "secret":
      return describePart(template);
    case "list":
    case "map":
      return "…";
  }
}

function describePart(part: TextPart | Extract<Template, { readonly kind: "expression" | "secret" }>): string {
  switch (part.kind) {
    case "value":
      return part.value;
    case "expression":
      return `{{ ${part.expression.source} }}`;
    case "secret":
      return `{{ secrets.${part.name} }}`;
  }
}

function describeValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
