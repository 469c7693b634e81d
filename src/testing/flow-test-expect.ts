// What a case of a flow test expects, compared with what a run gave. Every difference is a sentence with its place.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { under, type Pointer } from "../flow/pointer.ts";
import { nearest } from "../flow/suggest.ts";
import { count } from "./fake-tool.ts";
import { show, type Problem } from "./flow-test-file.ts";

/** What can be seen of a run once it has come to rest. */
export type SeenRun = {
  readonly status: string;
  readonly terminalKind: string | null;
  readonly output: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly attention: string | null;
  /** `fetch done`, in the order in which they were made. */
  readonly steps: readonly string[];
  /** The arguments of each call, by tool. */
  readonly calls: { readonly [tool: string]: readonly Json[] };
  /** What it waits for, when it has not ended; "": nothing. */
  readonly waitsFor: string;
};

export type Difference = Problem & { readonly expected: Json; readonly actual: Json | null };

/** `pointer` is where `expect` stands. */
export function compareRun(expect: JsonObject, seen: SeenRun, pointer: Pointer): readonly Difference[] {
  return Object.entries(expect).flatMap(([key, expected]): readonly Difference[] => {
    const at = under(pointer, key);
    switch (key) {
      case "status":
        return compareStatus(expected, seen, at);
      case "terminal_kind":
        return compareValues(expected, seen.terminalKind, { pointer: at, path: key });
      case "output":
        return compareValues(expected, seen.output, { pointer: at, path: key });
      case "error":
        // A code alone, or a map of what the error is to have.
        return compareValues(expected, isObject(expected) ? seen.error : (seen.error?.code ?? null), {
          pointer: at,
          path: key,
        });
      case "attention":
        return compareValues(expected, seen.attention, { pointer: at, path: key });
      case "refused":
        return [differ(at, "refused: the run started, and was to be refused.", { expected, actual: null })];
      case "steps":
        return isArray(expected) ? compareSteps(expected, seen, at) : compareNamedSteps(expected, seen, at);
      case "calls":
        return isObject(expected) ? compareCalls(expected, seen, at) : [wrongForm(at, "a map of tools", expected)];
      default:
        return [];
    }
  });
}

function differ(pointer: Pointer, message: string, values: Pick<Difference, "expected" | "actual">): Difference {
  return { pointer, message, ...values };
}

function wrongForm(pointer: Pointer, wanted: string, expected: Json): Difference {
  return differ(pointer, `Here stands ${wanted}, not ${show(expected)}.`, { expected, actual: null });
}

function compareStatus(expected: Json, seen: SeenRun, pointer: Pointer): readonly Difference[] {
  const { status, error, waitsFor } = seen;
  if (expected === status) return [];
  const why = error === null ? waitsFor : `${error.code}: ${error.message}`;
  const told = `status: expected ${show(expected)}, got "${status}".${why === "" ? "" : ` ${why}`}`;
  return [differ(pointer, told, { expected, actual: status })];
}

type Place = { readonly pointer: Pointer; readonly path: string };

/** A map may have more than is expected of it; a list is as long as the one that is expected. */
export function compareValues(expected: Json, actual: Json | undefined, place: Place): readonly Difference[] {
  const { pointer, path } = place;
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, member]) =>
      compareValues(member, own(actual, key), { pointer: under(pointer, key), path: `${path}.${key}` }),
    );
  }
  if (isArray(expected) && isArray(actual)) {
    const differences = expected.flatMap((item, index) =>
      index < actual.length
        ? compareValues(item, actual[index], { pointer: under(pointer, index), path: `${path}[${index}]` })
        : [],
    );
    if (expected.length === actual.length) return differences;
    const message = `${path}: expected ${count(expected.length, "item")}, got ${actual.length}: ${show(actual)}.`;
    return [differ(pointer, message, { expected, actual }), ...differences];
  }
  if (expected === actual) return [];
  const message = `${path}: expected ${show(expected)}, got ${show(actual)}.`;
  return [differ(pointer, message, { expected, actual: actual ?? null })];
}

/** A list: just these rows, in this order. */
function compareSteps(expected: readonly Json[], { steps }: SeenRun, pointer: Pointer): readonly Difference[] {
  const index = expected.findIndex((step, place) => step !== steps[place]);
  if (index === -1 && expected.length === steps.length) return [];
  const at = index === -1 ? expected.length : index;
  const message = `steps: at ${at + 1}, expected ${show(expected[at])}, got ${show(steps[at])}. All of them: ${steps.join(", ") || "none"}.`;
  return [differ(index === -1 ? pointer : under(pointer, index), message, { expected, actual: steps })];
}

/** A map: the newest row of each of these steps. */
function compareNamedSteps(expected: Json, { steps }: SeenRun, pointer: Pointer): readonly Difference[] {
  if (!isObject(expected)) return [wrongForm(pointer, "a list of `step status`, or a map of them", expected)];
  const newest = new Map(steps.map((text): [string, string] => splitStep(text)));
  return Object.entries(expected).flatMap(([step, status]) => {
    const actual = newest.get(step) ?? null;
    if (actual === status) return [];
    const message = `steps.${step}: expected ${show(status)}, got ${actual === null ? missing(step, newest.keys()) : `${actual}.`}`;
    return [differ(under(pointer, step), message, { expected: status, actual })];
  });
}

function splitStep(text: string): [step: string, status: string] {
  const at = text.lastIndexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

function missing(name: string, names: Iterable<string>): string {
  const near = nearest(name, names);
  return near === undefined ? "nothing: the run never came to it." : `nothing. Did you mean "${near}"?`;
}

/** A number: how often; a list: the arguments of each call, in order; a map: of the one call. */
function compareCalls(expected: JsonObject, { calls }: SeenRun, pointer: Pointer): readonly Difference[] {
  return Object.entries(expected).flatMap(([tool, wanted]) => {
    const actual = own(calls, tool) ?? [];
    const at = under(pointer, tool);
    const path = `calls.${tool}`;
    if (typeof wanted !== "number")
      return compareValues(isArray(wanted) ? wanted : [wanted], actual, { pointer: at, path });
    if (wanted === actual.length) return [];
    const near = Object.hasOwn(calls, tool) ? undefined : nearest(tool, Object.keys(calls));
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    const message = `${path}: expected ${count(wanted, "call")}, got ${actual.length}: ${show(actual)}.${hint}`;
    return [differ(at, message, { expected: wanted, actual: actual.length })];
  });
}
