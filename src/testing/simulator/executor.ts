// A small executor around the real `decide`: mailbox → batch → decide each message on frontiers held in memory → one
// commit → act. While one batch is written the next is decided; if one fails, it and all behind it are thrown away and
// their messages decided again from the rows. Its states: up, paused (messages queue up), down (memory gone).

import { decide } from "../../run/decide.ts";
import type { Message } from "../../run/message.ts";
import type { RunId } from "../../run/model.ts";
import { decideBatch } from "./batch.ts";
import type { Batch, Delivery, Duties, Executor } from "./process.ts";

/** An executor without planted bugs. */
export const soundDuties: Duties = {
  decide,
  toDisk: (write) => write,
  afterDeciding: () => {},
  afterCommit: act,
  afterFailure: decideAgain,
  atStart: recover,
};

/** A new process on the old disk: what was running under an older epoch is lost, what is ready is admitted, what is due fires. */
export function startExecutor(executor: Executor): void {
  const { world, duties, observer } = executor;
  observer.disturbed();
  executor.life += 1;
  executor.epoch = `e${executor.life}`;
  executor.isUp = true;
  executor.isPaused = false;
  world.note(`start ${executor.epoch}`);
  duties.atStart(executor);
  observer.started();
  wake(executor);
}

export function recover(executor: Executor): void {
  reloadDuties(executor);
  for (const { run, row, token } of executor.store.listInterrupted(executor.epoch)) {
    const message: Message = { kind: "lost", id: `lost:${token}`, row, token, reason: "crash" };
    executor.mailbox.push({ run, message, plan: null });
  }
}

/** What is ready and what is due, read from the rows. */
export function reloadDuties(executor: Executor): void {
  const { ready, store } = executor;
  ready.clear();
  for (const { run, row } of store.listReady()) ready.set(row, run);
  store.agenda.reload();
  armAlarms(executor);
}

/** The process is gone, and with it all that it knew. What it was writing is on disk, or not. After a while it comes back. */
export function crashExecutor(executor: Executor, { reason, downMs }: { reason: string; downMs: number }): void {
  const { world, inFlight, store } = executor;
  if (!executor.isUp) return;
  world.after(downMs, () => {
    if (!executor.isUp) startExecutor(executor);
  });
  const [first] = inFlight;
  if (first !== undefined && world.random.chance(0.5) && first.draft.commit("none").isOnDisk)
    writeBatch(executor, first);
  world.note(`crash ${reason}`);
  executor.crashes += 1;
  executor.life += 1;
  executor.isUp = false;
  executor.isTicking = false;
  executor.armedFor = null;
  executor.stalled.length = 0;
  executor.mailbox.length = 0;
  inFlight.length = 0;
  for (const memory of [executor.held, executor.ready, store.agenda]) memory.clear();
  store.lose();
}

export function pauseExecutor(executor: Executor): void {
  executor.isPaused = executor.isUp;
}

export function resumeExecutor(executor: Executor): void {
  executor.isPaused = false;
  executor.observer.disturbed();
  for (const go of executor.stalled.splice(0)) go();
  wake(executor);
}

/** False: nobody is there to take it. */
export function deliver(executor: Executor, delivery: Delivery): boolean {
  if (!executor.isUp) return false;
  executor.mailbox.push(delivery);
  wake(executor);
  return true;
}

/** Memory is lost, but for runs whose newest decisions are not on disk yet. */
export function forget(executor: Executor): void {
  const busy = new Set(executor.inFlight.flatMap(({ writes }) => writes.map(({ run }) => run)));
  for (const run of executor.held.keys()) if (!busy.has(run)) executor.held.delete(run);
}

/** Two batches in flight, not more. */
const inFlightMax = 2;

function wake(executor: Executor): void {
  const isIdle = !executor.isUp || executor.isPaused || executor.isTicking || executor.inFlight.length >= inFlightMax;
  if (isIdle || (executor.mailbox.length === 0 && executor.ready.size === 0)) return;
  executor.isTicking = true;
  later(executor, executor.world.random.integer(3), () => tick(executor));
}

/** Sets the timer for the run that is due first. */
function armAlarms(executor: Executor): void {
  const next = executor.store.agenda.nextAt(executor.world.now);
  if (next === undefined || (executor.armedFor !== null && executor.armedFor <= next)) return;
  executor.armedFor = next;
  later(executor, next - executor.world.now, () => {
    if (executor.armedFor !== next) return;
    executor.armedFor = null;
    fireDue(executor);
    armAlarms(executor);
  });
}

