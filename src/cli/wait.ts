// Waits for a run as a person does: until it ends, the time is up, or Ctrl+C. Says how it ended, or how to go on.

import { toPlainText } from "../flow/draw/text.ts";
import type { Plan } from "../flow/plan.ts";
import { hasEnded, isLive, type Row, type RunId, type RunRow, type RunStatus } from "../run/model.ts";
import { followRun } from "./follow-run.ts";
import type { FollowedRun } from "./followed-run.ts";
import { commandOf } from "./program.ts";
import { toRunDocument } from "./run-document.ts";
import type { Screen } from "./screen.ts";
import type { Session } from "./session.ts";
import { interruptedExitCode, onStopSignal, type StopSignal } from "./signals.ts";

export type Waiting = {
  readonly session: Session;
  readonly run: RunId;
  readonly plan: Plan | null;
  readonly screen: Screen;
  readonly values: { readonly json: boolean; readonly jsonl: boolean };
  readonly timeoutMs: number | undefined;
};

/** Why nobody waits any longer. */
type Reason = { readonly kind: "timeout" } | { readonly kind: "signal"; readonly signal: StopSignal };

const timedOutExitCode = 8;

export async function waitForRun(waiting: Waiting): Promise<number> {
  const { session, run, plan, screen, timeoutMs } = waiting;
  const controller = new AbortController();
  const left: { reason: Reason } = { reason: { kind: "timeout" } };
  const leave = (reason: Reason): void => {
    left.reason = reason;
    controller.abort();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => leave({ kind: "timeout" }), timeoutMs);
  using _ = onStopSignal((signal) => leave({ kind: "signal", signal }));
  const seen = tellGates(waiting);
  try {
    const followed = await followRun({ engine: session.engine, run, plan, screen, signal: controller.signal, seen });
    return hasEnded(followed.run) ? tellEnd(followed.run, waiting) : await tellLeft(left.reason, followed, waiting);
  } finally {
    clearTimeout(timer);
  }
}

function tellEnd(run: RunRow, { screen, values }: Waiting): number {
  screen.settle();
  if (values.json || values.jsonl) {
    const document = toRunDocument(run);
    process.stdout.write(`${JSON.stringify(values.jsonl ? { type: "result", ...document } : document)}\n`);
  } else if (run.status === "completed" && run.output !== null) {
    const text = typeof run.output === "string" ? run.output : JSON.stringify(run.output, null, 2);
    // A program gets it as it is; a terminal must not be steered by what a tool has answered.
    process.stdout.write(`${process.stdout.isTTY ? text.split("\n").map(toPlainText).join("\n") : text}\n`);
  }
  if (run.status === "failed")
    screen.say(`error: run ${run.id} failed: ${toPlainText(run.error?.message ?? "no reason is known")}`);
  if (run.status === "cancelled") screen.say(`run ${run.id} was cancelled`);
  return exitCodeOf(run.status);
}

function exitCodeOf(status: RunStatus): number {
  switch (status) {
    case "failed":
      return 1;
    case "cancelled":
      return 7;
    case "completed":
    case "scheduled":
    case "running":
    case "paused":
      return 0;
  }
}

/** A guest just goes; the owner lets what is being done come to its end, since nobody else works on the file. */
async function tellLeft(
  reason: Reason,
  { run, rows }: FollowedRun,
  { session, screen, values }: Waiting,
): Promise<number> {
  const { engine, store } = session;
  screen.settle();
  if (reason.kind === "timeout") screen.say(`The time is up; run ${run.id} is not over.`);
  if (engine.isOwner) {
    const calls = rows.filter((row) => row.status === "running" && row.tool !== null).length;
    if (calls > 0) screen.say(`Stopping: ${calls} under way may finish. Ctrl+C again stops at once; nothing is lost.`);
    await engine.stop();
    screen.say(`Run ${run.id} is on disk and goes on with: ${commandOf(`watch ${run.id} --store ${store}`)}`);
  } else {
    screen.say(`Run ${run.id} goes on in the process that runs ${store}.`);
    screen.say(
      `Look again: ${commandOf(`watch ${run.id} --store ${store}`)}; stop it: ${commandOf(`cancel ${run.id} --store ${store}`)}`,
    );
  }
  if (values.json || values.jsonl) process.stdout.write(`${JSON.stringify(toRunDocument(run))}\n`);
  if (reason.kind === "timeout") return timedOutExitCode;
  return reason.signal === "SIGTERM" ? 0 : interruptedExitCode;
}

/** Says once for each gate how to answer it. */
function tellGates({ screen, session, values }: Waiting): (followed: FollowedRun) => void {
  const told = new Set<number>();
  return ({ rows }) => {
    if (values.json || values.jsonl) return;
    for (const row of rows) {
      if (told.has(row.id) || !isOpenGate(row)) continue;
      told.add(row.id);
      screen.say(
        `"${toPlainText(row.name)}" waits for an answer: ${commandOf(`approve ${row.id} --store ${session.store}`)} (or reject)`,
      );
    }
  };
}

export function isOpenGate(row: Row): boolean {
  return row.gate !== null && row.status === "pending" && isLive(row);
}
