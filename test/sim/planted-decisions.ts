// Bugs in what is decided: wrappers around the real `decide`.

import { isArray, isObject, type Json } from "../../src/flow/json.ts";
import type { Plan } from "../../src/flow/plan.ts";
import { decide } from "../../src/run/decide.ts";
import type { Decision, Need } from "../../src/run/decision.ts";
import type { Env } from "../../src/run/env.ts";
import type { Message } from "../../src/run/message.ts";
import { hasEnded, isLive, type Frontier, type Row } from "../../src/run/model.ts";
import { altering, misreading, withChanges, withFrontierRows, withRows, withRun, type Decide } from "./altered.ts";

/** A result goes to whatever try of the step runs now, as in the seeds. */
export const noFence: Decide = (plan, frontier, message, env) => {
  const isResult = message.kind === "done" || message.kind === "failed";
  const live = isResult
    ? [...(frontier?.rows.values() ?? [])].find((row) => row.causedBy === message.row && row.token !== null)
    : undefined;
  const token = live?.token ?? null;
  if (!isResult || live === undefined || token === null) return decide(plan, frontier, message, env);
  return decide(plan, frontier, { ...message, row: live.id, token }, env);
};

/** A result of a try that was given up counts all the same. */
export const lateResultApplied: Decide = (plan, frontier, message, env) => {
  if (message.kind !== "done" || frontier === null || frontier.rows.has(message.row))
    return decide(plan, frontier, message, env);
  const need: Need = { kind: "row", row: message.row };
  const given = env.given(need);
  if (given === undefined) return { kind: "need", needs: [need] };
  const [row] = given;
  if (row === undefined || hasEnded(frontier.run)) return decide(plan, frontier, message, env);
  const revived: Row = { ...row, status: "running", token: message.token, completedAt: null, finishedNo: null };
  const run = { ...frontier.run, live: frontier.run.live + 1 };
  return decide(plan, { ...frontier, run, rows: new Map(frontier.rows).set(row.id, revived) }, message, env);
};

export const newKeyPerAttempt: Decide = altering((decision) =>
  withRows(decision, (row) =>
    row.via === "retry" && row.key !== null ? { ...row, key: `${row.key}:${row.attempt}` } : row,
  ),
);

export const argsComputedAgain: Decide = altering((decision, { env }) =>
  withRows(decision, (row) => {
    const isAgain = row.via === "retry" && isObject(row.args) && row.version === 1;
    return isAgain && isObject(row.args) ? { ...row, args: { ...row.args, at: env.now } } : row;
  }),
);

export const attemptsNotCounted: Decide = altering((decision) =>
  withRows(decision, (row) => (row.via === "retry" && row.version === 1 ? { ...row, attempt: row.attempt - 1 } : row)),
);

/** What goes on elsewhere is forgotten with our own process, and made anew. */
export const followedMadeAnew: Decide = altering((decision, { message }) =>
  message.kind === "lost" && message.reason === "crash"
    ? withRows(decision, (row) => (row.id === message.row ? { ...row, handle: null } : row))
    : decision,
);

/** Whoever says `ready` to a row that is running has it called again. */
export const doubleDispatch: Decide = altering((decision, { frontier, message }) => {
  const row = message.kind === "ready" ? frontier?.rows.get(message.row) : undefined;
  if (row?.status !== "running" || row.token === null || row.tool === null) return decision;
  const { id, token, tool, args, secrets, key } = row;
  const call = {
    row: id,
    token,
    tool,
    args,
    secrets,
    key: key ?? "",
    handle: null,
    timeoutMs: null,
    effect: "write",
  } as const;
  return { ...decision, calls: [...decision.calls, call] };
});

export const cancelForgetsPending: Decide = altering((decision, { frontier, message }) => {
  if (message.kind !== "cancel") return decision;
  const isForgotten = (row: Row): boolean =>
    row.status === "cancelled" && frontier?.rows.get(row.id)?.status === "pending";
  const forgotten = decision.changes.rows.find(isForgotten);
  return withChanges(decision, { rows: decision.changes.rows.filter((row) => row !== forgotten) });
});

