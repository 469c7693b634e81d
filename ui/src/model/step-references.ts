// How the steps of a pipeline are referred to: by name, by number, and by the name that one without a name has from its
// number. Whoever moves them has to know all three.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { valueAt, type Path } from "./patch.ts";

/** What it answers to besides its number. */
export function nameOfPlace(step: Json | undefined, at: number): string {
  const own = isObject(step) ? step : {};
  const no = typeof own["position"] === "number" ? own["position"] : at + 1;
  return typeof own["name"] === "string" ? own["name"] : `step_${no}`;
}

export type Mention = {
  /** Below the step. */
  readonly path: Path;
  /** As it is written. */
  readonly value: string | number;
  /** false: it reads it or has it at hand, and does without when it is gone. */
  readonly isWay: boolean;
};

/** Each place at which a step names another, outside of expressions. */
export function mentionsIn(step: Json): readonly Mention[] {
  if (!isObject(step)) return [];
  const { branch } = step;
  const ways: readonly Path[] = [
    ...["next", "else", "on_error"].map((key) => [key]),
    ...["routes", "on"].flatMap((key) => pathsOfRoutes(step, key)),
    ...(Array.isArray(branch) ? branch.map((_, at) => ["branch", String(at), "then"]) : []),
  ];
  const others: readonly Path[] = [["input_from"], ["cancel"], ["gate", "escalate_to"]];
  return [
    ...others.flatMap((path) => mentionAt(step, path, false)),
    ...ways.flatMap((path) => mentionAt(step, path, true)),
  ];
}

function pathsOfRoutes(step: JsonObject, key: string): readonly Path[] {
  const routes = step[key];
  if (Array.isArray(routes)) return routes.map((_, at) => [key, String(at), "goto"]);
  return isObject(routes) ? Object.keys(routes).map((name) => [key, name]) : [];
}

function mentionAt(step: JsonObject, path: Path, isWay: boolean): readonly Mention[] {
  const value = valueAt(step, path);
  return typeof value === "string" || typeof value === "number" ? [{ path, value, isWay }] : [];
}

/** The number that is written there, also as a text; null: it is a name. */
export function numberOf(value: Json | undefined): number | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

/** Of `steps` in an expression: by a name, by a text, computed, or as a whole. */
const uses = /(?<![.\w])steps\b\s*(?:\.\s*\w+(?!\w|\s*\()|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]|(\[))?/g;
const byName = /^steps\s*\./;

/** `steps[2]`, or one of which nobody knows before it is read. */
export function readsByNumber(step: Json): boolean {
  return expressionsIn(step).some((text) =>
    [...text.matchAll(uses)].some(([, one, other, computed]) => {
      return computed !== undefined || numberOf(one ?? other) !== null;
    }),
  );
}

/** Whether it says one of these names, wherever that is, or reads all steps at once, with their names. */
export function saysName(step: Json, names: readonly string[]): boolean {
  const said = new RegExp(String.raw`(?<!\w)(?:${names.join("|")})(?!\w)`);
  if (textsIn(step).some(({ text }) => said.test(text))) return true;
  return expressionsIn(step).some((text) =>
    [...text.matchAll(uses)].some(([use, one, other]) => !byName.test(use) && one === undefined && other === undefined),
  );
}

/** Keys whose texts are expressions without braces. */
const bare: ReadonlySet<string> = new Set(["if", "outcome", "match"]);

function expressionsIn(step: Json): readonly string[] {
  return textsIn(step).flatMap(({ key, text }) => (bare.has(key) || text.includes("{{") ? [text] : []));
}

type Text = { readonly key: string; readonly text: string };

function textsIn(value: Json, key = ""): readonly Text[] {
  if (typeof value === "string") return [{ key, text: value }];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => textsIn(item, key));
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => textsIn(member, name)) : [];
}
