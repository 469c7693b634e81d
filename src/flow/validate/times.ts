// Instants that stand in a flow as they are. What is not understood today is not understood on the day of the run either;
// whether it is over by then is for that day to say.

import { finding, type Finding } from "../finding.ts";
import type { Plan, PlanStep, Wait } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { readInstant } from "../time/instant.ts";
import { adviseZone, findZone } from "../time/zone.ts";

export function checkTimes(plan: Plan): readonly Finding[] {
  return Object.values(plan.steps).flatMap(checkStep);
}

function checkStep(step: PlanStep): readonly Finding[] {
  if (step.kind !== "wait" || step.wait.kind !== "until") return [];
  const place = under(step.pointer, "wait");
  return [...checkZone(step.wait, under(place, "zone")), ...checkUntil(step.wait, under(place, "until"))];
}

type Until = Extract<Wait, { kind: "until" }>;

/** A warning: another machine may know more zones. */
function checkZone({ zone }: Until, pointer: Pointer): readonly Finding[] {
  if (zone === null || findZone(zone) !== undefined) return [];
  const message = `${JSON.stringify(zone)} is no time zone that is known here. ${adviseZone(zone)}`;
  return [finding("unknown_zone", pointer, message)];
}

function checkUntil({ until }: Until, pointer: Pointer): readonly Finding[] {
  if (until.kind !== "value" || typeof until.value !== "string") return [];
  // Any day and any zone will do.
  const reading = readInstant(until.value, { now: 0, zone: "UTC" });
  if (reading.ok || reading.reason === "far") return [];
  const code = reading.reason === "zone" ? "unknown_zone" : "bad_time";
  return [finding(code, pointer, `${reading.problem} ${reading.hint}`)];
}