function fireDue(executor: Executor): void {
  const { store, world, mailbox } = executor;
  for (const run of store.agenda.take(world.now))
    mailbox.push({ run, message: { kind: "alarm", id: `alarm:${run}:${world.newId()}` }, plan: null });
  wake(executor);
}

/** The clock was set: the timer means another instant now. */
export function resetTimer(executor: Executor): void {
  executor.armedFor = null;
  executor.observer.disturbed();
  if (executor.isUp) armAlarms(executor);
}

/** Something that happens in this life of the process, and waits while it is paused. */
function later(executor: Executor, delayMs: number, happen: () => void): void {
  const { life, world } = executor;
  world.after(delayMs, () => {
    if (executor.life !== life) return;
    if (executor.isPaused) executor.stalled.push(happen);
    else happen();
  });
}

function tick(executor: Executor): void {
  executor.isTicking = false;
  const { world, mailbox, duties, inFlight } = executor;
  const deliveries = mailbox.splice(0, 1 + world.random.integer(20));
  const batch = decideBatch(executor, deliveries);
  if (batch.writes.length > 0) {
    inFlight.push(batch);
    duties.afterDeciding(executor, batch);
    if (inFlight.length === 1) beginCommit(executor);
  } else settle(executor, batch);
  armAlarms(executor);
  wake(executor);
}

function beginCommit(executor: Executor): void {
  later(executor, executor.world.random.integer(6), () => endCommit(executor));
}

function endCommit(executor: Executor): void {
  const { inFlight, duties, world, store, held } = executor;
  const [batch] = inFlight;
  if (batch === undefined) return;
  const { kind, isOnDisk } = batch.draft.commit(executor.drawCommitFault());
  switch (kind) {
    // Nobody who goes on can tell whether it is on disk; the rows can, to whoever starts next.
    case "unknown":
      if (isOnDisk) writeBatch(executor, batch);
      inFlight.length = 0;
      return crashExecutor(executor, {
        reason: `${isOnDisk ? "after" : "before"} a commit`,
        downMs: world.random.integer(3000),
      });
    case "refused":
      world.note("commit refused");
      executor.observer.disturbed();
      store.lose();
      duties.afterFailure(executor);
      break;
    case "committed":
      inFlight.shift();
      writeBatch(executor, batch);
      for (const run of batch.draft.release(held)) held.delete(run);
      settle(executor, batch);
      duties.afterCommit(executor, batch);
      armAlarms(executor);
      break;
  }
  if (executor.inFlight.length > 0) beginCommit(executor);
  wake(executor);
}

function settle({ store }: Executor, { deliveries, writes }: Batch): void {
  const told = deliveries.flatMap(({ run, message }) => (message.kind === "alarm" ? [run] : []));
  store.agenda.settled(told, writes);
}

function writeBatch(executor: Executor, batch: Batch): void {
  const { store, duties, observer, world } = executor;
  for (const decided of batch.writes) {
    const write = duties.toDisk(decided, store.find(decided.run));
    observer.writing(write);
    store.write(write);
  }
  world.note(`commit of ${batch.writes.length}`);
  observer.committed(batch);
}

/** A batch was refused: it and all behind it are decided again, from the rows. */
function decideAgain(executor: Executor): void {
  const { inFlight, mailbox } = executor;
  const thrownAway = inFlight.splice(0);
  mailbox.unshift(...thrownAway.flatMap(({ deliveries }) => deliveries));
  executor.held.clear();
  reloadDuties(executor);
}

/** On disk, and only now: call, stop, answer. */
export function act(executor: Executor, batch: Batch): void {
  dispatch(executor, batch);
  for (const { delivery, reply } of batch.replies) executor.observer.replied(delivery, reply);
}

export function dispatch(executor: Executor, batch: Batch): void {
  const { tools, observer } = executor;
  const stopped = new Set(batch.writes.flatMap(({ decision }) => decision.aborts));
  for (const token of stopped) tools.abort(token);
  for (const { run, decision } of batch.writes) {
    for (const call of decision.calls) {
      if (stopped.has(call.token)) continue;
      observer.calling(run, call.token, call.row);
      tools.call(run, call, answerTo(executor, run));
    }
  }
}

/** The connection belongs to this life of the process; after a crash an answer seldom finds its way. */
function answerTo(executor: Executor, run: RunId): (message: Message) => void {
  const { life, world } = executor;
  return (message) => {
    if (executor.life !== life && !world.random.chance(0.25)) return;
    deliver(executor, { run, message, plan: null });
    if (world.random.chance(0.05)) {
      world.after(world.random.integer(60_000), () => deliver(executor, { run, message, plan: null }));
    }
  };
}
