// What a schema cannot say well about gates, states and documents; steps have a file of their own.

import { finding } from "../finding.ts";
import { isArray, isObject, own } from "../json.ts";
import { checkFallback, checkPipelineStep, checkStep } from "./step.ts";
import { misplaced, type View } from "./view.ts";
import { quote, sentence } from "./words.ts";

const checks: { readonly [definition: string]: (view: View) => void } = {
  flow: checkStart,
  step: checkStep,
  pipelineStep: checkPipelineStep,
  gate: checkGate,
  action: checkFallback,
  state: checkState,
};

export function checkConstruct(definition: string | undefined, view: View): void {
  own(checks, definition ?? "")?.(view);
}

function checkStart({ place, fields, report }: View): void {
  const start = fields.get("start");
  const steps = fields.get("steps")?.value;
  if (start === undefined || !isObject(start.value) || !isObject(steps) || !Object.hasOwn(steps, "start")) return;
  const claim = 'holds a step, and "steps" has one named "start" as well. Rename one of them.';
  report(finding("duplicate_name", start.pointer, sentence({ ...place, pointer: start.pointer }, claim)));
}

function checkGate(view: View): void {
  checkNeed(view);
  checkExpiry(view);
}

/** How many people a group has is known only while the gate is open. */
function checkNeed({ place, fields, report }: View): void {
  const need = fields.get("need");
  const approvers = fields.get("approvers")?.value;
  if (typeof need?.value !== "number" || !isArray(approvers)) return;
  const people = new Set(approvers).size;
  const areAllKnown = approvers.every((each) => typeof each === "string" && each.startsWith("user:"));
  if (!areAllKnown || people === 0 || need.value <= people) return;
  const claim = `must be at most ${people}, since no more people may approve, not ${need.value}.`;
  report(finding("wrong_value", need.pointer, sentence({ ...place, pointer: need.pointer }, claim)));
}

function checkExpiry({ place, fields, report }: View): void {
  const expiry = fields.get("on_expire");
  if (expiry?.value !== "approved" && expiry?.value !== "on_approved") return;
  const claim = 'cannot be "approved": a gate that nobody answered is no yes. Write "rejected".';
  const patch = [{ op: "replace", path: expiry.pointer, value: "rejected" } as const];
  report(finding("expiry_means_yes", expiry.pointer, sentence({ ...place, pointer: expiry.pointer }, claim), patch));
}

function checkState({ place, fields, report }: View): void {
  const terminal = fields.get("terminal");
  const kind = fields.get("kind") ?? fields.get("terminal_kind");
  if (terminal?.value === true && kind === undefined) {
    const claim = 'ends the run without saying how. Write "success", "failure" or "cancel".';
    const message = sentence({ ...place, pointer: terminal.pointer }, claim);
    return report(finding("terminal_without_kind", terminal.pointer, message));
  }
  if (kind === undefined || terminal?.value === true) return;
  const at = { ...place, pointer: kind.pointer };
  if (typeof terminal?.value === "string") {
    return report(misplaced(at, `stands beside ${quote("terminal")}, which says the kind already. Remove it.`));
  }
  const claim = 'is for states that end the run, and this one does not. Write "terminal" in its place, or remove it.';
  const patch = [{ op: "remove", path: kind.pointer } as const];
  report(finding("non_terminal_with_kind", kind.pointer, sentence(at, claim), patch));
}
