// A run begins: now, or at an instant that has been set for it.

import { objectFrom } from "../flow/json.ts";
import { liveRows, patchRun, putRow, type Draft } from "./draft.ts";
import { beginVisit, makeReady, makeVisit } from "./enter.ts";
import type { Env } from "./env.ts";
import type { Message, StartMessage } from "./message.ts";
import type { Frontier, RunRow } from "./model.ts";
import { recall } from "./recall.ts";

/** A run before its first message; any other message finds it ended, and changes nothing. */
export function emptyFrontier(message: Message, env: Env): Frontier {
  const start = message.kind === "start" ? message : null;
  const run: RunRow = {
    id: start?.run ?? 0,
    uid: start?.uid ?? "",
    name: start?.name ?? "",
    status: start === null ? "cancelled" : "scheduled",
    version: 0,
    input: start?.input ?? objectFrom([]),
    createdBy: start?.by ?? "",
    createdVia: start?.via ?? null,
    createdAt: env.now,
    startedAt: null,
    completedAt: null,
    cancelledAt: null,
    terminalKind: null,
    output: null,
    error: null,
    attention: null,
    ending: null,
    alarms: [],
    live: 0,
    rowCount: 0,
    finishedCount: 0,
    restCount: 0,
    endedCount: 0,
    parent: start?.parent ?? null,
    origin: start?.again?.origin ?? null,
    keys: start?.again?.keys ?? null,
    data: null,
    seen: start?.asked === undefined ? [] : [start.asked],
  };
  return { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
}

export function startRun(draft: Draft, message: StartMessage): void {
  draft.reply = { kind: "ok", value: message.run };
  // The run is there already: the same start, decided twice.
  if (draft.base.run.version > 0) return;
  const { env, plan } = draft;
  patchRun(draft, { version: 1, data: plan.notation === "machine" ? message.input : null });
  if (message.again !== null) recall(draft, message.again.recorded);
  const row = makeVisit(draft, plan.start, {
    scope: "",
    side: null,
    causedBy: null,
    via: "start",
    previous: { kind: "input" },
  });
  // What was done is taken over now; a run that goes on from there is not scheduled.
  if (message.again !== null || message.at === null || message.at <= env.now) return beginRun(draft);
  const alarms = [{ kind: "start", at: message.at } as const];
  patchRun(draft, { alarms });
  if (row !== undefined) putRow(draft, { ...row, status: "pending", readyAt: null, alarms });
}

/** Scheduled no longer: the first step begins, and with it the run's own time. */
export function beginRun(draft: Draft): void {
  const { env, plan } = draft;
  const alarms = plan.timeoutMs === null ? [] : [{ kind: "run_timeout", at: env.now + plan.timeoutMs } as const];
  // Whoever says "now" to a run that could not be written has looked at it.
  patchRun(draft, { status: "running", startedAt: env.now, alarms, attention: null });
  for (const row of liveRows(draft)) beginVisit(draft, makeReady(draft, row));
}
