// What is worth saying about one visit of a step, in a few words.

import type { PlanStep } from "../flow/plan.ts";
import { hasEnded, type Alarm, type Failure, type Row } from "../run/model.ts";
import type { FollowedRun, Visit } from "./followed-run.ts";
import type { Sign } from "./sign.ts";
import { showDuration } from "./time.ts";

export function signOf(row: Row, step: PlanStep | undefined): Sign {
  switch (row.status) {
    case "done":
      return row.isHeld ? "asking" : "done";
    case "pending":
      if (row.alarms.some(({ kind }) => kind === "retry")) return "retry";
      return row.gate !== null || step?.kind === "state" ? "asking" : "waiting";
    case "ready":
      return "next";
    case "uncertain":
      return "unknown";
    case "running":
    case "failed":
    case "skipped":
    case "cancelled":
      return row.status;
  }
}

type Surroundings = { readonly step: PlanStep | undefined; readonly followed: FollowedRun; readonly now: number };

export function noteOf({ rows, newest: row }: Visit, { step, followed, now }: Surroundings): string {
  switch (row.status) {
    case "done":
      return sentence([timeOf(row, now), triesOf(row), itemsOf(row, followed), wayOut(row)]);
    case "failed":
      return sentence([triesOf(row), textOfFailure(row.error)]);
    case "running":
      return sentence([
        timeOf(row, now),
        triesOf(row, step),
        progressOf(row, followed),
        itemsOf(row, followed),
        childOf(row),
      ]);
    case "pending":
      return waitOf(row, { step, rows, now });
    case "uncertain":
      return "nobody knows whether it happened; a person must say";
    case "skipped":
      return sentence(["skipped", textOfFailure(row.error)]);
    case "ready":
    case "cancelled":
      return hasEnded(followed.run) ? row.status : "";
  }
}

function sentence(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function timeOf({ startedAt, completedAt }: Row, now: number): string {
  if (startedAt === null || (completedAt === null && now <= startedAt)) return "";
  return showDuration(Math.max(0, (completedAt ?? now) - startedAt));
}

/** `try 2 of 4`; the first one is no news. */
function triesOf(row: Row, step?: PlanStep): string {
  if (row.attempt < 2) return "";
  return step?.kind === "tool" ? `try ${row.attempt} of ${step.retry.attempts}` : `try ${row.attempt}`;
}

/** `40 %, reading` */
function progressOf({ id }: Row, { progress }: FollowedRun): string {
  const { fraction = null, message = null } = progress?.get(id) ?? {};
  return sentence([fraction === null ? "" : `${Math.floor(fraction * 100)} %`, message ?? ""]);
}

function itemsOf(row: Row, { rows }: FollowedRun): string {
  if (row.open?.kind === "each") {
    const { ended, count, failed } = row.open;
    return `${ended} of ${count} items${failed === 0 ? "" : `, ${failed} failed`}`;
  }
  const items = new Set(rows.flatMap((item) => (item.role === "item" && item.serves === row.id ? [item.index] : [])));
  return items.size === 0 ? "" : `${items.size} items`;
}

function childOf({ childRun }: Row): string {
  return childRun === null ? "" : `run ${childRun}`;
}

function wayOut(row: Row): string {
  if (row.isHeld) return "nothing matches; a person must choose what follows";
  return row.outcome === null || row.outcome === "success" ? "" : `-> ${row.outcome}`;
}

function textOfFailure(error: Failure | null): string {
  return error === null ? "" : `${error.message} (${error.code})`;
}

type Waiting = { readonly step: PlanStep | undefined; readonly rows: readonly Row[]; readonly now: number };

function waitOf(row: Row, { step, rows, now }: Waiting): string {
  const retry = alarmOf(row, "retry");
  if (retry !== undefined) {
    const last = rows.findLast((other) => other.id !== row.id)?.error ?? null;
    return sentence([`${triesOf(row, step)} ${remaining(retry, now)}`, textOfFailure(last)]);
  }
  const sleep = alarmOf(row, "sleep");
  if (sleep !== undefined) return `goes on ${remaining(sleep, now)}`;
  if (row.gate !== null) return row.gate.title ?? "waits for an answer";
  if (step?.kind === "state") return `waits for: ${step.transitions.map(({ name }) => name).join(", ")}`;
  if (step?.kind === "wait" && step.wait.kind === "event") return `waits for the event ${step.wait.event}`;
  return "waits";
}

function alarmOf(row: Row, kind: Alarm["kind"]): Alarm | undefined {
  return row.alarms.find((alarm) => alarm.kind === kind);
}

function remaining({ at }: Alarm, now: number): string {
  return at <= now ? "now" : `in ${showDuration(Math.ceil((at - now) / 1000) * 1000)}`;
}
