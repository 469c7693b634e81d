// A command, as it is said to the engine. What it names by numbers is looked up in what was seen last; a command for
// which there is nothing says so and does nothing.

import type { Engine } from "../../src/engine/engine.ts";
import type { JsonObject } from "../../src/flow/json.ts";
import { isLive, type Row } from "../../src/run/model.ts";
import type { StoredRun as Subject } from "../../src/testing/simulator/store.ts";
import type { MessageBody } from "../../src/testing/simulator/clients.ts";
import { answerFor, anyMessage } from "../../src/testing/simulator/people.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import type { Command } from "./command.ts";
import { getVersion, type FlowSet, type ListFlow } from "./flows.ts";
import type { Sight } from "./look.ts";

/** What a command is carried out with; `sight` is as it was after the last one. */
export type Hands = {
  readonly engine: Engine;
  readonly now: number;
  readonly set: FlowSet;
  readonly sight: Sight;
  /** How often this list has saved something. */
  saved: number;
};

export type Asked = {
  /** In words, for whoever reads a list that fails. */
  readonly said: string;
  readonly answer: Promise<unknown>;
};

type Verb<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/** Commands that are not about the engine that is open, but about which one is, or about time. */
export type WorldCommand = Verb<"advance"> | Verb<"crash"> | Verb<"reopen">;

export function isOfWorld(command: Command): command is WorldCommand {
  return command.kind === "advance" || command.kind === "crash" || command.kind === "reopen";
}

/** undefined: nothing waits for anybody. */
export function carryOut(command: Exclude<Command, WorldCommand>, hands: Hands): Asked | undefined {
  const { engine } = hands;
  switch (command.kind) {
    case "start":
      return start(command, hands);
    case "answer":
      return say(hands, createRandom(command.seed), answerTo);
    case "say":
      return say(hands, createRandom(command.seed), anyMessage);
    case "signal": {
      const { name, data } = command;
      return forRun(hands, command.run, (run) => asked("signal", [run, name, data], engine.signal(run, name, data)));
    }
    case "emit":
      return asked("emit", [command.event, command.data], engine.emit(command.event, command.data));
    case "steer":
      return forRun(hands, command.run, (run) => asked(command.how, [run], engine[command.how](run)));
    case "again":
      return again(command, hands);
    case "prune": {
      const query = { endedBefore: hands.now - command.ageMs };
      return asked("prune", [query], engine.prune(query));
    }
    case "save":
      return save(command, hands);
    case "shelve":
      return shelve(command, hands);
    case "reset":
      return asked("breakers.reset", [command.tool], engine.breakers.reset(command.tool));
    case "list":
      return list(command, hands);
  }
}

function asked(verb: string, values: readonly unknown[], answer: Promise<unknown>): Asked {
  return { said: `${verb} ${values.map((value) => cut(JSON.stringify(value) ?? "")).join(" ")}`, answer };
}

const shownMax = 200;

