// A run that all sorts of things happen to, one message after another, without an executor: for tests of what becomes
// of decisions. One seed makes one run.

import type { Plan } from "../flow/plan.ts";
import { applyChanges, type MutableFrontier } from "../run/apply.ts";
import { decide } from "../run/decide.ts";
import type { Changes, Decision } from "../run/decision.ts";
import { defaultLimits, type Env } from "../run/env.ts";
import type { Message, MessageOf } from "../run/message.ts";
import { hasEnded, type Row, type RowId, type RunRow } from "../run/model.ts";
import { pickNeeded } from "../run/need.ts";
import { emptyFrontier } from "../run/start.ts";
import { envAt, morning } from "./kernel.ts";
import type { Random } from "./random.ts";
import { drawInput } from "./simulator/library.ts";

export type RandomRun = {
  readonly plan: Plan;
  readonly frontier: MutableFrontier;
  /** Every row ever written, by id. */
  readonly rows: Map<RowId, Row>;
  now: number;
  lastId: RowId;
  messages: number;
};

/** What one message has led to; `before` and `rowsBefore` are as they were. */
export type RandomChange = {
  readonly changes: Changes;
  /** null: the run is new. */
  readonly before: RunRow | null;
  readonly rowsBefore: ReadonlyMap<RowId, Row>;
};

/** Sends `messagesMax` messages at most; `onChange` is called after each. */
export function runRandomly(
  plan: Plan,
  random: Random,
  options: {
    readonly run: RowId;
    readonly messagesMax: number;
    readonly onChange: (run: RandomRun, change: RandomChange) => void;
  },
): void {
  const { run: id, messagesMax, onChange } = options;
  const at = random.chance(0.2) ? morning + 5000 : null;
  const start = { id: "start", kind: "start", run: id, uid: `u-${id}`, name: plan.name ?? "flow" } as const;
  const input = { ...plan.input.defaults, ...drawInput(random) };
  const first = { ...start, input, by: "ann", via: null, at, parent: null, again: null } as const;
  const { run } = emptyFrontier(first, envAt(morning));
  const frontier: MutableFrontier = { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
  const world: RandomRun = { plan, frontier, rows: new Map(), now: morning, lastId: id, messages: 0 };
  onChange(world, send(world, first));
  while (world.messages < messagesMax && !hasEnded(frontier.run)) {
    world.now += random.pick([0, 0, 1, 1000, 200_000, 7_200_000]);
    onChange(world, send(world, { ...drawMessage(random, world), id: `m${world.messages}` }));
  }
}

function send(world: RandomRun, message: Message): RandomChange {
  const { frontier, rows } = world;
  const before = frontier.run.version === 0 ? null : frontier.run;
  const { changes } = decideWithNeeds(world, message);
  const rowsBefore = new Map(changes.rows.flatMap(({ id }) => [rows.get(id) ?? []].flat().map((row) => [id, row])));
  world.messages += 1;
  applyChanges(frontier, changes);
  for (const row of changes.rows) rows.set(row.id, row);
  return { changes, before, rowsBefore };
}

function decideWithNeeds(world: RandomRun, message: Message): Decision {
  const { plan, frontier, rows } = world;
  const brought = new Set<string>();
  for (;;) {
    let lastId = world.lastId;
    const env: Env = {
      ...envAt(world.now),
      epoch: `e${Math.floor(world.messages / 20)}`,
      limits: { ...defaultLimits, visits: 12, rows: 200 },
      newId: () => ++lastId,
      given: (need) => (brought.has(JSON.stringify(need)) ? pickNeeded(need, rows) : undefined),
    };
    const decided = decide(plan, frontier.run.version === 0 ? null : frontier, message, env);
    if (decided.kind === "decision") {
      world.lastId = lastId;
      return decided;
    }
    for (const need of decided.needs) brought.add(JSON.stringify(need));
  }
}

type Body = Message extends infer One ? (One extends Message ? Omit<One, "id"> : never) : never;

/** Mostly what brings the run on. */
function drawMessage(random: Random, { frontier, plan }: RandomRun): Body {
  const { run, rows } = frontier;
  if (random.chance(0.02)) return { kind: "cancel", by: "ann", reason: null };
  if (random.chance(0.03)) return { kind: "pause", by: "ann" };
  if (run.status === "paused" && random.chance(0.5)) return { kind: "resume", by: "ann" };
  if (random.chance(0.1) || rows.size === 0) return { kind: "alarm" };
  if (random.chance(0.05)) return { kind: "signal", name: random.pick(eventsOf(plan)), data: { n: random.integer(3) } };
  return messageFor(random, plan, random.pick([...rows.values()]));
}

function eventsOf(plan: Plan): readonly string[] {
  const events = Object.values(plan.steps).flatMap((step) =>
    step.kind === "wait" && step.wait.kind === "event" ? [step.wait.event] : [],
  );
  return ["nothing", ...events];
}

function messageFor(random: Random, plan: Plan, row: Row): Body {
  const by = random.pick(["bob", "cy", "group:finance"]);
  if (row.isHeld && random.chance(0.5)) return { kind: "skip", row: row.id, by };
  if (row.isHeld) return { kind: "choose", row: row.id, step: null, by };
  switch (row.status) {
    case "ready":
      return { kind: "admit", row: row.id, verdict: random.chance(0.95) ? "go" : random.pick(verdicts) };
    case "running":
      return answerTo(random, row);
    case "uncertain":
      return { kind: "resolve", row: row.id, by, how: random.pick(["retry", "done", "failed"]), result: null };
    case "pending":
    case "done":
    case "failed":
    case "skipped":
    case "cancelled":
      return wakeOf(random, plan, row, by);
  }
}

const verdicts = ["tool_missing", "circuit_open", "refused"] as const;

function answerTo(random: Random, { id: row, token, childRun }: Row): Body {
  const result = random.pick([null, { ok: true }, { n: random.integer(9), list: ["a", "b"] }, "text"]);
  if (childRun !== null) {
    const status = random.pick(["completed", "completed", "failed", "cancelled"] as const);
    return { kind: "child", row, child: childRun, status, output: result, error: null };
  }
  if (token === null) return { kind: "alarm" };
  if (random.chance(0.75)) return { kind: "done", row, token, result, outcome: null };
  if (random.chance(0.4)) return { kind: "lost", row, token, reason: random.pick(["crash", "connection"]) };
  return {
    kind: "failed",
    row,
    token,
    error: { code: "broken", message: "It is broken." },
    isFinal: random.chance(0.3),
  };
}

function wakeOf(random: Random, plan: Plan, row: Row, by: string): Body {
  const step = plan.steps[row.step];
  if (row.gate !== null) {
    const outcome = random.pick(["approved", "approved", "rejected"]);
    return { kind: "answer", row: row.id, by, via: null, outcome, data: null, comment: null, hash: null };
  }
  if (step?.kind === "wait" && step.wait.kind === "event") return { kind: "signal", name: step.wait.event, data: {} };
  if (step?.kind === "state" && step.transitions.length > 0) {
    const fire: Omit<MessageOf<"fire">, "id" | "transition"> = { kind: "fire", by, reason: "because", data: { n: 1 } };
    return { ...fire, transition: random.pick(step.transitions).name };
  }
  return { kind: "ready", row: row.id, by };
}
