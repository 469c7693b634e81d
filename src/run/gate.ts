// A gate waits for people. What they see is rendered once, when it opens; silence never means yes.

import { hashOf } from "../flow/hash.ts";
import { own } from "../flow/json.ts";
import type { Call, GateStep, OutcomeName, PlanStep } from "../flow/plan.ts";
import type { Template } from "../flow/template/template.ts";
import { checkAnswerData } from "../flow/validate/input.ts";
import { putRow, refuse, refuseIfEnded, requireRow, stepOf, tell, type Draft } from "./draft.ts";
import { rest, tryAgain } from "./enter.ts";
import { failForGood } from "./fail.ts";
import { endAs, reservedOutcomes, succeedAs } from "./finish.ts";
import type { AnswerMessage, MessageOf } from "./message.ts";
import type { Alarm, AlarmKind, Answer, Failure, GateState, Row } from "./model.ts";
import { goTo } from "./path.ts";
import { causedBeside, causedBy, makeRow, ownKey } from "./row.ts";
import { beginRun } from "./start.ts";
import { computeTemplate } from "./values.ts";
import { endSleep } from "./wait.ts";

const remindersMax = 10;
/** What is wrong with a form, at once. */
const toldMax = 10;

export function openGate(draft: Draft, row: Row, step: GateStep): void {
  const title = render(draft, row, step.title);
  const message = render(draft, row, step.message);
  const warnings = [...row.warnings, ...title.warnings, ...message.warnings];
  const error = title.error ?? message.error;
  if (error !== null) return failForGood(draft, { ...row, warnings }, error);
  const hash = hashOf({ title: title.text, message: message.text, form: step.form });
  const gate = { title: title.text, message: message.text, hash, answers: [], reminders: 0 };
  const { now } = draft.env;
  const alarms = alarmsOf(step, now);
  const opened = putRow(draft, { ...row, status: "pending", readyAt: null, startedAt: now, warnings, alarms, gate });
  if (step.notify !== null) notify(draft, opened, step.notify, "notify");
}

type Rendered = { readonly text: string | null; readonly warnings: readonly string[]; readonly error: Failure | null };

function render(draft: Draft, row: Row, template: Template | null): Rendered {
  if (template === null) return { text: null, warnings: [], error: null };
  const { value, warnings, error } = computeTemplate(draft, row, template);
  return { text: typeof value === "string" ? value : JSON.stringify(value), warnings, error };
}

function alarmsOf(step: GateStep, now: number): readonly Alarm[] {
  const delays: readonly (readonly [AlarmKind, number | null])[] = [
    ["remind", step.remindAfterMs],
    ["escalate", step.escalateAfterMs],
    ["expire", step.expiresAfterMs],
    ["timeout", step.timeoutMs],
  ];
  return delays.flatMap(([kind, delay]) => (delay === null ? [] : [{ kind, at: now + delay }]));
}

/** Tells people that the gate is open. A row of its own, whose failure is an event and stops nothing. */
function notify(draft: Draft, row: Row, call: Call, suffix: string): void {
  const notice = makeRow(draft, stepOf(draft, row), {
    cause: causedBy(row, "notify"),
    visit: row.visit,
    role: "notify",
  });
  const { value, secrets, warnings, error } = computeTemplate(draft, row, call.args);
  // A new run asks anew, whatever keys it keeps.
  const key = `${ownKey(draft, row)}:${suffix}`;
  const filled = {
    ...notice,
    previous: row.previous,
    tool: call.tool,
    args: value,
    secrets,
    warnings,
    key,
    serves: row.id,
  };
  putRow(draft, filled);
  if (error !== null) failForGood(draft, filled, error);
}

type OpenGate = { readonly row: Row; readonly gate: GateState; readonly step: GateStep };

function gateOf(draft: Draft, row: Row | undefined): OpenGate | undefined {
  const gate = row?.gate ?? null;
  if (row === undefined || gate === null) return undefined;
  const step = stepOf(draft, row);
  return step.kind === "gate" ? { row, gate, step } : undefined;
}

