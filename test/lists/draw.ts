// Lists by chance: one seed makes one list. Short ones, mostly about one or two runs, so that much happens to each.

import type { Json, JsonObject } from "../../src/flow/json.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { drawInput } from "../../src/testing/simulator/library.ts";
import type { Command, CommandList } from "./command.ts";

export type DrawOptions = {
  /** How many commands at most. */
  readonly commandsMax?: number;
};

const commandsMin = 3;
const people = ["ann", "bob", "cy"] as const;
const names = ["review", "reply"] as const;
const minute = 60_000;
const day = 24 * 60 * minute;

export function drawList(seed: number, { commandsMax = 7 }: DrawOptions = {}): CommandList {
  const random = createRandom(seed);
  const count = commandsMin + random.integer(commandsMax - commandsMin + 1);
  const theme = random.pick(themes);
  const commands: Command[] = [theme.save === undefined ? drawStart(random) : drawSaving(random)];
  while (commands.length < count) commands.push(drawCommand(random, theme));
  return { seed, commands };
}

/** What a list is mostly about: weights, beside those of all. */
type Theme = { readonly [kind in Command["kind"]]?: number };

const themes: readonly Theme[] = [
  {},
  {},
  {},
  { save: 25, shelve: 18, start: 15 },
  { crash: 22, advance: 20 },
  { reopen: 9, prune: 9, advance: 30, steer: 15 },
  { start: 25, signal: 20, emit: 10, list: 10 },
];

const drawings: readonly (readonly [kind: Command["kind"], weight: number, draw: (random: Random) => Command])[] = [
  ["start", 10, drawStart],
  ["answer", 24, (random) => ({ kind: "answer", seed: random.integer(2 ** 31) })],
  ["say", 8, (random) => ({ kind: "say", seed: random.integer(2 ** 31) })],
  ["signal", 7, drawSignal],
  ["emit", 4, (random) => ({ kind: "emit", event: random.pick(["paid", "paid", "go"]), data: drawEvent(random) })],
  ["steer", 8, drawSteering],
  ["again", 7, drawAgain],
  ["advance", 16, drawAdvance],
  ["crash", 3, drawCrash],
  ["reopen", 1, drawReopening],
  ["prune", 1, (random) => ({ kind: "prune", ageMs: random.pick([-1, 0, 1000, minute]) })],
  ["save", 1, drawSaving],
  ["shelve", 1, drawShelving],
  ["reset", 1, (random) => ({ kind: "reset", tool: random.pick(["work", "pay", "log"]) })],
  ["list", 3, drawQuery],
];

function drawCommand(random: Random, theme: Theme): Command {
  const weighed = drawings.map(([kind, weight, draw]) => ({ weight: theme[kind] ?? weight, draw }));
  let left = random.integer(weighed.reduce((sum, { weight }) => sum + weight, 0));
  for (const { weight, draw } of weighed) {
    if (left < weight) return draw(random);
    left -= weight;
  }
  throw new Error("The weights do not add up.");
}

function drawStart(random: Random): Command {
  const saved = random.pick([...names, "review@1", "reply@2"]);
  return {
    kind: "start",
    flow: random.chance(0.1) ? saved : random.integer(8),
    input: { ...drawInput(random), n: random.integer(4), ...(random.chance(0.2) ? { odd: drawOdd(random) } : {}) },
    by: random.pick(people),
    key: random.chance(0.25) ? random.pick(["k1", "k2", "Schlüssel 3"]) : null,
    inMs: random.chance(0.15) ? random.pick([0, 5000, day]) : null,
    name: random.chance(0.15) ? random.pick(["named", "ein Name ✓", 'it\'s "quoted" \\ 100%']) : null,
  };
}

/** What a store might not give back as it was. Zero bytes stand in JSON only: plain text has none. */
export function drawOdd(random: Random): Json {
  return random.pick<Json>([
    "zero \u0000 byte",
    "lone \ud800 half",
    "\u2028 and \u{1F600} and e\u0301",
    "'; drop table runs; --",
    { "key with \u0000": null, "": [], "10": 1, "9": 2, toString: "own" },
    [1e21, -0.1, 2 ** 53 - 1, 5e-324, [[[]]], { deep: { deeper: { deepest: true } } }],
    "large ".repeat(12_000),
    "",
    "null",
  ]);
}

function drawEvent(random: Random): JsonObject {
  return { order: random.pick(["o-1", "o-2"]), amount: random.integer(100) };
}

function drawSignal(random: Random): Command {
  const data = random.chance(0.1) ? { odd: drawOdd(random) } : drawEvent(random);
  return {
    kind: "signal",
    run: random.integer(8),
    name: random.pick(["paid", "paid", "go", "go", "unheard of"]),
    data,
  };
}

function drawSteering(random: Random): Command {
  const how = random.pick(["cancel", "cancel", "pause", "pause", "resume", "resume", "preview", "result"] as const);
  return { kind: "steer", run: random.integer(8), how };
}

function drawAgain(random: Random): Command {
  return {
    kind: "again",
    run: random.integer(8),
    how: random.pick(["retry", "retry", "rerun", "fork"] as const),
    from: random.chance(0.4) ? null : random.integer(20),
    input: random.chance(0.4) ? drawInput(random) : null,
  };
}

function drawAdvance(random: Random): Command {
  return { kind: "advance", ms: random.pick(["next", "next", 1, 1000, minute, 2 * 60 * minute, day]) };
}

function drawCrash(random: Random): Command {
  if (random.chance(0.4)) return { kind: "crash", at: null };
  return { kind: "crash", at: { commit: random.pick([1, 1, 2, 3]), isWritten: random.chance(0.5) } };
}

function drawReopening(random: Random): Command {
  const retention = random.pick([{ runsMax: 0 }, { runsMax: 1 }, { ageMs: minute }, {}]);
  return { kind: "reopen", retention };
}

function drawSaving(random: Random): Command {
  return {
    kind: "save",
    flow: random.integer(8),
    name: random.pick(names),
    note: random.pick(["", "shorter", "zurück"]),
  };
}

function drawShelving(random: Random): Command {
  const how = random.pick(["enable", "disable", "delete", "restore", "diff"] as const);
  return { kind: "shelve", how, name: random.pick(names), version: 1 + random.integer(3) };
}

function drawQuery(random: Random): Command {
  return {
    kind: "list",
    status: random.pick(["all", "live", null, "running", "completed", "failed", "cancelled", "scheduled", "paused"]),
    by: random.chance(0.3) ? random.pick(people) : null,
    name: random.chance(0.2) ? random.pick(["named", "refund", "gate"]) : null,
    limitMax: random.pick([1, 2, 50]),
    before: random.chance(0.3) ? random.integer(8) : null,
  };
}
