// One batch: each message is decided on the frontier in memory, what it sends to other runs with it, and then the
// dispatcher's word on every row that has become ready. Nothing is done yet; the batch is to be committed first.

import type { HeldRun } from "../../engine/held-run.ts";
import type { Plan } from "../../flow/plan.ts";
import type { Decision, Need, Needing } from "../../run/decision.ts";
import type { Env, ResolvedTime } from "../../run/env.ts";
import type { Message, StartMessage } from "../../run/message.ts";
import type { Row, RowId, RunId } from "../../run/model.ts";
import { prepareInput } from "../../flow/validate/input.ts";
import type { Batch, Delivery, Executor } from "./process.ts";
import type { Grounds, Write } from "./store.ts";
import type { World } from "./world.ts";

/** Rows that one batch admits; the others wait for the next. */
const admittedMax = 30;
const needsMax = 500;

export function decideBatch(executor: Executor, deliveries: readonly Delivery[]): Batch {
  const draft = executor.store.draft(executor.world.now);
  const batch: Batch = { deliveries, writes: [], replies: [], draft };
  for (const delivery of deliveries) {
    const write = decideWithSends(executor, batch, delivery);
    if (write !== undefined) batch.replies.push({ delivery, reply: write.decision.reply });
  }
  admitReady(executor, batch);
  draft.close();
  return batch;
}

function admitReady(executor: Executor, batch: Batch): void {
  const { ready, world, tools } = executor;
  let admitted = 0;
  // A map is walked with what is added to it meanwhile.
  for (const [id, run] of ready) {
    const frontier = hold(executor, run)?.frontier;
    const row = frontier?.rows.get(id);
    const isPaused = frontier?.run.status === "paused";
    // No room for now: it waits for another batch.
    if (!isPaused && (admitted >= admittedMax || world.random.chance(0.05))) continue;
    ready.delete(id);
    // What is ready in a paused run is let go by: it is looked at again when the run goes on.
    if (isPaused || row?.status !== "ready") continue;
    admitted += 1;
    const message: Message = {
      kind: "admit",
      id: `admit:${id}:${world.newId()}`,
      row: id,
      verdict: tools.verdict(row),
    };
    decideWithSends(executor, batch, { run, message, plan: null });
  }
}

/** The message, and what it leads the kernel to send to other runs, in the same transaction. */
function decideWithSends(executor: Executor, batch: Batch, delivery: Delivery): Write | undefined {
  const first = decideOne(executor, batch, delivery);
  const sends = [...(first?.decision.sends ?? [])];
  for (const { to, message, workflow } of sends) {
    const isChild = message.kind === "start" && workflow !== null;
    const sent = isChild ? atTheDoor(executor, message, workflow.name) : { run: to, message, plan: null };
    sends.push(...(decideOne(executor, batch, sent)?.decision.sends ?? []));
  }
  return first;
}

/** A sub-run's flow is found, and its input checked: one that does not fit makes no run, and the step hears of it. */
function atTheDoor({ library }: Executor, message: Message & StartMessage, workflow: string): Delivery {
  const { plan } = library.named(workflow);
  const { run, parent } = message;
  const prepared = prepareInput(plan, { ...library.input, ...message.input });
  if (prepared.ok) return { run, message: { ...message, input: prepared.input }, plan };
  const error = { code: "bad_input", message: prepared.problems.map((problem) => problem.message).join(" ") };
  const told = { kind: "child", id: `${message.id}!`, status: "failed", output: null, error } as const;
  return { run: parent?.run ?? run, message: { ...told, row: parent?.row ?? 0, child: run }, plan: null };
}

function decideOne(executor: Executor, batch: Batch, { run, message, plan }: Delivery): Write | undefined {
  const held = hold(executor, run);
  const known = held?.plan ?? plan;
  if (known === null || (held === undefined && message.kind !== "start")) return undefined;
  const frontier = held?.frontier ?? null;
  const question = { batch, run, plan: known, held: held ?? null, message };
  const brought = new Map<string, readonly Row[]>();
  const decision = decideWithNeeds(executor, question, brought);
  if (decision === undefined) return undefined;
  const write: Write = { run, plan: known, message, now: executor.world.now, decision };
  const env = createEnv(executor, new Map(), () => executor.world.newId());
  executor.observer.decided(write, {
    frontier,
    env,
    rows: message.kind === "cancel" ? rowsOf(executor, question) : new Map(),
  });
  note(executor, write);
  batch.writes.push(write);
  remember(executor, batch, write, { held: held ?? null, brought: broughtRows(brought) });
  return write;
}

