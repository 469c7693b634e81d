// The mix of runs that the harness starts: one flow for each thing that a crash could break. A run's name is its kind,
// so that the rows alone tell what must have become of it.

import type { Json, JsonObject } from "../../src/flow/json.ts";

export type RunKind =
  | "chain"
  | "six"
  | "branch"
  | "join"
  | "nested"
  | "each"
  | "timer"
  | "retry"
  | "gate"
  | "signal"
  | "child"
  | "cancel"
  | "undo"
  | "probe"
  | "ask"
  | "once";

export type KindRule = {
  readonly steps: JsonObject;
  /** How a run of this kind must end, whatever happens to its process. */
  readonly endsAs: "completed" | "failed" | "cancelled";
  /** What it must give. */
  readonly isOutput: (output: Json, n: number) => boolean;
};

const work = { tool: "work", args: { n: "{{ input.n }}" } };
const undo = { compensate: { tool: "undo", args: { n: "{{ input.n }}" } } };
const finish = { ...work, done: { output: "{{ input.n }}" } };
const isN = (output: Json, n: number): boolean => output === n;
const isNothing = (output: Json): boolean => output === null;

/** Tools that name themselves `pay` keep one line for each payment: it must not be made twice. */
const pay = { tool: "pay", args: { n: "{{ input.n }}" }, effect: "write" };

/** Of the kind `timer`. */
export const sleepMs = 150;

const branches = ["north", "east", "south", "west", "middle"] as const;

export const kinds: Readonly<Record<RunKind, KindRule>> = {
  chain: {
    steps: { start: { ...work, next: "two" }, two: { ...work, next: "three" }, three: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  six: {
    steps: {
      start: { ...work, next: "two" },
      two: { ...work, next: "three" },
      three: { ...work, next: "four" },
      four: { ...work, next: "five" },
      five: { ...work, next: "last" },
      last: finish,
    },
    endsAs: "completed",
    isOutput: isN,
  },
  branch: {
    steps: {
      start: { ...work, branch: [{ if: "result.n % 2 == 0", then: "even" }], else: "odd" },
      even: { ...work, done: { output: "even" } },
      odd: { ...work, done: { output: "odd" } },
    },
    endsAs: "completed",
    isOutput: (output, n) => output === (n % 2 === 0 ? "even" : "odd"),
  },
  join: {
    steps: {
      start: { ...work, parallel: [...branches], join: "meet" },
      north: { ...work, next: "further" },
      further: work,
      east: work,
      south: work,
      west: work,
      middle: { wait: "30ms" },
      meet: { ...work, done: { output: "{{ size(keys(previous)) }}" } },
    },
    endsAs: "completed",
    isOutput: (output) => output === branches.length,
  },
  nested: {
    steps: {
      start: { ...work, parallel: ["plain", "inner"] },
      plain: { ...work, join: "meet" },
      inner: { ...work, parallel: ["left", "right"] },
      left: { ...work, join: "meet" },
      right: { ...work, join: "meet" },
      meet: { ...work, done: { output: "{{ size(keys(previous)) }}" } },
    },
    endsAs: "completed",
    isOutput: (output) => output === 2,
  },
  each: {
    steps: {
      start: { ...work, each: { items: [1, 2, 3, 4, 5, 6], concurrency: 3 }, next: "count" },
      count: { ...work, done: { output: "{{ size(previous) }}" } },
    },
    endsAs: "completed",
    isOutput: (output) => output === 6,
  },
  timer: {
    steps: { start: { ...work, next: "sleep" }, sleep: { wait: `${sleepMs}ms`, next: "after" }, after: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  retry: {
    steps: {
      start: {
        tool: "flaky",
        args: { n: "{{ input.n }}", failures: 2 },
        retry: { attempts: 3, backoff: ["40ms"] },
        next: "after",
      },
      after: finish,
    },
    endsAs: "completed",
    isOutput: isN,
  },
  gate: {
    steps: { start: { ...work, next: "gate" }, gate: { gate: { title: "Go on?" }, next: "after" }, after: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  signal: {
    steps: { start: { ...work, next: "hear" }, hear: { wait: { event: "go" }, next: "after" }, after: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  child: {
    steps: {
      start: { ...work, next: "other" },
      other: { flow: "grandchild", input: { n: "{{ input.n }}" }, next: "after" },
      after: finish,
    },
    endsAs: "completed",
    isOutput: isN,
  },
  cancel: {
    steps: { start: { ...work, ...undo, next: "sleep" }, sleep: { wait: "1h", next: "after" }, after: finish },
    endsAs: "cancelled",
    isOutput: isNothing,
  },
  undo: {
    steps: {
      start: { ...work, ...undo, next: "hotel" },
      hotel: { ...work, ...undo, next: "break" },
      break: { tool: "broken", retry: false, done: true },
    },
    endsAs: "failed",
    isOutput: isNothing,
  },
  probe: {
    steps: { start: { ...pay, probe: { tool: "was_paid" }, next: "after" }, after: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  ask: {
    steps: { start: { ...pay, next: "after" }, after: finish },
    endsAs: "completed",
    isOutput: isN,
  },
  once: {
    steps: {
      start: { ...pay, on_unknown: "fail", on_error: "gave_up", next: "after" },
      after: finish,
      gave_up: finish,
    },
    endsAs: "completed",
    isOutput: isN,
  },
};

export const allKinds: readonly RunKind[] = [
  "chain",
  "branch",
  "join",
  "nested",
  "each",
  "timer",
  "retry",
  "gate",
  "signal",
  "child",
  "cancel",
  "undo",
  "probe",
  "ask",
  "once",
];

export function isKind(name: string): name is RunKind {
  return Object.hasOwn(kinds, name);
}

export function flowOf(kind: RunKind): JsonObject {
  return { format: "stepwell/v1", name: kind, start: "start", steps: kinds[kind].steps };
}

/** What runs of the kind `child` start in turn. */
export const grandchild: JsonObject = {
  format: "stepwell/v1",
  name: "grandchild",
  steps: { start: { ...work, next: "last" }, last: finish },
};