export function fireGateAlarm(draft: Draft, row: Row, alarm: Alarm): void {
  const open = gateOf(draft, putRow(draft, { ...row, alarms: row.alarms.filter((other) => other !== alarm) }));
  if (open === undefined) return;
  if (alarm.kind === "remind") remind(draft, open);
  else if (alarm.kind === "escalate") escalate(draft, open);
  else expire(draft, open);
}

/** From now, not from when it was due: after a long silence people get one reminder, not all that were missed. */
function remind(draft: Draft, { row, gate, step }: OpenGate): void {
  const reminders = gate.reminders + 1;
  const isLast = reminders === remindersMax || step.remindAfterMs === null;
  const next = isLast ? [] : [{ kind: "remind", at: draft.env.now + step.remindAfterMs } as const];
  putRow(draft, { ...row, gate: { ...gate, reminders }, alarms: [...row.alarms, ...next] });
  tell(draft, "gate_reminded", { row: row.id, data: { reminder: reminders } });
  if (step.notify !== null) notify(draft, row, step.notify, `notify:${reminders}`);
}

/** The gate stays open; the path beside it ends by itself. */
function escalate(draft: Draft, { row, step }: OpenGate): void {
  tell(draft, "gate_escalated", { row: row.id, data: { step: step.escalateTo } });
  if (step.escalateTo === null) return;
  goTo(draft, row, step.escalateTo, { ...causedBeside(row, "escalate", "escalation"), previous: row.previous });
}

function expire(draft: Draft, { row, step }: OpenGate): void {
  rest(draft);
  tell(draft, "gate_expired", { row: row.id, data: { outcome: step.onExpire } });
  endAs(draft, row, { outcome: step.onExpire, result: null, message: `Nobody answered "${row.name}" in time.` });
}

export function answerGate(draft: Draft, message: AnswerMessage): void {
  const { by, groups = [], via, outcome, data, comment, hash } = message;
  takeAnswer(draft, requireRow(draft, message.row), {
    by,
    groups,
    via,
    outcome,
    data,
    comment,
    hash,
    again: "already_answered",
  });
}

/** In the seeds' word: on a gate it is approval, on a row that waits for its time it means now. */
export function makeRowReady(draft: Draft, { row: id, by, groups = [] }: MessageOf<"ready">): void {
  const row = requireRow(draft, id);
  if (row !== undefined && row.gate !== null) {
    const approval = { by, groups, via: null, outcome: "approved", data: null, comment: null, hash: null };
    return takeAnswer(draft, row, { ...approval, again: "already_ready" });
  }
  const awaited =
    row?.status === "pending"
      ? row.alarms.find(({ kind }) => kind === "retry" || kind === "sleep" || kind === "start")
      : undefined;
  if (row === undefined || awaited === undefined) return refuseReady(draft, row);
  tell(draft, "made_ready", { row: id, by });
  if (awaited.kind === "start") beginRun(draft);
  else if (awaited.kind === "sleep") endSleep(draft, row);
  else tryAgain(draft, row);
}

function refuseReady(draft: Draft, row: Row | undefined): void {
  if (row === undefined || !hasWaited(draft, row)) return refuseNotWaiting(draft);
  refuse(draft, "already_ready", `"${row.name}" is not waiting any more.`);
}

function hasWaited(draft: Draft, row: Row): boolean {
  if (row.status === "ready") return true;
  const isTimed = row.via === "retry" || isSleep(stepOf(draft, row));
  return isTimed && (row.status === "running" || row.status === "done");
}

function isSleep(step: PlanStep): boolean {
  return step.kind === "wait" && step.wait.kind !== "event";
}

function refuseNotWaiting(draft: Draft): void {
  if (!refuseIfEnded(draft)) refuse(draft, "not_waiting", "Nothing waits for this. Look at the run again.");
}

type GivenAnswer = Omit<AnswerMessage, "kind" | "row" | "groups"> & {
  readonly groups: readonly string[];
  /** What somebody is told who answers twice. */
  readonly again: "already_answered" | "already_ready";
};