/** The oldest is undone first. */
export const compensationOldestFirst: Decide = (plan, frontier, message, env) => {
  const missing: Need[] = [];
  // The row whose undoing ends with this message: on disk it is still to be undone.
  const undone = "row" in message ? frontier?.rows.get(message.row)?.serves : undefined;
  const oldest = (below: number | null): readonly Row[] | undefined => {
    const given = env.given({ kind: "undo", below });
    if (given === undefined) missing.push({ kind: "undo", below });
    const [row] = given ?? [];
    if (row === undefined) return given;
    const older = oldest(row.finishedNo ?? 0);
    if (older === undefined || older.length > 0) return older;
    return row.id === undone ? [] : [row];
  };
  const backwards = { ...env, given: (need: Need) => (need.kind === "undo" ? oldest(null) : env.given(need)) };
  const decided = decide(plan, frontier, message, backwards);
  if (missing.length > 0) return { kind: "need", needs: missing };
  return decided.kind === "need" ? decided : withoutUndoneTo(decided);
};

/** What has been undone is not remembered, and is undone once more. */
export const compensationForgotten: Decide = altering((decision, { frontier }) => {
  if (frontier?.run.ending?.phase !== "undo") return decision;
  return withRows(withoutUndoneTo(decision), (row) =>
    row.role !== "undo" && row.finishedNo !== null ? { ...row, isUndoable: true } : row,
  );
});

function withoutUndoneTo(decision: Decision): Decision {
  const { run } = decision.changes;
  if (run === null || run.ending === null) return decision;
  return withChanges(decision, { run: { ...run, ending: { ...run.ending, undoneTo: null } } });
}

/** Nobody has answered, so everybody agrees. */
export const expiryMeansYes: Decide = (plan, frontier, message, env) => {
  const gate = message.kind === "alarm" ? findExpired(frontier, env) : undefined;
  const step = gate === undefined ? undefined : plan.steps[gate.row.step];
  if (gate === undefined || step?.kind !== "gate") return decide(plan, frontier, message, env);
  const by = step.approvers?.[0]?.replace(/^user:/, "") ?? "nobody";
  const answer: Message = {
    kind: "answer",
    id: message.id,
    row: gate.row.id,
    by,
    via: null,
    outcome: "approved",
    data: null,
    comment: null,
    hash: null,
  };
  const decided = decide(plan, frontier, answer, env);
  const isRefused = decided.kind === "decision" && decided.reply.kind === "refused";
  return isRefused ? decide(plan, frontier, message, env) : decided;
};

function findExpired(frontier: Frontier | null, { now }: Env): { readonly row: Row } | undefined {
  const row = [...(frontier?.rows.values() ?? [])].find(({ alarms }) =>
    alarms.some(({ kind, at }) => kind === "expire" && at <= now),
  );
  return row === undefined ? undefined : { row };
}

/** The last item is never started. */
export const eachOffByOne: Decide = altering((decision, { frontier }) =>
  withRows(decision, (row) => {
    const isOpened = row.open?.kind === "each" && row.open.count > 1 && frontier?.rows.has(row.id) !== true;
    return isOpened && row.open?.kind === "each" ? { ...row, open: { ...row.open, count: row.open.count - 1 } } : row;
  }),
);

/** What is not waited for yet is thrown away. */
export const signalLost: Decide = altering((decision, { message }) =>
  message.kind === "signal" ? withChanges(decision, { signals: null }) : decision,
);

/** The join of a fork inside a fork, or of two forks at once, is entered twice. */
export const nestedJoinTwice: Decide = altering((decision, asked) => {
  const join = decision.changes.rows.find((row) => isJoin(row) && (row.scope !== "" || isCommon(asked.plan, row.step)));
  if (join === undefined) return decision;
  const doubled = withChanges(decision, { rows: [...decision.changes.rows, { ...join, id: asked.env.newId() }] });
  return withRun(doubled, asked, ({ live, rowCount }) => ({ live: live + 1, rowCount: rowCount + 1 }));
});

function isJoin(row: Row): boolean {
  return row.via === "join" && row.version === 1 && isLive(row);
}

function isCommon({ steps }: Plan, join: string): boolean {
  return (
    Object.values(steps).filter(({ transition }) => transition.kind === "fork" && transition.join === join).length > 1
  );
}

/** Every arrival is the last one. */
export const joinAtFirstArrival: Decide = (plan, frontier, message, env) => {
  if (frontier === null) return decide(plan, frontier, message, env);
  const hasty = withFrontierRows(frontier, (row) =>
    row.open?.kind === "fork" ? { ...row, open: { ...row.open, open: 1 } } : row,
  );
  return decide(plan, hasty, message, env);
};

/** Messages are not remembered, so the second of two counts as well. */
export const messagesForgotten: Decide = (plan, frontier, message, env) =>
  decide(plan, frontier === null ? null : { ...frontier, run: { ...frontier.run, seen: [] } }, message, env);

