// A run in memory for tests of the kernel: the real `decide`, a clock that a test moves, and every row ever written, so
// that whatever a decision needs can be brought. It calls no tools: a test says what they answered.

import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { Effect, OutcomeName, Plan } from "../flow/plan.ts";
import { compile } from "../flow/validate/compile.ts";
import { planAgain, type AgainAsked } from "../run/again.ts";
import { applyChanges, type MutableFrontier } from "../run/apply.ts";
import { decide } from "../run/decide.ts";
import type { Decision, Reply, RunEvent, Send, ToolCall } from "../run/decision.ts";
import { defaultLimits, type Env, type Limits, type ResolvedTime } from "../run/env.ts";
import type { AdmitMessage, AnswerMessage, FireMessage, Message, StartMessage } from "../run/message.ts";
import type { Failure, Row, RowId, RunRow } from "../run/model.ts";
import { pickNeeded } from "../run/need.ts";
import { emptyFrontier } from "../run/start.ts";

/** A message as a test writes it; its id is minted unless given. */
type Sent = Message extends infer One
  ? One extends Message
    ? Omit<One, "id"> & { readonly id?: string }
    : never
  : never;

export type KernelOptions = {
  readonly input?: JsonObject;
  readonly by?: string;
  readonly via?: string | null;
  /** When the run is to start; null: now. */
  readonly at?: number | null;
  readonly now?: number;
  readonly parent?: StartMessage["parent"];
  readonly limits?: Partial<Limits>;
  readonly effects?: { readonly [tool: string]: Effect };
  readonly resolveTime?: Env["resolveTime"];
  readonly flowOf?: Env["flowOf"];
  readonly uid?: string;
  /** What the run takes over from an earlier one. */
  readonly again?: StartMessage["again"];
};

export type Kernel = {
  readonly plan: Plan;
  readonly frontier: MutableFrontier;
  /** Every row ever written, by id. */
  readonly history: Map<RowId, Row>;
  readonly events: RunEvent[];
  readonly calls: ToolCall[];
  readonly aborts: string[];
  /** What the run sent to others; nobody answers but the test. */
  readonly sends: Send[];
  now(): number;
  /** Decides one message and applies what follows. */
  send(message: Sent): Reply;
  /** Lets time pass: what falls due on the way is fired, in order. */
  advance(ms: number): void;
  /** Lets every row begin that is ready, until none is. */
  admitAll(verdict?: AdmitMessage["verdict"]): void;
  /** The running call of this step answers. */
  finish(step: string, result?: Json, outcome?: OutcomeName | null): Reply;
  fail(step: string, error?: Failure, isFinal?: "final"): Reply;
  /** Nobody knows whether the running call of this step happened. */
  lose(step: string, reason?: "crash" | "connection"): Reply;
  /** Bob approves at this gate, unless `given` says otherwise. */
  answer(step: string, given?: Partial<Omit<AnswerMessage, "kind" | "row">>): Reply;
  /** Bob fires this transition of a machine, unless `given` says otherwise. */
  fire(transition: string, given?: Partial<Omit<FireMessage, "kind" | "transition">>): Reply;
  rows(step?: string): readonly Row[];
  /** The newest row of the step itself, not of what serves it. */
  row(step: string): Row;
  run(): RunRow;
  eventsOf(kind: string): readonly RunEvent[];
};

/** Monday, 5 January 2026, 8:00 UTC. */
export const morning = 1_767_600_000_000;
const runId = 1;

/** `startKernel({ start: { tool: "greet", done: true } })` has a run whose first row is ready. */
export function startKernel(flow: Json | Plan, options: KernelOptions = {}): Kernel {
  const plan = isPlan(flow) ? flow : compile(flow);
  const { input = {}, by = "ann", via = null, at = null, parent = null } = options;
  const name = plan.name ?? "flow";
  const { uid = "run-uid", again = null } = options;
  const named = { id: "start", kind: "start", run: runId, uid, name } as const;
  const start = { ...named, input, by, via, at, parent, again };
  const world = openWorld(plan, options, start);
  sendTo(world, start);
  return kernelOf(world);
}

/** A new run that takes over from one that a test has brought to its end. */
export function startAgain(kernel: Kernel, asked: Partial<AgainAsked> = {}, options: KernelOptions = {}): Kernel {
  const { plan } = kernel;
  const rows = [...kernel.history.values()];
  const planned = planAgain({ plan, run: kernel.run(), rows, how: "retry", from: null, input: null, ...asked });
  if (!planned.ok) throw new Error(planned.code);
  const { input, again } = planned;
  return startKernel(plan, { now: kernel.now(), uid: "new-uid", ...options, input, again });
}

type World = {
  readonly plan: Plan;
  readonly options: KernelOptions;
  readonly frontier: MutableFrontier;
  readonly history: Map<RowId, Row>;
  readonly events: RunEvent[];
  readonly calls: ToolCall[];
  readonly aborts: string[];
  readonly sends: Send[];
  now: number;
  lastId: RowId;
  messages: number;
};

function isPlan(flow: Json | Plan): flow is Plan {
  return isObject(flow) && own(flow, "kind") === "plan";
}