function takeAnswer(draft: Draft, row: Row | undefined, given: GivenAnswer): void {
  const open = gateOf(draft, row);
  if (open === undefined || open.row.status === "cancelled") return refuseNotWaiting(draft);
  const refusal = judge(draft, open, given);
  if (refusal !== null) return refuse(draft, refusal.code, refusal.message);
  const { by, via, outcome, data, comment } = given;
  tell(draft, "gate_answered", { row: open.row.id, by, data: { outcome, comment, via } });
  const mine = { by, at: draft.env.now, outcome, data, comment };
  const answers = [...open.gate.answers.filter((answer) => answer.by !== by), mine];
  const answered = putRow(draft, { ...open.row, gate: { ...open.gate, answers } });
  const alike = answers.filter((answer) => answer.outcome === outcome);
  draft.reply = { kind: "ok", value: { outcome, given: alike.length, need: open.step.need } };
  if (outcome !== "rejected" && alike.length < open.step.need) return;
  // What a form said first is not lost when a later answer says nothing.
  const form = alike.findLast((answer) => answer.data !== null)?.data ?? null;
  closeGate(draft, answered, { ...mine, data: form });
}

function judge(draft: Draft, open: OpenGate, given: GivenAnswer): Failure | null {
  const { row, gate, step } = open;
  const isAgain = gate.answers.some((answer) => answer.by === given.by && answer.outcome === given.outcome);
  if (row.status !== "pending") return { code: given.again, message: `"${row.name}" has been answered.` };
  if (!mayAnswer(draft, step, given))
    return { code: "not_allowed", message: `"${given.by}" may not answer "${row.name}".` };
  if (isAgain) return { code: given.again, message: `"${given.by}" has given this answer to "${row.name}" already.` };
  if (given.hash !== null && given.hash !== gate.hash) {
    return { code: "gate_changed", message: `"${row.name}" shows something else by now. Look at it again.` };
  }
  if (isKnownOutcome(step, given.outcome)) return judgeData(open, given);
  return { code: "unknown_outcome", message: `"${row.name}" has no route for the answer "${given.outcome}".` };
}

/** Only who approves must fill the form in, and of several who agree one is enough: the one who closes the gate is held to
 *  it, where nobody before has. */
function judgeData(open: OpenGate, { by, outcome, data }: GivenAnswer): Failure | null {
  const { row, gate, step } = open;
  if (step.form === null || outcome === "rejected") return null;
  const others = gate.answers.filter((answer) => answer.by !== by && answer.outcome === outcome);
  const isSaid = others.length + 1 < step.need || others.some((answer) => answer.data !== null);
  if (data === null && (isSaid || outcome !== "approved")) return null;
  const problems = checkAnswerData(step.form, data ?? {});
  if (problems.length === 0) return null;
  const told = problems.slice(0, toldMax).map(({ message }) => message);
  return { code: "bad_answer", message: `The answer does not fit the form of "${row.name}": ${told.join(" ")}` };
}

function mayAnswer({ run }: Draft, step: GateStep, { by, groups, via }: GivenAnswer): boolean {
  const isOwn = by === run.createdBy || (via !== null && via === run.createdVia);
  if (isOwn && !step.selfApproval) return false;
  const { approvers } = step;
  if (approvers === null || approvers.includes(`user:${by}`)) return true;
  if (groups.some((group) => approvers.includes(`group:${group}`))) return true;
  return by.startsWith("group:") && approvers.includes(by);
}

/** People may not say what only the kernel says: that a gate expired or failed. */
function isKnownOutcome({ routes }: GateStep, outcome: OutcomeName): boolean {
  if (outcome === "approved" || outcome === "rejected") return true;
  return own(routes, outcome) !== undefined && outcome !== "default" && !reservedOutcomes.has(outcome);
}

/** The result is what the form says, else the answer's name. */
function closeGate(draft: Draft, row: Row, { outcome, by, comment, data }: Answer): void {
  rest(draft);
  const result = data ?? outcome;
  if (outcome !== "rejected") return succeedAs(draft, row, outcome, result);
  const message = `"${row.name}" was rejected by ${by}${comment === null ? "" : `: ${comment}`}.`;
  endAs(draft, row, { outcome, result, message });
}
