// Bugs in how decisions are carried out: an executor with one duty done wrongly.

import { decide } from "../../src/run/decide.ts";
import type { Decision, Send } from "../../src/run/decision.ts";
import { act, deliver, dispatch, recover, reloadDuties, soundDuties } from "../../src/testing/simulator/executor.ts";
import type { Duties } from "../../src/testing/simulator/process.ts";
import type { Write } from "../../src/testing/simulator/store.ts";
import type { Decide } from "./altered.ts";

/** The number of open branches is kept in memory. */
export const joinCounterLost: Duties = {
  ...soundDuties,
  toDisk: (write, stored) => {
    const rows = write.decision.changes.rows.map((row) => {
      const before = stored?.rows.get(row.id)?.open;
      return row.open?.kind === "fork" && before?.kind === "fork" ? { ...row, open: before } : row;
    });
    return withDecision(write, { ...write.decision, changes: { ...write.decision.changes, rows } });
  },
};

function withDecision(write: Write, decision: Decision): Write {
  return { ...write, decision };
}

export const dispatchBeforeCommit: Duties = {
  ...soundDuties,
  afterDeciding: dispatch,
  afterCommit: (executor, batch) => {
    for (const { delivery, reply } of batch.replies) executor.observer.replied(delivery, reply);
  },
};

/** What is due is known to the process that set the alarm, and to no other. */
export const alarmInMemory: Duties = {
  ...soundDuties,
  atStart: (executor) => {
    recover(executor);
    executor.store.agenda.clear();
    executor.armedFor = null;
  },
};

/** Nobody looks for what ran under an older epoch; its timeout will come some day. */
export const noRecoveryScan: Duties = { ...soundDuties, atStart: reloadDuties };

export const readyForgotten: Duties = {
  ...soundDuties,
  atStart: (executor) => {
    recover(executor);
    executor.ready.clear();
  },
};

/** Only the batch that was refused is thrown away; the one behind it was decided on rows that never were. */
export const batchKept: Duties = {
  ...soundDuties,
  afterFailure: (executor) => {
    const failed = executor.inFlight.shift();
    executor.mailbox.unshift(...(failed?.deliveries ?? []));
  },
};

/** The batch is thrown away, but not what memory has learned from it. */
export const memoryKept: Duties = {
  ...soundDuties,
  afterFailure: (executor) => {
    const thrownAway = executor.inFlight.splice(0);
    executor.mailbox.unshift(...thrownAway.flatMap(({ deliveries }) => deliveries));
  },
};

const sendsLater = new WeakMap<Decision, readonly Send[]>();

const withoutSends: Decide = (plan, frontier, message, env) => {
  const decided = decide(plan, frontier, message, env);
  if (decided.kind === "need" || decided.sends.length === 0) return decided;
  const silent = { ...decided, sends: [] };
  sendsLater.set(silent, decided.sends);
  return silent;
};

/** What one run says to another goes out after the commit, and is gone when the process is. */
export const childOutsideCommit: Duties = {
  ...soundDuties,
  decide: withoutSends,
  afterCommit: (executor, batch) => {
    act(executor, batch);
    for (const { decision } of batch.writes) {
      for (const { to, message, workflow } of sendsLater.get(decision) ?? []) {
        const plan = workflow === null ? null : executor.library.named(workflow.name).plan;
        deliver(executor, { run: to, message, plan });
      }
    }
  },
};

/** The dispatcher admits what it has admitted before: the row was ready when it looked. */
export const calledTwice: Duties = {
  ...soundDuties,
  afterCommit: (executor, batch) => {
    act(executor, batch);
    if (executor.world.random.chance(0.05)) dispatch(executor, batch);
  },
};