function cut(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

function nothing(why: string): Asked {
  return { said: why, answer: Promise.resolve(null) };
}

function flowAt({ set }: Hands, place: number): ListFlow {
  const flow = set.flows[place % set.flows.length];
  if (flow === undefined) throw new Error("A list has at least one flow.");
  return flow;
}

function start({ flow, input, by, key, inMs, name }: Verb<"start">, hands: Hands): Asked {
  const document = typeof flow === "string" ? flow : flowAt(hands, flow).document;
  const options = {
    input,
    as: by,
    ...(key === null ? {} : { idempotencyKey: key }),
    ...(inMs === null ? {} : { at: hands.now + inMs }),
    ...(name === null ? {} : { name }),
  };
  return asked("start", [document, options], hands.engine.start(document, options));
}

function forRun({ sight }: Hands, place: number, act: (run: number) => Asked): Asked {
  const { runs } = sight;
  const found = runs.at(-1 - (place % Math.max(1, runs.length)));
  return found === undefined ? nothing("there is no run") : act(found.view.id);
}

function again({ run: place, how, from, input }: Verb<"again">, hands: Hands): Asked {
  const { engine, sight } = hands;
  return forRun(hands, place, (run) => {
    const steps = sight.runs.find(({ view }) => view.id === run)?.view.steps ?? [];
    const row = from === null || steps.length === 0 ? undefined : steps[from % steps.length];
    const at = row === undefined ? {} : { from: row.id };
    switch (how) {
      case "retry":
        return asked("retry", [run], engine.retry(run));
      case "rerun":
        return asked("rerun", [run, at], engine.rerun(run, at));
      case "fork": {
        const options = { ...at, ...(input === null ? {} : { input }) };
        return asked("fork", [run, options], engine.fork(run, options));
      }
    }
  });
}

function save({ flow, name, note }: Verb<"save">, hands: Hands): Asked {
  const { document, plan } = getVersion(flowAt(hands, flow), hands.saved % 3);
  hands.saved += 1;
  hands.set.plans.set(plan.hash, plan);
  return asked("save", [document, { name, note }], hands.engine.save(document, { name, note }));
}

function shelve({ how, name, version }: Verb<"shelve">, { engine: { workflows } }: Hands): Asked {
  const meant = version === 3 ? name : `${name}@${version}`;
  switch (how) {
    case "enable":
    case "disable":
    case "delete":
      return asked(`workflows.${how}`, [meant], workflows[how](meant));
    case "restore":
      return asked("workflows.restore", [name, version], workflows.restore(name, version));
    case "diff":
      return asked("workflows.diff", [name, version], workflows.diff(name, version));
  }
}

function list({ status, by, name, limitMax, before }: Verb<"list">, { engine, sight }: Hands): Asked {
  const older = before === null ? undefined : sight.runs[before % Math.max(1, sight.runs.length)];
  const query = {
    status,
    limitMax,
    ...(by === null ? {} : { createdBy: by }),
    ...(name === null ? {} : { name }),
    ...(older === undefined ? {} : { before: older.view.id }),
  };
  return asked("list", [query], engine.list(query));
}

type Saying = (random: Random, subject: Subject) => MessageBody | undefined;

/** Something that waits, if anything does. */
function answerTo(random: Random, subject: Subject): MessageBody | undefined {
  const live = random.shuffle([...subject.rows.values()].filter(isLive));
  if (subject.run.status === "paused" && random.chance(0.5)) return { kind: "resume", by: "ann" };
  for (const row of live) {
    const answer = answerFor(random, subject, row, 0);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function say(hands: Hands, random: Random, saying: Saying): Asked | undefined {
  for (const { view } of random.shuffle(hands.sight.runs)) {
    const { steps, flow, ...run } = view;
    const plan = hands.set.plans.get(flow);
    if (plan === undefined || steps.length === 0) continue;
    const rows = new Map<number, Row>(steps.map((row) => [row.id, row]));
    const beside = { scopes: new Map(), visits: new Map(), signals: [], events: new Map() };
    const message = saying(random, { plan, run, rows, ...beside });
    if (message !== undefined) return tell(hands.engine, run.id, message);
  }
  return undefined;
}

/** What a person can say, and a program for them; the rest nobody says. */
function tell(engine: Engine, run: number, message: MessageBody): Asked {
  switch (message.kind) {
    case "ready":
      return asked("ready", [message.row, message.by], engine.ready(message.row, { by: message.by }));
    case "answer": {
      const { row, by, outcome, data, hash } = message;
      const options = { by, outcome, data, ...(hash === null ? {} : { hash }) };
      return asked("answer", [row, options], engine.answer(row, options));
    }
    case "signal":
      return asked("signal", [run, message.name, message.data], engine.signal(run, message.name, message.data));
    case "event":
      return asked("emit", [message.name, message.data], engine.emit(message.name, message.data));
    case "cancel":
      return asked("cancel", [run, message.by], engine.cancel(run, { by: message.by }));
    case "pause":
      return asked("pause", [run], engine.pause(run, { by: message.by }));
    case "resume":
      return asked("resume", [run], engine.resume(run, { by: message.by }));
    case "resolve": {
      const { row, by, how, result } = message;
      return asked("resolve", [row, how, result], engine.resolve(row, { by, how, result }));
    }
    case "skip":
      return asked("skip", [message.row], engine.skip(message.row, { by: message.by }));
    case "choose": {
      const { row, by, step } = message;
      return asked("choose", [row, step], engine.choose(row, { by, step }));
    }
    case "fire":
      return fire(engine, run, message);
    case "start":
    case "admit":
    case "done":
    case "failed":
    case "lost":
    case "alive":
    case "held":
    case "alarm":
    case "child":
    case "poison":
      return nothing(`nobody says "${message.kind}"`);
  }
}

type Fired = {
  readonly transition: string;
  readonly by: string;
  readonly reason: string | null;
  readonly data: JsonObject;
};

function fire(engine: Engine, run: number, { transition, by, reason, data }: Fired): Asked {
  const options = { transition, by, data, ...(reason === null ? {} : { reason }) };
  return asked("fire", [run, options], engine.fire(run, options));
}