function openWorld(plan: Plan, options: KernelOptions, start: Message): World {
  const now = options.now ?? morning;
  const { run } = emptyFrontier(start, envAt(now));
  const frontier: MutableFrontier = { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
  const records = { history: new Map<RowId, Row>(), events: [], calls: [], aborts: [], sends: [] };
  return { plan, options, frontier, ...records, now, lastId: runId, messages: 0 };
}

const closedEnv: Env = {
  now: 0,
  epoch: "e1",
  limits: defaultLimits,
  newId: () => 0,
  given: () => undefined,
  resolveTime: readIsoTime,
  effectOf: () => null,
  flowOf: () => null,
};

/** For those who read a run, or call a part of the kernel by itself. */
export function envAt(now: number): Env {
  return { ...closedEnv, now };
}

function readIsoTime(text: string | number): ResolvedTime {
  const at = /^\d{4}-\d{2}-\d{2}T/.test(String(text)) ? Date.parse(String(text)) : Number.NaN;
  return Number.isNaN(at) ? { ok: false, problem: "That is no time." } : { ok: true, at };
}

/** Decides again with what was needed until nothing is; a message that is decided again mints the same ids. */
function decideIn(world: World, message: Message): Decision {
  const { plan, frontier, options, history } = world;
  const brought = new Set<string>();
  for (;;) {
    let lastId = world.lastId;
    const decision = decide(plan, frontier, message, {
      ...envAt(world.now),
      limits: { ...defaultLimits, ...options.limits },
      newId: () => ++lastId,
      given: (need) => (brought.has(JSON.stringify(need)) ? pickNeeded(need, history) : undefined),
      resolveTime: options.resolveTime ?? readIsoTime,
      effectOf: (tool) => options.effects?.[tool] ?? null,
      flowOf: options.flowOf ?? (() => null),
    });
    if (decision.kind === "decision") {
      world.lastId = lastId;
      return decision;
    }
    for (const need of decision.needs) brought.add(JSON.stringify(need));
  }
}

function sendTo(world: World, sent: Sent): Decision {
  const { frontier, history } = world;
  world.messages += 1;
  const decision = decideIn(world, { id: `m${world.messages}`, ...sent });
  const { changes, calls, aborts, sends } = decision;
  applyChanges(frontier, changes);
  for (const row of changes.rows) history.set(row.id, row);
  world.events.push(...changes.events);
  world.calls.push(...calls);
  world.aborts.push(...aborts);
  world.sends.push(...sends);
  if (frontier.run.live !== frontier.rows.size) {
    throw new Error(`after "${sent.kind}" the run counts ${frontier.run.live} live rows and has ${frontier.rows.size}`);
  }
  return decision;
}

function isEmpty({ changes }: Decision): boolean {
  return changes.run === null && changes.rows.length === 0 && changes.events.length === 0;
}

function advance(world: World, ms: number): void {
  const end = world.now + ms;
  // Alarms that a pause keeps from firing are passed by.
  let passed = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { run, rows } = world.frontier;
    const alarms = [run, ...rows.values()].flatMap((owner) => owner.alarms.map((alarm) => alarm.at));
    const next = Math.min(...alarms.filter((at) => at > passed));
    if (next > end) break;
    world.now = Math.max(world.now, next);
    if (isEmpty(sendTo(world, { kind: "alarm" }))) passed = next;
  }
  world.now = end;
}

function admitAll(world: World, verdict: AdmitMessage["verdict"]): void {
  for (let isMoving = true; isMoving;) {
    const ready = [...world.frontier.rows.values()].filter((row) => row.status === "ready");
    const decisions = ready.map((row) => sendTo(world, { kind: "admit", row: row.id, verdict }));
    isMoving = decisions.some((decision) => !isEmpty(decision));
  }
}

function runningCall(world: World, step: string): { readonly row: RowId; readonly token: string } {
  const rows = [...world.frontier.rows.values()];
  const row = rows.find((one) => one.token !== null && (one.step === step || one.name === step));
  if (row === undefined || row.token === null) throw new Error(`no call of "${step}" is running`);
  return { row: row.id, token: row.token };
}

function rowsOf(world: World, step?: string): readonly Row[] {
  const rows = [...world.history.values()].toSorted((one, other) => one.id - other.id);
  return step === undefined ? rows : rows.filter((row) => row.step === step || row.name === step);
}

function rowOf(world: World, step: string): Row {
  const row = rowsOf(world, step).findLast((one) => one.role === "step");
  if (row === undefined) throw new Error(`there is no row of "${step}"`);
  return row;
}

/** What a reply says, in a word: "ok", or why not. */
export function codeOf(reply: Reply): string {
  return reply.kind === "refused" ? reply.code : "ok";
}

const approval = { by: "bob", via: null, outcome: "approved", data: null, comment: null, hash: null } as const;
const push = { by: "bob", reason: null, data: {} } as const;
const broken: Failure = { code: "broken", message: "The tool is broken." };

function kernelOf(world: World): Kernel {
  const { plan, frontier, history, events, calls, aborts, sends } = world;
  return {
    plan,
    frontier,
    history,
    events,
    calls,
    aborts,
    sends,
    now: () => world.now,
    send: (message) => sendTo(world, message).reply,
    advance: (ms) => advance(world, ms),
    admitAll: (verdict = "go") => admitAll(world, verdict),
    finish: (step, result = null, outcome = null) =>
      sendTo(world, { kind: "done", ...runningCall(world, step), result, outcome }).reply,
    fail: (step, error = broken, isFinal) =>
      sendTo(world, { kind: "failed", ...runningCall(world, step), error, isFinal: isFinal === "final" }).reply,
    lose: (step, reason = "crash") => sendTo(world, { kind: "lost", ...runningCall(world, step), reason }).reply,
    answer: (step, given = {}) =>
      sendTo(world, { kind: "answer", row: rowOf(world, step).id, ...approval, ...given }).reply,
    fire: (transition, given = {}) => sendTo(world, { kind: "fire", transition, ...push, ...given }).reply,
    rows: (step) => rowsOf(world, step),
    row: (step) => rowOf(world, step),
    run: () => frontier.run,
    eventsOf: (kind) => events.filter((event) => event.kind === kind),
  };
}
