// What waits for a person, and with which answers it goes on: as words to type, or as requests to send. Pure.

import { own } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { isAtCrossroads, isOpenGate, needsPerson } from "../engine/doing.ts";
import { hasEnded, isLive, type Row, type RunRow } from "../run/model.ts";
import type { BriefRow } from "../store/brief.ts";
import type { ActionDocument, WaitKind } from "./contract/inbox.ts";

/** With as much of the row as was given. */
export type WaitingItem<Known extends BriefRow = Row> = {
  readonly kind: WaitKind;
  /** null: the run as a whole. */
  readonly row: Known | null;
  readonly since: number;
  /** What is asked, or what has happened, in one line. */
  readonly title: string;
  readonly answers: readonly Answer[];
};

export type Answer = {
  readonly verb: "approve" | "reject" | "answer" | "resolve" | "choose" | "skip" | "fire" | "resume" | "cancel";
  /** Of the step, or of the run where that is asked. */
  readonly id: number;
  readonly word: string | null;
};

/** What to type, without `stepwell`. */
export function showAnswer({ verb, id, word }: Answer): string {
  return word === null ? `${verb} ${id}` : `${verb} ${id} ${word}`;
}

/** `hash` says what was shown; should something else be asked by then, the answer is refused. */
export function toAction({ verb, id, word }: Answer, hash: string | null): ActionDocument {
  const path = `/api/workflow/${id}`;
  const shown = hash === null ? {} : { hash };
  switch (verb) {
    case "cancel":
      return { method: "DELETE", path, body: null };
    case "resume":
    case "skip":
      return { method: "POST", path: `${path}/${verb}`, body: null };
    case "approve":
    case "reject":
      return { method: "POST", path: `${path}/${verb}`, body: shown };
    case "answer":
      return { method: "POST", path: `${path}/${verb}`, body: { outcome: word, ...shown } };
    case "resolve":
      return { method: "POST", path: `${path}/${verb}`, body: { how: word } };
    case "choose":
      return { method: "POST", path: `${path}/${verb}`, body: { step: word === "end" ? null : word } };
    case "fire":
      return { method: "POST", path: `${path}/${verb}`, body: { transition: word } };
  }
}

function answerWith(verb: Answer["verb"], id: number, word: string | null = null): Answer {
  return { verb, id, word };
}

/** A machine rests in it until somebody fires one of these transitions; empty: it is none. */
export function transitionsOf(row: BriefRow, plan: Plan | null): readonly string[] {
  const step = plan === null ? undefined : own(plan.steps, row.step);
  if (step?.kind !== "state" || row.status !== "pending" || row.firing !== null) return [];
  return step.transitions.filter(({ afterMs }) => afterMs === null).map(({ name }) => name);
}

/** In the order in which they were made; without the plan, the states of machines are not known. */
export function listWaiting<Known extends BriefRow>(
  run: RunRow,
  rows: readonly Known[],
  plan: Plan | null,
): readonly WaitingItem<Known>[] {
  if (hasEnded(run)) return [];
  const probed = new Set(rows.filter((row) => row.role === "probe" && isLive(row)).map((row) => row.serves));
  const items = rows.flatMap((row) => {
    if (needsPerson(row)) return probed.has(row.id) ? [] : [toItem(row, plan)];
    const names = transitionsOf(row, plan);
    return names.length === 0 ? [] : [toState(run, row, names)];
  });
  return [...(run.attention?.row === null ? [toPoisoned(run)] : []), ...items];
}

function toPoisoned(run: RunRow): WaitingItem<never> {
  const told = run.attention?.value;
  return {
    kind: "poison",
    row: null,
    since: run.startedAt ?? run.createdAt,
    title: `What it led to cannot be written${typeof told === "string" ? `: ${told}` : ""}`,
    answers: [answerWith("resume", run.id), answerWith("cancel", run.id)],
  };
}

function toState<Known extends BriefRow>(run: RunRow, row: Known, names: readonly string[]): WaitingItem<Known> {
  const answers = names.map((name) => answerWith("fire", run.id, name));
  return { kind: "state", row, since: row.createdAt, title: `"${row.name}" waits for a transition`, answers };
}

function toItem<Known extends BriefRow>(row: Known, plan: Plan | null): WaitingItem<Known> {
  const { id, name } = row;
  const since = row.startedAt ?? row.readyAt ?? row.createdAt;
  if (isOpenGate(row)) {
    return {
      kind: "gate",
      row,
      since,
      title: row.gate?.title ?? `"${name}" waits for an answer`,
      answers: gateAnswers(row, plan),
    };
  }
  if (row.status === "uncertain") {
    const title = `Nobody knows whether "${name}" happened${row.error === null ? "" : `: ${row.error.message}`}`;
    return {
      kind: "uncertain",
      row,
      since,
      title,
      answers: [
        answerWith("resolve", id, "done"),
        answerWith("resolve", id, "retry"),
        answerWith("resolve", id, "failed"),
      ],
    };
  }
  if (isAtCrossroads(row)) {
    const title = `Nothing says what follows "${name}"`;
    return {
      kind: "no_branch_matched",
      row,
      since: row.completedAt ?? since,
      title,
      answers: [answerWith("choose", id, "STEP"), answerWith("choose", id, "end")],
    };
  }
  if (row.role === "undo") {
    const title = `"${name}" could not be undone${row.error === null ? "" : `: ${row.error.message}`}`;
    return {
      kind: "compensation_failed",
      row,
      since: row.completedAt ?? since,
      title,
      answers: [answerWith("resolve", id, "retry"), answerWith("skip", id)],
    };
  }
  if (row.error?.code === "tool_changed") {
    const answers = [answerWith("resolve", id, "retry"), answerWith("skip", id)];
    return { kind: "tool_changed", row, since, title: `"${name}" was not called: ${row.error.message}`, answers };
  }
  const title = `"${name}" was cut off ${row.interruptions} times`;
  return { kind: "poison", row, since, title, answers: [answerWith("resolve", id, "retry"), answerWith("skip", id)] };
}

/** Yes and no, and every other way out that the flow names for a person. */
function gateAnswers({ id, step }: BriefRow, plan: Plan | null): readonly Answer[] {
  const found = plan === null ? undefined : own(plan.steps, step);
  const notForPeople = new Set(["approved", "rejected", "expired", "error", "timeout"]);
  const others = Object.keys(found?.routes ?? {}).filter((outcome) => !notForPeople.has(outcome));
  return [
    answerWith("approve", id),
    answerWith("reject", id),
    ...others.map((outcome) => answerWith("answer", id, outcome)),
  ];
}
