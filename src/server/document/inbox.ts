// What waits for a person, with what is needed to decide: what is asked and what each answer leads to, the call that may
// have happened, the ways that a step could go on.

import { own, objectFrom, type Json } from "../../flow/json.ts";
import type { GateStep, Plan, PlanStep, StepKey, Target, Transition } from "../../flow/plan.ts";
import type { Row, RowId, RunId, RunRow } from "../../run/model.ts";
import { branchOf, forkOf } from "../../run/values.ts";
import type { Brief, BriefRow, ShortRow } from "../../store/brief.ts";
import type {
  CallInDoubtDocument,
  CrossroadsDocument,
  GateChoiceDocument,
  GateDocument,
  InboxItemDocument,
} from "../contract/inbox.ts";
import type { OmittedDocument } from "../contract/run.ts";
import {
  collectInbox,
  toInboxDocument,
  type CollectedLine,
  type Inbox,
  type InboxSource,
  type InboxWish,
} from "../inbox.ts";
import { toAction, type Answer } from "../waiting.ts";
import { orOmitted, valueBytesMax } from "./omitted.ts";

/** What is read of a run for its items, when it is needed. */
export type ItemReads = {
  /** Rows of the run; what is large in them is left out. */
  readonly find: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  /** All steps of the run. */
  readonly list: () => Promise<readonly Brief[]>;
};

/** With what is read of the runs that were found in it. */
export type ItemSource = InboxSource & {
  readonly findShort: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  readonly listBriefs: (run: RunId, limitMax: number) => Promise<readonly Brief[]>;
};

/** Of one run, where a gate looks back at them. */
const stepsMax = 5000;

/** Arguments of a call are told in brief: the step's own route has them. */
const argsBytesMax = 8192;

/** What every door tells of what waits. */
export function listInboxItems(source: ItemSource, wish: InboxWish): Promise<Inbox<InboxItemDocument>> {
  // Items of one run come one after another: what was read of it last is all that is kept.
  let known: { readonly run: RunId; readonly reads: ItemReads } | null = null;
  return collectInbox(source, wish, (line) => {
    const run = line.run.id;
    if (known?.run !== run) known = { run, reads: createItemReads(source, run) };
    return toInboxItem(line, known.reads);
  });
}

function createItemReads({ findShort, listBriefs }: ItemSource, run: RunId): ItemReads {
  let steps: Promise<readonly Brief[]> | undefined;
  return { find: findShort, list: () => (steps ??= listBriefs(run, stepsMax)) };
}

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
    escalates_at: row.alarms.find(({ kind }) => kind === "escalate")?.at ?? null,
    expires_at: expiry?.at ?? null,
    reminders: row.gate?.reminders ?? 0,
    data: await orUnread(valueBefore({ run, row, plan }, reads)),
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
  const { tool, error, attempt } = row;
  const args = find([row.id]).then((found) => argsOf(found.get(row.id)));
  return { tool, args: await orUnread(args), error, attempt, since };
}

async function toCrossroads(row: BriefRow, plan: Plan | null, { find }: ItemReads): Promise<CrossroadsDocument> {
  const value = find([row.id]).then((found) => resultOf(found.get(row.id)));
  const steps = Object.values(plan?.steps ?? {}).map(({ key, label }) => ({ key, name: label }));
  return { value: await orUnread(value), outcome: row.outcome, steps };
}

/** What cannot be read is told to be left out: everything else can still be answered. */
function orUnread(value: Promise<Told>): Promise<Told> {
  return value.catch(() => ({ $omitted: 0 }));
}

type Told = Json | OmittedDocument;

function argsOf(found: ShortRow | undefined): Told {
  if (found === undefined) return null;
  const { argsBytes, row } = found;
  return argsBytes !== null && argsBytes > argsBytesMax ? { $omitted: argsBytes } : row.args;
}

function resultOf(found: ShortRow | undefined): Told {
  if (found === undefined) return null;
  const { resultBytes, row } = found;
  return resultBytes !== null && resultBytes > valueBytesMax ? { $omitted: resultBytes } : row.result;
}

type Place = { readonly run: RunRow; readonly row: BriefRow; readonly plan: Plan | null };

/** What led to the row: the result before, all results of a fork, an error, or the run's input. */
async function valueBefore({ run, row, plan }: Place, { find, list }: ItemReads): Promise<Told> {
  const { previous } = row;
  const from = plan === null ? null : (own(plan.steps, row.step)?.inputFrom ?? null);
  if (from !== null) {
    const newest = (await list()).findLast(({ row: { step, status } }) => step === from && status === "done")?.row.id;
    return newest === undefined ? null : resultOf((await find([newest])).get(newest));
  }
  if (previous.kind === "input") return orOmitted(run.input);
  if (previous.kind === "arrivals") return arrivalsAt(previous.fork, plan, { find, list });
  const found = (await find([previous.row])).get(previous.row);
  if (previous.kind === "row") return resultOf(found);
  return orOmitted({ error: found?.row.error ?? null, step: found?.row.name ?? null });
}

/** All of it, or nothing: so many branches may have arrived that each is small, and they are not. */
async function arrivalsAt(fork: RowId, plan: Plan | null, { find, list }: ItemReads): Promise<Told> {
  const arrived = (await list()).filter(({ row }) => row.arrived && forkOf(row.scope) === fork);
  const bytes = arrived.reduce((sum, { row, lastBytes }) => sum + (row.error === null ? lastBytes : 0), 0);
  if (bytes > valueBytesMax) return { $omitted: bytes };
  const found = await find([fork, ...arrived.map(({ row }) => row.id)]);
  const opened = found.get(fork);
  const transition = opened === undefined || plan === null ? undefined : own(plan.steps, opened.row.step)?.transition;
  const branches = transition?.kind === "fork" ? transition.branches : [];
  const results = arrived.map(({ row: { id, scope } }): readonly [string, Json] => {
    const row = found.get(id)?.row;
    return [branches[branchOf(scope)] ?? "", row === undefined ? null : lastResult(row)];
  });
  return orOmitted(objectFrom(results));
}

function lastResult({ error, ended, result }: Row): Json {
  if (error !== null) return { error: { ...error } };
  return ended === null ? result : ended.output;
}
