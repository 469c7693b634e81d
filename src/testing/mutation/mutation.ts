// A mutation: one mistake put into a valid document, and the finding that must tell of it.

import type { FindingCode, PatchOperation } from "../../flow/finding.ts";
import { isObject, type Json, type JsonObject } from "../../flow/json.ts";
import type { Pointer } from "../../flow/pointer.ts";
import { stepsOf, targetsOf, type StepView, type TargetSite } from "../document-view.ts";
import { applyPatch } from "../patch.ts";
import type { Random } from "../random.ts";

export type Mutation = {
  readonly document: Json;
  readonly expected: { readonly code: FindingCode; readonly pointer: Pointer };
};

export type MutationClass = {
  readonly name: string;
  /** undefined: this document has no place for the mistake. */
  readonly apply: (document: JsonObject, random: Random) => Mutation | undefined;
};

/** A mistake written as changes to the document. */
export type Mistake = {
  readonly code: FindingCode;
  readonly pointer: Pointer;
  readonly changes: readonly PatchOperation[];
};

export function mutationClass(
  name: string,
  find: (document: JsonObject, random: Random) => Mistake | undefined,
): MutationClass {
  return {
    name,
    apply: (document, random) => {
      const mistake = find(document, random);
      if (mistake === undefined) return undefined;
      const { code, pointer, changes } = mistake;
      return { document: applyPatch(document, changes), expected: { code, pointer } };
    },
  };
}

/** One of the list, or undefined when it is empty. */
export function pickSome<T>(random: Random, list: readonly T[]): T | undefined {
  return list[random.integer(list.length)];
}

/** A mistake in one step of those that fit. */
export function inStep(
  name: string,
  fits: (view: StepView) => boolean,
  write: (view: StepView, random: Random) => Mistake | undefined,
): MutationClass {
  return mutationClass(name, (document, random) => {
    const view = pickSome(random, stepsOf(document).filter(fits));
    return view === undefined ? undefined : write(view, random);
  });
}

/** Where a target stands, and the steps of its document. */
export type SiteInDocument = { readonly site: TargetSite; readonly steps: readonly StepView[] };

/** A mistake at one of the places that name a step. */
export function atTarget(
  name: string,
  fits: (site: TargetSite) => boolean,
  write: (at: SiteInDocument, random: Random) => Mistake | undefined,
): MutationClass {
  return mutationClass(name, (document, random) => {
    const steps = stepsOf(document);
    const site = pickSome(random, steps.flatMap(targetsOf).filter(fits));
    return site === undefined ? undefined : write({ site, steps }, random);
  });
}

/** The text with one slip of the finger. */
export function misspell(random: Random, text: string): string {
  const at = random.integer(text.length - 1);
  const [one = "", other = ""] = [text[at], text[at + 1]];
  const swapped = text.slice(0, at) + other + one + text.slice(at + 2);
  const dropped = text.slice(0, at) + text.slice(at + 1);
  return random.pick(swapped === text ? [dropped] : [swapped, dropped]);
}

export function replaced(path: Pointer, value: Json): PatchOperation {
  return { op: "replace", path, value };
}

export function added(path: Pointer, value: Json): PatchOperation {
  return { op: "add", path, value };
}

export function removed(path: Pointer): PatchOperation {
  return { op: "remove", path };
}

/** Of a member that is an object. */
export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isObject(value) ? value : undefined;
}
