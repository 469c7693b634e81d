// Mistakes with names: of steps that are not there, or there twice.

import { own, type Json, type JsonObject } from "../../flow/json.ts";
import { pointerTo, under } from "../../flow/pointer.ts";
import { findStep, isStartNamed, notationOf, stepsOf, type StepView, type TargetSite } from "../document-view.ts";
import type { Random } from "../random.ts";
import {
  added,
  atTarget,
  inStep,
  misspell,
  mutationClass,
  pickSome,
  removed,
  replaced,
  type MutationClass,
} from "./mutation.ts";

const kinds: readonly (readonly [TargetSite["kind"], string])[] = [
  ["next", "next"],
  ["then", "branch target"],
  ["else", "else"],
  ["route", "route"],
  ["parallel", "parallel"],
  ["join", "join"],
  ["escalate", "escalate_to"],
  ["cleanup", "clean-up step"],
  ["input_from", "input_from"],
];

/** A name that no step has, one slip away from one that is there; a position beyond the last. */
function dangling(random: Random, target: Json, steps: readonly StepView[]): Json {
  if (typeof target !== "string") return 999;
  const wrong = misspell(random, target);
  return wrong === "end" || wrong === "" || findStep(steps, wrong) !== undefined ? `${target}_gone` : wrong;
}

const danglingTargets: readonly MutationClass[] = kinds.map(([kind, label]) =>
  atTarget(
    `dangling ${label}`,
    (site) => site.kind === kind && site.target !== "end",
    ({ site, steps }, random) => ({
      code: "dangling_name",
      pointer: site.pointer,
      changes: [replaced(site.pointer, dangling(random, site.target, steps))],
    }),
  ),
);

const newStep: JsonObject = { tool: "log", args: {}, done: true };

export const nameMutations: readonly MutationClass[] = [
  ...danglingTargets,
  mutationClass("dangling start", (document, random) => {
    const start = own(document, "start");
    if (typeof start !== "string" || notationOf(document) !== "flow") return undefined;
    const wrong = dangling(random, start, stepsOf(document));
    return { code: "dangling_name", pointer: "/start", changes: [replaced("/start", wrong)] };
  }),
  mutationClass("start not said", (document) => {
    if (notationOf(document) !== "flow" || isStartNamed(document)) return undefined;
    return { code: "no_start", pointer: "/steps", changes: [added("/steps/lonely", newStep)] };
  }),
  mutationClass("unreachable step", (document) => {
    const isBare = notationOf(document) === "bare";
    if ((!isBare && notationOf(document) !== "flow") || !isStartNamed(document)) return undefined;
    const pointer = isBare ? "/lonely" : "/steps/lonely";
    return { code: "unreachable_step", pointer, changes: [added(pointer, newStep)] };
  }),
  mutationClass("duplicate name", (document, random) => {
    const steps = random.shuffle(stepsOf(document).filter(({ position }) => position === null));
    const one = steps.find(({ step }) => !Object.hasOwn(step, "name"));
    const other = steps.find((view) => view !== one);
    if (one === undefined || other === undefined) return undefined;
    const pointer = under(one.pointer, "name");
    return { code: "duplicate_name", pointer, changes: [added(pointer, other.key)] };
  }),
  mutationClass("duplicate name in a pipeline", (document, random) => {
    const steps = stepsOf(document);
    const later = pickSome(
      random,
      steps.filter(({ position }, index) => position !== null && index > 0),
    );
    const earlier = steps[0];
    if (later === undefined || earlier === undefined) return undefined;
    const pointer = under(later.pointer, "name");
    return { code: "duplicate_name", pointer, changes: [added(pointer, earlier.key)] };
  }),
  inStep(
    "reference to a step that is not there",
    ({ step }) => typeof own(step, "tool") === "string",
    ({ pointer }) => {
      const args = { reference: "{{ steps.no_such_step_here.result }}" };
      return {
        code: "dangling_reference",
        pointer: under(pointer, "args", "reference"),
        changes: [added(under(pointer, "args"), args)],
      };
    },
  ),
  mutationClass("no steps at all", (document) => {
    if (notationOf(document) !== "flow" || !Object.hasOwn(document, "format")) return undefined;
    return { code: "missing_key", pointer: "", changes: [removed(pointerTo("steps"))] };
  }),
];
