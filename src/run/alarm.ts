// Something is due. The alarm itself says nothing: what is due is in the rows, and firing it twice finds nothing left.

import { isPoisoned } from "./attention.ts";
import { findRow, patchRun, type Draft } from "./draft.ts";
import { failRun } from "./ending.ts";
import { rest, tryAgain } from "./enter.ts";
import { endAs } from "./finish.ts";
import { fireGateAlarm } from "./gate.ts";
import { fireStateAlarm } from "./machine.ts";
import type { Alarm, Row } from "./model.ts";
import { beginRun } from "./start.ts";
import { timeOutChild } from "./subflow.ts";
import { loseCall } from "./tool.ts";
import { endSleep } from "./wait.ts";

export function fireAlarms(draft: Draft): void {
  const { run, env, base } = draft;
  if (isPoisoned(run)) return;
  const isDue = (alarm: Alarm): boolean => alarm.at <= env.now;
  // A pause holds everything but the run's own limit; what came due fires when it ends.
  for (const alarm of run.alarms.filter(isDue)) fireRunAlarm(draft, alarm);
  if (draft.run.status !== "running") return;
  const due = [...base.rows.values()].filter((row) => row.alarms.some(isDue));
  for (const { id, alarms } of due) {
    for (const alarm of alarms.filter(isDue).toSorted((one, other) => one.at - other.at)) {
      const row = findRow(draft, id);
      // One alarm may have ended what another one waited for.
      if (row?.alarms.includes(alarm) === true) fireRowAlarm(draft, row, alarm);
    }
  }
}

function fireRunAlarm(draft: Draft, alarm: Alarm): void {
  patchRun(draft, { alarms: draft.run.alarms.filter((other) => other !== alarm) });
  if (draft.run.ending !== null) return;
  if (alarm.kind === "start") return beginRun(draft);
  failRun(draft, { code: "run_timeout", message: "The run took longer than it may." });
  // A run that is paused ends without a further word, too.
  patchRun(draft, { status: "running" });
}

function fireRowAlarm(draft: Draft, row: Row, alarm: Alarm): void {
  switch (alarm.kind) {
    case "retry":
      return tryAgain(draft, row);
    case "sleep":
      return endSleep(draft, row);
    case "timeout":
      return timeOut(draft, row);
    case "remind":
    case "escalate":
    case "expire":
      return fireGateAlarm(draft, row, alarm);
    case "start":
    case "run_timeout":
      // The run's own, which stands on its first row as well so that people see what it waits for.
      return undefined;
    default:
      return fireStateAlarm(draft, row, alarm);
  }
}

/** A call that took too long may have happened; a gate, a wait or a sub-flow just ends so. */
function timeOut(draft: Draft, row: Row): void {
  if (row.tool !== null) {
    if (row.token !== null) draft.aborts.push(row.token);
    return loseCall(draft, row, { reason: "timeout" });
  }
  if (row.childRun !== null) return timeOutChild(draft, row);
  rest(draft);
  endAs(draft, row, { outcome: "timeout", result: null, message: `"${row.name}" waited longer than it may.` });
}
