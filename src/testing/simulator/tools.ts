// The world's tools: they act, fail, hang, act and lose the answer, answer twice, answer late. Everything that they did
// is in a ledger outside the engine, by idempotency key: a crash does not undo an effect.

import type { Json } from "../../flow/json.ts";
import type { Effect, OutcomeName } from "../../flow/plan.ts";
import type { ToolCall } from "../../run/decision.ts";
import type { AdmitMessage, Message } from "../../run/message.ts";
import type { Row, RunId } from "../../run/model.ts";
import type { Random } from "../random.ts";
import type { World } from "./world.ts";

/** One call, as the tool saw it. */
type CallRecord = {
  readonly run: RunId;
  readonly call: ToolCall;
  effects: number;
  /** What it has answered, or would have if the connection had held. */
  readonly results: Json[];
  isStopped: boolean;
};

export interface Tools {
  /** By token: one attempt, one call. */
  readonly calls: ReadonlyMap<string, CallRecord>;
  /** By idempotency key, what was done to the world outside. */
  readonly ledger: ReadonlyMap<string, readonly CallRecord[]>;
  call(run: RunId, call: ToolCall, answer: (message: Message) => void): void;
  abort(token: string): void;
  /** What the dispatcher finds when it looks at a row that is ready. */
  verdict(row: Row): AdmitMessage["verdict"];
  /** What the operator or the tool says of a tool. */
  effectOf(tool: string): Effect | null;
  /** From now on every tool is there and answers. */
  heal(): void;
}

type Manner =
  | "succeed"
  | "fail"
  | "act_and_fail"
  | "fail_for_good"
  | "hang"
  | "act_and_hang"
  | "act_and_lose"
  | "lose"
  | "twice"
  | "late"
  /** It goes on elsewhere, and says from where it can be followed. */
  | "go_on"
  /** Somebody has to look first. */
  | "hold"
  /** It was made by an earlier process, and is followed. */
  | "follow";

/** What a call is like when it does not just succeed. */
const troubles: readonly Manner[] = [
  ...(["fail", "fail", "fail", "act_and_fail", "fail_for_good", "hang", "act_and_hang"] as const),
  ...(["act_and_lose", "act_and_lose", "lose", "twice", "twice", "late", "late"] as const),
  ...(["go_on", "go_on", "hold"] as const),
];

const effects: { readonly [tool: string]: Effect | null } = {
  "crm.find": "read",
  "crm.update": "idempotent",
  "news.fetch": "read",
  log: "idempotent",
  "mail.send": "write",
};

export function createTools(world: World): Tools {
  const { random } = world;
  // A seed has its own weather: in most the tools are good enough for runs to come far.
  const roughness = random.pick([0.05, 0.15, 0.15, 0.4]);
  const calls = new Map<string, CallRecord>();
  const ledger = new Map<string, CallRecord[]>();
  let isHealed = false;
  const draw = (): Manner => {
    if (isHealed || !random.chance(roughness)) return !isHealed && random.chance(0.03) ? "go_on" : "succeed";
    return random.pick(troubles);
  };
  const act = (record: CallRecord): void => {
    if (record.isStopped) return;
    record.effects += 1;
    const { key, token } = record.call;
    ledger.set(key, [...(ledger.get(key) ?? []), record]);
    world.note(`effect ${token} ${key}`);
  };
  return {
    calls,
    ledger,
    call(run, call, answer) {
      const record: CallRecord = { run, call, effects: 0, results: [], isStopped: false };
      calls.set(call.token, record);
      perform({
        world,
        record,
        act,
        answer,
        manner: call.handle !== null ? "follow" : draw(),
      });
    },
    abort(token) {
      const record = calls.get(token);
      // Not every tool can be stopped; some go on and answer all the same.
      if (record !== undefined && random.chance(0.6)) record.isStopped = true;
    },
    verdict() {
      if (isHealed || !random.chance(roughness / 5)) return "go";
      return random.pick(["tool_missing", "circuit_open", "circuit_open", "refused"]);
    },
    effectOf: (tool) => effects[tool] ?? null,
    heal() {
      isHealed = true;
    },
  };
}

type Performance = {
  readonly world: World;
  readonly record: CallRecord;
  readonly manner: Manner;
  readonly act: (record: CallRecord) => void;
  readonly answer: (message: Message) => void;
};

function perform(performance: Performance): void {
  const { world, record, manner, act } = performance;
  const { timeoutMs } = record.call;
  const worksMs = drawDelay(world.random);
  const lateMs = (timeoutMs ?? 60_000) + world.random.integer(60_000);
  const answersMs = manner === "late" ? lateMs : worksMs + world.random.integer(20);
  if (!idle.has(manner)) world.after(worksMs, () => act(record));
  if (manner === "go_on") world.after(world.random.integer(worksMs + 1), () => performance.answer(goOn(performance)));
  for (const message of answersOf(performance)) {
    world.after(answersMs + (manner === "twice" ? world.random.integer(3000) : 0), () => {
      if (!record.isStopped) performance.answer(message);
    });
  }
}

/** Nothing is done to the world outside. */
const idle: ReadonlySet<Manner> = new Set(["fail", "fail_for_good", "hang", "lose", "hold", "follow"]);

function goOn({ world, record }: Performance): Message {
  const { row, token, timeoutMs } = record.call;
  const until = world.now + (timeoutMs ?? 60_000);
  return { kind: "alive", id: `alive:${token}`, row, token, handle: `task:${token}`, until };
}

function drawDelay(random: Random): number {
  return random.chance(0.8) ? random.integer(200) : random.integer(90_000);
}

function answersOf({ world, record, manner }: Performance): readonly Message[] {
  const { row, token } = record.call;
  const id = `answer:${token}`;
  switch (manner) {
    case "succeed":
    case "late":
    case "go_on":
    case "follow":
    case "twice": {
      const result = drawResult(world.random, token);
      record.results.push(result);
      const done: Message = { kind: "done", id, row, token, result, outcome: drawOutcome(world.random) };
      return manner === "twice" ? [done, done] : [done];
    }
    case "fail":
    case "act_and_fail":
    case "fail_for_good": {
      const error = { code: "tool_error", message: "The tool said no." };
      return [{ kind: "failed", id, row, token, error, isFinal: manner === "fail_for_good" }];
    }
    case "hold":
      return [{ kind: "held", id, row, token, error: { code: "tool_changed", message: "It is another one." } }];
    case "lose":
    case "act_and_lose":
      return [{ kind: "lost", id, row, token, reason: "connection" }];
    case "hang":
    case "act_and_hang":
      return [];
  }
}

/** Mostly an object that names its call, so that a result in the wrong place is seen; sometimes what seeds compare with. */
function drawResult(random: Random, token: string): Json {
  if (random.chance(0.15)) return random.pick<Json>([true, false, null, 42, "open", "approved", [], `text ${token}`]);
  return {
    of: token,
    count: random.integer(5),
    total: random.integer(100),
    items: Array.from({ length: random.integer(4) }, (_, index) => ({ id: `${token}-${index}` })),
    happened: random.chance(0.5),
    result: `as ${token} found it`,
  };
}

function drawOutcome(random: Random): OutcomeName | null {
  if (random.chance(0.6)) return null;
  return random.pick(["items", "empty", "large", "small", "changes", "error", "Not a name"]);
}