/** What follows in a paused run goes on. */
export const pauseDoesNotHold: Decide = (plan, frontier, message, env) => {
  const isHeld = frontier?.run.status === "paused" && ["done", "answer", "signal", "child"].includes(message.kind);
  if (frontier === null || !isHeld) return decide(plan, frontier, message, env);
  const asked = { plan, frontier: { ...frontier, run: { ...frontier.run, status: "running" as const } }, message, env };
  const decided = decide(plan, asked.frontier, message, env);
  if (decided.kind === "need" || decided.changes.run?.status !== "running") return decided;
  return withRun(decided, asked, () => ({ status: "paused" }));
};

/** A write of which nobody knows whether it happened is just called again. */
export const unknownRetried: Decide = misreading((step) =>
  step.kind === "tool" ? { ...step, onUnknown: "retry" } : step,
);

/** A clock of its own, which is fast. */
export const alarmsEarly: Decide = (plan, frontier, message, env) => {
  const isAlarm = message.kind === "alarm";
  return decide(plan, frontier, message, isAlarm ? { ...env, now: env.now + 60_000 } : env);
};

/** However few may run at once, all items start. */
export const concurrencyIgnored: Decide = misreading((step) => {
  const isEach = (step.kind === "tool" || step.kind === "flow") && step.each !== null;
  return isEach && step.each !== null ? { ...step, each: { ...step.each, concurrency: 1000 } } : step;
});

/** A sub-run goes on although its step has been given up. */
export const childOutlivesParent: Decide = altering((decision) => ({
  ...decision,
  sends: decision.sends.filter(({ message }) => message.kind !== "cancel"),
}));

export const lateResultNotTold: Decide = altering((decision) =>
  withChanges(decision, { events: decision.changes.events.filter(({ kind }) => kind !== "late_result") }),
);

/** What one branch has done is seen by all. */
export const siblingsSeen: Decide = altering((decision) => {
  const { scopes } = decision.changes;
  const outside = scopes.flatMap((change) => (change.kind === "set" ? [{ ...change, scope: "" }] : []));
  return withChanges(decision, { scopes: [...scopes, ...outside] });
});

/** A try that crashes the engine each time is tried for ever. */
export const poisonNotNoticed: Decide = (plan, frontier, message, env) => {
  if (frontier === null) return decide(plan, frontier, message, env);
  return decide(
    plan,
    withFrontierRows(frontier, (row) => ({ ...row, interruptions: 0 })),
    message,
    env,
  );
};

/** Somebody says `resume` to a run that is over, and it goes on. */
export const endedRunResumed: Decide = altering((decision, asked) => {
  const isOver = asked.frontier !== null && hasEnded(asked.frontier.run);
  if (!isOver || asked.message.kind !== "resume") return decision;
  return withRun(decision, asked, () => ({ status: "running", terminalKind: null, completedAt: null }));
});

/** One person who answers twice counts as two. */
export const samePersonTwice: Decide = (plan, frontier, message, env) => {
  if (frontier === null || (message.kind !== "answer" && message.kind !== "ready"))
    return decide(plan, frontier, message, env);
  const renamed = withFrontierRows(frontier, (row) => {
    const answers = (row.gate?.answers ?? []).map((answer) => ({ ...answer, by: `${answer.by} before` }));
    return row.gate === null ? row : { ...row, gate: { ...row.gate, answers } };
  });
  return decide(plan, renamed, message, env);
};

/** An each tells of what it has at hand, in the order in which items ended. */
export const eachResultShort: Decide = altering((decision) =>
  withRows(decision, (row) => {
    const isEach =
      row.role === "step" &&
      row.status === "done" &&
      isArray(row.result) &&
      row.completedAt !== null &&
      row.startedAt !== null;
    return isEach ? { ...row, result: withoutLast(row.result) } : row;
  }),
);

function withoutLast(value: Json | null): Json {
  return isArray(value) ? value.slice(0, -1) : value;
}

/** Nothing is taken over from the run before, although its keys are. */
export const doneAgain: Decide = (plan, frontier, message, env) => {
  if (message.kind !== "start" || message.again === null) return decide(plan, frontier, message, env);
  return decide(plan, frontier, { ...message, again: { ...message.again, recorded: [] } }, env);
};

/** What was called by the run before is called under another key. */
export const newKeysPerRun: Decide = (plan, frontier, message, env) => {
  if (message.kind !== "start" || message.again === null) return decide(plan, frontier, message, env);
  return decide(plan, frontier, { ...message, again: { ...message.again, keys: null } }, env);
};
