// How the kernel's work grows: `npm run measure`. Ten times the size should cost at most fifteen times the time;
// the frontier of a run with 100,000 finished items should stay under 1 MB. Measured, not asserted: machines differ.

import type { JsonObject } from "../src/flow/json.ts";
import { compile } from "../src/flow/validate/compile.ts";
import type { Plan } from "../src/flow/plan.ts";
import { applyChanges, type MutableFrontier } from "../src/run/apply.ts";
import { decide } from "../src/run/decide.ts";
import type { Decision, Need } from "../src/run/decision.ts";
import { defaultLimits, type Env } from "../src/run/env.ts";
import type { Message } from "../src/run/message.ts";
import type { Row } from "../src/run/model.ts";
import { emptyFrontier } from "../src/run/start.ts";
import { forkOf } from "../src/run/values.ts";

type Shape = {
  readonly name: string;
  readonly sizes: readonly [number, number];
  readonly build: (size: number) => JsonObject;
};

const shapes: readonly Shape[] = [
  {
    name: "each over a list",
    sizes: [10_000, 100_000],
    build: () => ({
      start: {
        tool: "work",
        args: { n: "{{ item }}" },
        each: { items: "{{ input.items }}", concurrency: 50 },
        done: true,
      },
    }),
  },
  { name: "fork of branches of two steps", sizes: [1000, 10_000], build: fork },
  { name: "chain", sizes: [1000, 10_000], build: chain },
];

function fork(size: number): JsonObject {
  const heads = Array.from({ length: size }, (_, index) => `a${index}`);
  const branches = heads.flatMap((head, index) => [
    [head, { tool: "work", next: `b${index}` }] as const,
    [`b${index}`, { tool: "work", join: "joined" }] as const,
  ]);
  const joined = { set: { seen: "{{ size(previous) }}" }, done: true };
  return { start: "split", steps: { split: { set: {}, parallel: heads }, ...Object.fromEntries(branches), joined } };
}

function chain(size: number): JsonObject {
  const steps = Array.from({ length: size }, (_, index) => {
    const next = index + 1 < size ? { next: `s${index + 1}` } : { done: true };
    return [`s${index}`, { tool: "work", args: { last: "{{ previous }}" }, ...next }] as const;
  });
  return { start: "s0", steps: Object.fromEntries(steps) };
}

type Played = {
  readonly ms: number;
  readonly messages: number;
  readonly frontierBytes: number;
  readonly status: string;
};

/** All rows of a run, found by what a decision may need. */
type Rows = {
  readonly all: Map<number, Row>;
  readonly arrived: Map<number, Map<number, Row>>;
  readonly served: Map<number, Map<number, Row>>;
};

function bring({ all, arrived, served }: Rows, need: Need): readonly Row[] {
  switch (need.kind) {
    case "row":
      return [all.get(need.row)].filter((row) => row !== undefined);
    case "arrivals":
      return [...(arrived.get(need.fork)?.values() ?? [])];
    case "items":
      return [...(served.get(need.each)?.values() ?? [])];
    case "ends":
      return [...all.values()].filter((row) => row.ended !== null);
    case "undo":
      return [];
  }
}

function keep({ all, arrived, served }: Rows, row: Row): void {
  all.set(row.id, row);
  const around = forkOf(row.scope);
  if (row.arrived && around !== undefined) mapAt(arrived, around).set(row.id, row);
  if (row.serves !== null && row.role === "item") mapAt(served, row.serves).set(row.id, row);
}

/** What the world outside answers: every row that is ready is admitted, and every call is done at once. */
function answersTo({ changes, calls }: Decision): readonly Message[] {
  const ready = changes.rows.filter((row) => row.status === "ready" && row.tool !== null);
  return [
    ...ready.map((row): Message => ({ id: `a${row.id}`, kind: "admit", row: row.id, verdict: "go" })),
    ...calls.map(({ row, token }): Message => ({
      id: `d${row}`,
      kind: "done",
      row,
      token,
      result: row,
      outcome: null,
    })),
  ];
}

/** Plays a run to its end. */
function play(plan: Plan, items: number): Played {
  const rows: Rows = { all: new Map(), arrived: new Map(), served: new Map() };
  let id = 1;
  const env: Env = {
    now: 1,
    epoch: "e",
    limits: defaultLimits,
    newId: () => ++id,
    given: (need) => bring(rows, need),
    resolveTime: () => ({ ok: false, problem: "" }),
    effectOf: () => "read",
    flowOf: () => null,
  };
  const input = { items: Array.from({ length: items }, (_, index) => index) };
  const named = { run: 1, uid: "u", name: "n", by: "me", via: null } as const;
  const start: Message = { id: "m", kind: "start", ...named, input, at: null, parent: null, again: null };
  const frontier = emptyFrontier(start, env) as MutableFrontier;
  const queue: Message[] = [start];
  let frontierBytes = 0;
  const before = performance.now();
  for (const [count, message] of queue.entries()) {
    const decision = decide(plan, frontier, message, env);
    if (decision.kind === "need") throw new Error(`not brought: ${JSON.stringify(decision.needs)}`);
    for (const row of decision.changes.rows) keep(rows, row);
    applyChanges(frontier, decision.changes);
    queue.push(...answersTo(decision));
    if (count % 10_000 === 0) frontierBytes = Math.max(frontierBytes, bytesOf(frontier));
  }
  return { ms: performance.now() - before, messages: queue.length, frontierBytes, status: frontier.run.status };
}

/** Everything but the run's input, which is as large as its caller made it. */
function bytesOf({ run, rows, scopes, visits, signals }: MutableFrontier): number {
  const seen = [...scopes.values()].map((steps) => [...steps]);
  return JSON.stringify([{ ...run, input: null }, [...rows.values()], seen, [...visits], signals]).length;
}

function mapAt(maps: Map<number, Map<number, Row>>, key: number): Map<number, Row> {
  const map = maps.get(key) ?? new Map<number, Row>();
  maps.set(key, map);
  return map;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

for (const { name, sizes, build } of shapes) {
  const times = sizes.map((size) => {
    const plan = compile(build(size));
    const played = Array.from({ length: 5 }, () => play(plan, size));
    const last = played.at(-1);
    console.log(
      `${name}, ${size}: ${last?.status}, ${last?.messages} messages, frontier at most ${last?.frontierBytes} bytes`,
    );
    return median(played.map(({ ms }) => ms));
  });
  const [small = 0, large = 0] = times;
  console.log(`${name}: ${small.toFixed(0)} ms, ${large.toFixed(0)} ms, ratio ${(large / small).toFixed(1)}`);
}
