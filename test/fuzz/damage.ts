// Blind damage: changes that know nothing of the language. What comes out is seldom a flow, and never a reason to throw.

import { isArray, isObject, objectFrom, type Json } from "../../src/flow/json.ts";
import { under, type Pointer } from "../../src/flow/pointer.ts";
import { findStep, stepsOf, targetsOf } from "../../src/testing/document-view.ts";
import { misspell } from "../../src/testing/mutation/mutation.ts";
import { applyPatch, valueAt } from "../../src/testing/patch.ts";
import type { Random } from "../../src/testing/random.ts";

const hostileKeys: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "then",
  "true",
  "on",
  "end",
  "start",
  "steps",
  "states",
  "",
  " ",
  "a/b",
  "~0",
  "0",
  "-1",
  "1e3",
  "\u0000",
  "\u202e",
  "ключ",
  "🙂",
  "x-note",
  "n".repeat(5000),
];

const hostileTexts: readonly string[] = [
  ...hostileKeys,
  "{{",
  "}}",
  "{{ }}",
  "{{ input",
  "{{ __proto__.x }}",
  "{{ steps.__proto__.result }}",
  "{{ steps.constructor.result }}",
  "{{ input.constructor.constructor }}",
  "result == true",
  "((((((((((",
  "30m",
  "-5s",
  "999999999999999d",
  "stepwell/v1",
  "null",
  "yes",
  "# no comment",
  "- no list",
  "a: b",
];

const oddNumbers: readonly number[] = [0, -1, 1, 2, 0.1, 1e9, -1e-7, 2 ** 53 - 1, 1_000_000_000_000];

/** Any JSON, with a taste for what breaks programs. */
export function randomJson(random: Random, depth: number): Json {
  switch (random.integer(depth <= 0 ? 4 : 7)) {
    case 0:
      return random.pick<Json>([null, true, false]);
    case 1:
      return random.pick(oddNumbers);
    case 2:
    case 3:
      return random.pick(hostileTexts);
    case 4:
      return Array.from({ length: random.integer(4) }, () => randomJson(random, depth - 1));
    default:
      return objectFrom(
        Array.from({ length: random.integer(4) }, () => [random.pick(hostileKeys), randomJson(random, depth - 1)]),
      );
  }
}

/** The document with one thing in it broken. */
export function damage(random: Random, document: Json): Json {
  const pointers = pointersIn(document);
  const pointer = random.pick(pointers);
  const value = valueAt(document, pointer) ?? null;
  if (pointer === "") return damageRoot(random, document);
  switch (random.integer(8)) {
    case 0:
      return applyPatch(document, [{ op: "remove", path: pointer }]);
    case 1:
      return put(document, pointer, randomJson(random, 2));
    case 2:
      return put(document, pointer, valueAt(document, random.pick(pointers)) ?? null);
    case 3:
      return put(document, pointer, nest(random, value));
    case 4:
      return put(document, pointer, [value, value]);
    case 5:
      return put(document, pointer, wrongType(random, value));
    default:
      return put(document, pointer, withStrangeMember(random, value));
  }
}

/** One arrow of the flow leads to another step: seldom a mistake that anybody makes, and often still a flow. */
export function rewire(random: Random, document: Json): Json {
  const steps = isObject(document) ? stepsOf(document) : [];
  const sites = steps.flatMap(targetsOf).filter(({ target }) => findStep(steps, target) !== undefined);
  const site = sites[random.integer(sites.length)];
  return site === undefined ? document : put(document, site.pointer, random.pick(steps).key);
}

function damageRoot(random: Random, document: Json): Json {
  return random.chance(0.2) ? randomJson(random, 4) : withStrangeMember(random, document);
}

function put(document: Json, path: Pointer, value: Json): Json {
  return applyPatch(document, [{ op: "replace", path, value }]);
}

function withStrangeMember(random: Random, value: Json): Json {
  if (isArray(value)) return [...value, randomJson(random, 2)];
  if (!isObject(value)) return wrongType(random, value);
  const entries = Object.entries(value);
  const twins = Object.keys(value).flatMap((each) => (each.length < 3 ? [] : [`on_${each}`, misspell(random, each)]));
  const key = random.pick([...hostileKeys, ...twins, ...twins]);
  // Under another key, or as one more.
  if (entries.length > 0 && random.chance(0.5)) {
    const renamed = random.integer(entries.length);
    return objectFrom(entries.map(([name, member], index) => [index === renamed ? key : name, member]));
  }
  return objectFrom([...entries, [key, randomJson(random, 2)]]);
}

function wrongType(random: Random, value: Json): Json {
  const others: readonly Json[] = [null, true, 7, "text", [], {}];
  return random.pick(others.filter((other) => kindOf(other) !== kindOf(value)));
}

function kindOf(value: Json): string {
  if (isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

/** Deeper than any limit, now and then. */
function nest(random: Random, value: Json): Json {
  let nested = value;
  for (let level = random.pick([1, 1, 1, 3, 3, 60, 140]); level > 0; level -= 1) {
    nested = random.chance(0.5) ? [nested] : { deeper: nested };
  }
  return nested;
}

function pointersIn(document: Json): readonly Pointer[] {
  const found: { readonly pointer: Pointer; readonly value: Json }[] = [{ pointer: "", value: document }];
  // A list iterates over what is added while it is walked.
  for (const { pointer, value } of found) {
    if (found.length > 5000 || (!isObject(value) && !isArray(value))) continue;
    for (const [key, member] of Object.entries(value)) found.push({ pointer: under(pointer, key), value: member });
  }
  return found.map(({ pointer }) => pointer);
}
