// A run begins: now, or at an instant that has been set for it.

import { objectFrom } from "../flow/json.ts";
import { patchRun, type Draft } from "./draft.ts";
import { enter } from "./enter.ts";
import type { Env } from "./env.ts";
import type { Message, StartMessage } from "./message.ts";
import type { Frontier, RunRow } from "./model.ts";

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
    data: null,
    seen: [],
  };
  return { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
}

export function startRun(draft: Draft, message: StartMessage): void {
  // The run is there already: the same start, decided twice.
  if (draft.base.run.version > 0) return;
  patchRun(draft, { version: 1, data: draft.plan.notation === "machine" ? message.input : null });
  draft.reply = { kind: "ok", value: message.run };
  if (message.at !== null && message.at > draft.env.now) patchRun(draft, { alarms: [{ kind: "start", at: message.at }] });
  else beginRun(draft);
}

/** Scheduled no longer: the first step is entered, and the run's own time begins. */
export function beginRun(draft: Draft): void {
  const { env, plan } = draft;
  const alarms = plan.timeoutMs === null ? [] : [{ kind: "run_timeout", at: env.now + plan.timeoutMs } as const];
  patchRun(draft, { status: "running", startedAt: env.now, alarms });
  enter(draft, plan.start, { scope: "", side: null, causedBy: null, via: "start", previous: { kind: "input" } });
}