function note({ world, messages }: Executor, { run, message, decision }: Write): void {
  messages.set(message.kind, (messages.get(message.kind) ?? 0) + 1);
  const about = "row" in message ? ` ${message.row}` : "";
  const reply = decision.reply.kind === "ok" ? "" : ` refused: ${decision.reply.code}`;
  const rows = decision.changes.rows.map(({ id, step, status, role }) => ` ${id}:${step}:${role}:${status}`).join("");
  const status = decision.changes.run === null ? "" : ` => ${decision.changes.run.status} ${decision.changes.run.live}`;
  world.note(`run ${run} ${message.kind}${about}${reply}${rows}${status}`);
}

function hold(executor: Executor, run: RunId): HeldRun | undefined {
  const held = executor.held.get(run) ?? executor.store.load(run);
  if (held !== undefined) executor.held.set(run, held);
  return held;
}

function broughtRows(brought: Brought): ReadonlyMap<RowId, Row> {
  const rows = new Map<RowId, Row>();
  for (const list of brought.values()) for (const row of list) rows.set(row.id, row);
  return rows;
}

function remember({ held, ready, store }: Executor, { draft }: Batch, write: Write, grounds: Grounds): void {
  const taken = draft.take(write, grounds);
  if (taken === undefined) return;
  const { run, decision } = write;
  held.set(run, taken.held);
  for (const { id } of decision.changes.rows) ready.delete(id);
  for (const id of taken.ready) ready.set(id, run);
  store.agenda.note(taken.held);
}

type Question = {
  readonly batch: Batch;
  readonly run: RunId;
  readonly plan: Plan;
  readonly held: HeldRun | null;
  readonly message: Message;
};

/** The kernel asks for old rows, is given them, and decides the same message again. */
function decideWithNeeds(
  executor: Executor,
  question: Question,
  brought: Map<string, readonly Row[]>,
): Decision | undefined {
  const { world, duties, store } = executor;
  const { plan, held, message } = question;
  const frontier = held?.frontier ?? null;
  const newId = createIds(world);
  try {
    for (let asked = 0; asked < needsMax; asked++) {
      const decided = duties.decide(plan, frontier, message, createEnv(executor, brought, newId()));
      if (decided.kind === "decision") {
        if (world.trace.events % pureEvery === 0)
          checkPurity(executor, decided, duties.decide(plan, frontier, message, createEnv(executor, brought, newId())));
        return decided;
      }
      const { needs } = decided;
      const lists = store.bring({ run: question.run, held, needs, unwritten: () => unwrittenRows(executor, question) });
      for (const [place, need] of needs.entries()) brought.set(JSON.stringify(need), lists[place] ?? []);
    }
    world.violate(
      "decide is total",
      `it never stops asking, for ${message.kind}: ${[...brought.keys()].slice(-3).join(" ")}`,
    );
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    world.violate("decide is total", `${message.kind} made it throw: ${stack.split("\n").slice(0, 6).join(" ")}`);
  }
  return undefined;
}

/** Looked at now and then, since it costs as much as the decision. */
const pureEvery = 40;

function checkPurity({ world }: Executor, first: Decision, second: Decision | Needing): void {
  if (JSON.stringify(first) !== JSON.stringify(second))
    world.violate("decide is pure", "the same message gave another decision");
}

/** The rows on disk, under those that are decided but not written yet. */
function rowsOf(executor: Executor, question: Question): ReadonlyMap<RowId, Row> {
  const rows = new Map(executor.store.find(question.run)?.rows);
  for (const [id, row] of unwrittenRows(executor, question)) rows.set(id, row);
  return rows;
}

function unwrittenRows({ inFlight }: Executor, { batch, run }: Question): ReadonlyMap<RowId, Row> {
  const rows = new Map<RowId, Row>();
  for (const { writes } of [...inFlight, batch]) {
    for (const write of writes)
      if (write.run === run) for (const row of write.decision.changes.rows) rows.set(row.id, row);
  }
  return rows;
}

/** The same message, decided again, is given the same ids: it may ask for what belongs to a row that it is just making. */
function createIds(world: World): () => () => RowId {
  const given: RowId[] = [];
  return () => {
    let used = 0;
    return () => {
      used += 1;
      const id = given[used - 1] ?? world.newId();
      given[used - 1] = id;
      return id;
    };
  };
}

type Brought = ReadonlyMap<string, readonly Row[]>;

function createEnv({ world, epoch, tools, limits, library }: Executor, brought: Brought, newId: () => RowId): Env {
  return {
    now: world.now,
    epoch,
    limits,
    newId,
    given: (need: Need) => brought.get(JSON.stringify(need)),
    resolveTime: readInstant,
    effectOf: (tool) => tools.effectOf(tool),
    flowOf: (workflow) => library.named(workflow).plan.hash,
  };
}

const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 only: words come with the tools. */
function readInstant(text: string | number): ResolvedTime {
  const at = instantShape.test(String(text)) ? Date.parse(String(text)) : Number.NaN;
  return Number.isNaN(at) ? { ok: false, problem: "That is no time." } : { ok: true, at };
}
