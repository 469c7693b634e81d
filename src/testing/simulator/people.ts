// People, and the programs that speak for them. They look at what waits in a run and answer it; while they are in a bad
// mood also what does not wait, with the wrong words, twice.

import type { Json, JsonObject } from "../../flow/json.ts";
import type { GateStep, PlanStep } from "../../flow/plan.ts";
import { isLive, type Row } from "../../run/model.ts";
import type { Random } from "../random.ts";
import type { MessageBody } from "./clients.ts";
import type { StoredRun } from "./store.ts";

export const people: readonly string[] = ["ann", "bob", "cy", "group:finance"];

/** Answers to everything in the run that waits for somebody. `round`: how often they have tried before. */
export function answersFor(random: Random, stored: StoredRun, round: number): readonly MessageBody[] {
  const { run } = stored;
  if (run.status === "paused") return [{ kind: "resume", by: random.pick(people) }];
  const answers = liveRows(stored).flatMap((row) => answerFor(random, stored, row, round) ?? []);
  // A flow may go in circles for as long as people answer it.
  return round > 12 ? [...answers, cancelBy(random)] : answers;
}

function liveRows({ rows }: StoredRun): readonly Row[] {
  return [...rows.values()].filter(isLive);
}

/** What somebody may say to one row, constructively. */
export function answerFor(random: Random, stored: StoredRun, row: Row, round: number): MessageBody | undefined {
  const step = stored.plan.steps[row.step];
  if (row.isHeld) return answerHeld(random, stored, row);
  if (row.status === "uncertain") return resolveBy(random, row);
  if (step === undefined || row.status !== "pending" || row.role !== "step") return undefined;
  return answerStep(random, row, step, round);
}

function answerStep(random: Random, row: Row, step: PlanStep, round: number): MessageBody | undefined {
  switch (step.kind) {
    case "gate":
      return answerGate(random, row, step, round > 6 ? "rejected" : drawOutcome(random, step));
    case "wait":
      return step.wait.kind === "event" ? signalOf(random, step.wait.event) : undefined;
    case "state": {
      const [transition] = random.shuffle(step.transitions);
      return transition === undefined ? undefined : fireOf(random, transition.name);
    }
    case "tool":
    case "flow":
    case "set":
    case "end":
      return undefined;
  }
}

function drawOutcome(random: Random, step: GateStep): string {
  const named = Object.keys(step.routes).filter((name) => name !== "changes" && name !== "default");
  return random.chance(0.85) ? "approved" : random.pick(["approved", "rejected", ...named]);
}

function answerGate(random: Random, row: Row, step: GateStep, outcome: string): MessageBody {
  const allowed = step.approvers?.map((name) => name.replace(/^user:/, "")) ?? people;
  const by = random.pick(allowed);
  if (outcome === "approved" && random.chance(0.3)) return { kind: "ready", row: row.id, by };
  const data: Json = step.form === null ? null : { reason: `because ${by} says so` };
  const hash = random.chance(0.3) ? (row.gate?.hash ?? null) : null;
  return { kind: "answer", row: row.id, by, via: null, outcome, data, comment: null, hash };
}

function answerHeld(random: Random, { plan }: StoredRun, row: Row): MessageBody {
  const by = random.pick(people);
  if (row.role === "undo" || row.status === "pending") {
    const result: Json = { happened: true, by };
    return random.chance(0.5)
      ? { kind: "skip", row: row.id, by }
      : { kind: "resolve", row: row.id, by, how: "retry", result };
  }
  const step = random.chance(0.6) ? null : random.pick(Object.keys(plan.steps));
  return { kind: "choose", row: row.id, step, by };
}

function resolveBy(random: Random, row: Row): MessageBody {
  const result = { by: "a person", row: row.id };
  return {
    kind: "resolve",
    row: row.id,
    by: random.pick(people),
    how: random.pick(["retry", "done", "failed"]),
    result,
  };
}

/** Every signal has a number of its own, by which it is found again. */
function signalOf(random: Random, name: string): MessageBody {
  const data: JsonObject = {
    signal: `s${random.integer(2 ** 32)}`,
    order: random.pick(["o-1", "o-2"]),
    amount: random.integer(100),
  };
  return { kind: "signal", name, data };
}

function fireOf(random: Random, transition: string): MessageBody {
  const data: JsonObject = random.chance(0.5) ? {} : { pages: random.integer(10), order: "o-1" };
  return { kind: "fire", transition, by: random.pick(people), reason: random.chance(0.9) ? "it is time" : null, data };
}

function cancelBy(random: Random): MessageBody {
  return { kind: "cancel", by: random.pick(people), reason: random.chance(0.8) ? "not wanted any more" : null };
}

/** What no executor would send: results of calls that were never made, words about rows that are elsewhere. */
function strayMessage(random: Random, stored: StoredRun): MessageBody {
  const row = random.chance(0.2) ? 1 : random.pick([...stored.rows.keys()]);
  const token = `${row}.stray`;
  return random.pick<MessageBody>([
    { kind: "done", row, token, result: "stray", outcome: null },
    { kind: "failed", row, token, error: { code: "stray", message: "Never called." }, isFinal: random.chance(0.5) },
    { kind: "lost", row, token, reason: random.pick(["crash", "connection"]) },
    { kind: "alive", row, token, handle: "stray", until: 0 },
    { kind: "held", row, token, error: { code: "tool_changed", message: "Never called." } },
    { kind: "admit", row, verdict: "go" },
    { kind: "alarm" },
    { kind: "child", row, child: 1, status: "completed", output: "stray", error: null },
    { kind: "choose", row, step: "no such step", by: "nobody" },
    { kind: "poison", error: { code: "poison", message: "It cannot be written." } },
  ]);
}

/** Something that somebody might say to this run, whether it makes sense or not. */
export function anyMessage(random: Random, stored: StoredRun): MessageBody {
  if (random.chance(0.1)) return strayMessage(random, stored);
  const row = random.pick([...stored.rows.values(), ...liveRows(stored)]);
  const step = stored.plan.steps[row.step];
  const by = random.pick(people);
  const kinds: readonly (() => MessageBody)[] = [
    () => (random.chance(0.5) ? cancelBy(random) : signalOf(random, "paid")),
    () => ({ kind: "pause", by }),
    () => ({ kind: "resume", by }),
    () => ({ kind: "ready", row: row.id, by }),
    () => signalOf(random, "paid"),
    () => signalOf(random, random.pick(["paid", "unheard of"])),
    () => ({ kind: "event", name: "paid", data: { order: "o-1" } }),
    () => resolveBy(random, row),
    () => ({ kind: "skip", row: row.id, by }),
    () => answerHeld(random, stored, { ...row, role: "step", status: "done" }),
    () => fireOf(random, step?.kind === "state" ? (step.transitions[0]?.name ?? "none") : "none"),
    () => ({
      kind: "answer",
      row: row.id,
      by,
      via: null,
      outcome: random.pick(["approved", "rejected", "changes", "expired"]),
      data: null,
      comment: null,
      hash: null,
    }),
  ];
  return random.pick(kinds)();
}
