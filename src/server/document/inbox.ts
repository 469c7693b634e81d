// What waits for a person, with what is needed to decide: what is asked and what each answer leads to, the call that may
// have happened, the ways that a step could go on.

import { own, objectFrom, type Json } from "../../flow/json.ts";
import type { GateStep, Plan, PlanStep, StepKey, Target, Transition } from "../../flow/plan.ts";
import type { Row, RowId, RunRow } from "../../run/model.ts";
import { branchOf, forkOf } from "../../run/values.ts";
import type { BriefRow } from "../../store/brief.ts";
import type {
  CallInDoubtDocument,
  CrossroadsDocument,
  GateChoiceDocument,
  GateDocument,
  InboxItemDocument,
} from "../contract/inbox.ts";
import { toInboxDocument, type CollectedLine } from "../inbox.ts";
import { toAction, type Answer } from "../waiting.ts";
import { orOmitted } from "./omitted.ts";

/** What is read of a run for one item, when it is needed. */
export type ItemReads = {
  /** undefined: there is none any more. */
  readonly find: (row: RowId) => Promise<Row | undefined>;
  /** All steps of the run. */
  readonly list: () => Promise<readonly BriefRow[]>;
};

/** Arguments of a call are told in brief: the step's own route has them. */
const argsBytesMax = 8192;

export async function toInboxItem(line: CollectedLine, reads: ItemReads): Promise<InboxItemDocument> {
  const { run, item } = line;
  const { row, answers, kind } = item;
  const isCall = ["uncertain", "compensation_failed", "tool_changed", "poison"].includes(kind);
  return {
    ...toInboxDocument(line),
    uid: run.uid,
    actions: answers.map((answer) => toAction(answer, row?.gate?.hash ?? null)),
    gate: row !== null && kind === "gate" ? await toGate(line, row, reads) : null,
    call: row !== null && isCall ? await toCall(row, item.since, reads) : null,
    crossroads: row !== null && kind === "no_branch_matched" ? await toCrossroads(row, line.plan, reads) : null,
    change: null,
  };
}

async function toGate({ run, item, plan }: CollectedLine, row: BriefRow, reads: ItemReads): Promise<GateDocument> {
  const found = plan === null ? undefined : own(plan.steps, row.step);
  const step = found?.kind === "gate" ? found : undefined;
  const expiry = row.alarms.find(({ kind }) => kind === "expire" || kind === "timeout");
  return {
    title: row.gate?.title ?? null,
    message: row.gate?.message ?? null,
    form: step?.form ?? null,
    choices: item.answers.map((answer) => toChoice(answer, step, plan)),
    need: step?.need ?? 1,
    answers: row.gate?.answers ?? [],
    approvers: step?.approvers ?? null,
    self_approval: step?.selfApproval ?? true,
    due_at: row.alarms.reduce<number | null>((least, { at }) => (least === null || at < least ? at : least), null),
    expires_at: expiry?.at ?? null,
    reminders: row.gate?.reminders ?? 0,
    data: orOmitted(await valueBefore({ run, row, plan }, reads)),
  };
}

function toChoice({ verb, word }: Answer, step: GateStep | undefined, plan: Plan | null): GateChoiceDocument {
  const outcome = verb === "approve" ? "approved" : verb === "reject" ? "rejected" : (word ?? "");
  const label = verb === "answer" ? outcome : verb === "approve" ? "Approve" : "Reject";
  const steps = step === undefined || plan === null ? [] : stepsAfter(step, outcome, plan);
  const [only] = steps;
  const tool = steps.length === 1 && only?.kind === "tool" ? only.tool : null;
  return { outcome, label, leads_to: steps.length === 0 ? null : steps.map((next) => next.label).join(", "), tool };
}

/** Where this answer leads; none: the path ends, or it depends on what is not known yet. */
function stepsAfter(step: GateStep, outcome: string, plan: Plan): readonly PlanStep[] {
  // A no takes a route of its own name, and no other.
  const fallback = outcome === "rejected" ? undefined : own(step.routes, "default");
  const route = own(step.routes, outcome) ?? fallback;
  const keys = route !== undefined ? keysOf(route) : outcome === "rejected" ? [] : keysAfter(step.transition);
  return keys.flatMap((key) => own(plan.steps, key) ?? []);
}

function keysOf(target: Target): readonly StepKey[] {
  return target.kind === "step" ? [target.step] : [];
}

function keysAfter(transition: Transition): readonly StepKey[] {
  switch (transition.kind) {
    case "next":
      return keysOf(transition.to);
    case "join":
      return [transition.to];
    case "fork":
      return transition.branches;
    case "branch":
    case "end":
    case "routes":
    case "events":
      return [];
  }
}

async function toCall(row: BriefRow, since: number, { find }: ItemReads): Promise<CallInDoubtDocument> {
  const whole = await find(row.id);
  const { tool, error, attempt } = row;
  return { tool, args: orOmitted(whole?.args ?? null, argsBytesMax), error, attempt, since };
}

async function toCrossroads(row: BriefRow, plan: Plan | null, { find }: ItemReads): Promise<CrossroadsDocument> {
  const whole = await find(row.id);
  const steps = Object.values(plan?.steps ?? {}).map(({ key, label }) => ({ key, name: label }));
  return { value: orOmitted(whole?.result ?? null), outcome: row.outcome, steps };
}

type Place = { readonly run: RunRow; readonly row: BriefRow; readonly plan: Plan | null };

/** What led to the row: the result before, all results of a fork, an error, or the run's input. */
async function valueBefore({ run, row, plan }: Place, { find, list }: ItemReads): Promise<Json> {
  const { previous } = row;
  const from = plan === null ? null : (own(plan.steps, row.step)?.inputFrom ?? null);
  if (from !== null) {
    const newest = (await list()).findLast(({ step, status }) => step === from && status === "done");
    return newest === undefined ? null : ((await find(newest.id))?.result ?? null);
  }
  if (previous.kind === "input") return run.input;
  if (previous.kind === "row") return (await find(previous.row))?.result ?? null;
  if (previous.kind === "arrivals") return arrivalsAt(previous.fork, plan, { find, list });
  const failed = await find(previous.row);
  return { error: failed?.error ?? null, step: failed?.name ?? null };
}

function lastResult({ error, ended, result }: Row): Json {
  if (error !== null) return { error: { ...error } };
  return ended === null ? result : ended.output;
}

async function arrivalsAt(fork: RowId, plan: Plan | null, { find, list }: ItemReads): Promise<Json> {
  const opened = await find(fork);
  const transition = opened === undefined || plan === null ? undefined : own(plan.steps, opened.step)?.transition;
  const branches = transition?.kind === "fork" ? transition.branches : [];
  const arrived = (await list()).filter((row) => row.arrived && forkOf(row.scope) === fork);
  const results = await Promise.all(
    arrived.map(async ({ id, scope }): Promise<readonly [string, Json]> => {
      const row = await find(id);
      return [branches[branchOf(scope)] ?? "", row === undefined ? null : lastResult(row)];
    }),
  );
  return objectFrom(results);
}
