// Waits for a run as a person does: until it ends, the time is up, it needs a person, or Ctrl+C. Says how it ended, or how
// to go on.

import { toPlainText } from "../flow/draw/text.ts";
import type { JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { hasEnded, isLive, type Row, type RunId, type RunRow } from "../run/model.ts";
import { askYesNo, canAsk } from "./ask.ts";
import type { Call } from "./command.ts";
import { endedExitCodes } from "./exit-codes.ts";
import { followRun, type Followed } from "./follow-run.ts";
import type { FollowedRun } from "./followed-run.ts";
import { createInterrupts } from "./interrupts.ts";
import { toPlainLines } from "./plain-lines.ts";
import { commandOn } from "./program.ts";
import { toWholeDocument } from "../server/document/run.ts";
import type { Screen } from "./screen.ts";
import type { Session } from "./session.ts";
import { interruptedExitCode, onSignals, type StopSignal } from "./signals.ts";
import { isOpenGate, needsPerson } from "../engine/doing.ts";
import { transitionsOf } from "../server/waiting.ts";

export type Waiting = Pick<Call, "values" | "out" | "surroundings"> & {
  readonly session: Session;
  readonly run: RunId;
  readonly plan: Plan | null;
  readonly screen: Screen;
  readonly timeoutMs: number | undefined;
  /** Do not wait for people. */
  readonly exitOnWait: boolean;
};

/** Why nobody waits any longer. */
type Reason =
  | { readonly kind: "timeout" }
  | { readonly kind: "person" }
  | { readonly kind: "signal"; readonly signal: StopSignal };

export async function waitForRun(waiting: Waiting): Promise<number> {
  const { session, run, plan, screen, timeoutMs } = waiting;
  const controller = new AbortController();
  const left: { reason: Reason } = { reason: { kind: "timeout" } };
  const leave = (reason: Reason): void => {
    left.reason = reason;
    controller.abort();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => leave({ kind: "timeout" }), timeoutMs);
  using interrupts = interruptsOf(waiting, (signal) => leave({ kind: "signal", signal }));
  using _ = onSignals(interrupts.receive);
  const tellGates = createGateTeller(waiting);
  const seen = (followed: FollowedRun): void => {
    tellGates(followed);
    if (waiting.exitOnWait && onlyPeopleCanGoOn(followed)) leave({ kind: "person" });
  };
  try {
    const followed = await followRun({ engine: session.engine, run, plan, screen, signal: controller.signal, seen });
    return hasEnded(followed.run) ? tellEnd(followed, waiting) : await tellLeft(left.reason, followed, waiting);
  } finally {
    clearTimeout(timer);
  }
}

function interruptsOf(waiting: Waiting, leave: (signal: StopSignal) => void): ReturnType<typeof createInterrupts> {
  const { session, run, screen } = waiting;
  const question = new AbortController();
  return createInterrupts({
    canAsk: canAsk(waiting),
    say: screen.say,
    leave: (signal) => {
      question.abort();
      leave(signal);
    },
    ask: async () => {
      const proceed = screen.rest();
      try {
        return await askYesNo(`Cancel run ${run}?`, question.signal);
      } finally {
        proceed();
      }
    },
    cancel: () => session.engine.cancel(run, { by: session.user, reason: "Ctrl+C" }),
    end: () => process.exit(interruptedExitCode),
  });
}

/** Nothing is under way, nothing is due by itself: it stands still until somebody says something. */
function onlyPeopleCanGoOn({ run, rows, plan }: FollowedRun): boolean {
  if (run.attention !== null && run.attention.row === null) return true;
  const live = rows.filter((row) => isLive(row) && row.open === null);
  // A deadline may come first, of a gate as of a state; until then it waits for somebody.
  return live.length > 0 && live.every((row) => needsPerson(row) || transitionsOf(row, plan).length > 0);
}

function tellEnd(followed: Followed, { screen, out, surroundings }: Waiting): number {
  const { run } = followed;
  screen.settle();
  if (out.isJson) out.write(toFinal(followed, out.isJsonl));
  else if (out.isQuiet) out.print(String(run.id));
  else if (run.status === "completed" && run.output !== null) {
    const text = typeof run.output === "string" ? run.output : JSON.stringify(run.output, null, 2);
    // A program gets it as it is; a terminal must not be steered by what a tool has answered.
    out.print(surroundings.stdout.isTTY === true ? toPlainLines(text).join("\n") : text);
  }
  if (run.status === "failed")
    screen.say(`error: run ${run.id} failed: ${toPlainText(run.error?.message ?? "no reason is known")}`);
  if (run.status === "cancelled") screen.say(`run ${run.id} was cancelled`);
  return exitCodeOf(run);
}

function toFinal(followed: Followed, isStream: boolean): JsonObject {
  const document = toWholeDocument(followed);
  return isStream ? { type: "result", ...document } : document;
}

function exitCodeOf({ status }: RunRow): number {
  switch (status) {
    case "failed":
      return endedExitCodes.failed;
    case "cancelled":
      return endedExitCodes.cancelled;
    case "completed":
    case "scheduled":
    case "running":
    case "paused":
      return endedExitCodes.ok;
  }
}

/** A guest just goes; the owner lets what is being done come to its end, since nobody else works on the file. */
async function tellLeft(reason: Reason, followed: Followed, waiting: Waiting): Promise<number> {
  const { run, rows } = followed;
  const { session, screen, out } = waiting;
  const { engine, store } = session;
  screen.settle();
  if (reason.kind === "timeout") screen.say(`The time is up; run ${run.id} is not over.`);
  if (reason.kind === "person") screen.say(`Run ${run.id} waits for a person: ${commandOn(store, "inbox")}`);
  if (engine.isOwner) {
    const calls = rows.filter((row) => row.status === "running" && row.tool !== null).length;
    if (calls > 0) screen.say(`Stopping: ${calls} under way may finish. Ctrl+C again stops at once; nothing is lost.`);
    await session.stop();
    screen.say(`Run ${run.id} is on disk and goes on with: ${commandOn(store, `watch ${run.id}`)}`);
  } else {
    screen.say(`Run ${run.id} goes on in the process that runs ${store}.`);
    screen.say(`Look again: ${commandOn(store, `watch ${run.id}`)}; stop it: ${commandOn(store, `cancel ${run.id}`)}`);
  }
  if (out.isJson) out.write(toFinal(followed, out.isJsonl));
  else if (out.isQuiet) out.print(String(run.id));
  return leftExitCode(reason);
}

function leftExitCode(reason: Reason): number {
  switch (reason.kind) {
    case "timeout":
      return endedExitCodes.timedOut;
    case "person":
      return endedExitCodes.waiting;
    case "signal":
      return reason.signal === "SIGTERM" ? endedExitCodes.ok : endedExitCodes.interrupted;
  }
}

/** Says once for each gate how to answer it. */
function createGateTeller({ screen, session, out }: Waiting): (followed: FollowedRun) => void {
  const told = new Set<number>();
  const tell = (row: Row): void => {
    if (told.has(row.id) || !isOpenGate(row)) return;
    told.add(row.id);
    screen.say(
      `"${toPlainText(row.name)}" waits for an answer: ${commandOn(session.store, `approve ${row.id}`)} (or reject)`,
    );
  };
  return ({ rows }) => {
    if (!out.isJson) for (const row of rows) tell(row);
  };
}
