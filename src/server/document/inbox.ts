// What waits for a person, with what is needed to decide: what is asked and what each answer leads to, the call that may
// have happened, the ways that a step could go on.

import { own, type JsonObject } from "../../flow/json.ts";
import type { GateStep, Plan, StepKey, Target, Transition } from "../../flow/plan.ts";
import type { RowId, RunId } from "../../run/model.ts";
import type { Brief, BriefRow, ShortRow } from "../../store/brief.ts";
import { cut } from "../../tool/flaws.ts";
import type {
  CallInDoubtDocument,
  CrossroadsDocument,
  GateChoiceDocument,
  GateDocument,
  InboxItemDocument,
} from "../contract/inbox.ts";
import {
  collectInbox,
  toInboxDocument,
  type CollectedLine,
  type Inbox,
  type InboxSource,
  type InboxWish,
} from "../inbox.ts";
import { toAction, type Answer } from "../waiting.ts";
import { valueBytesMax } from "./omitted.ts";
import { resultOf, valueBefore, type Told } from "./value-before.ts";

/** What is read of a run for its items, when it is needed. */
export type ItemReads = {
  /** Rows of the run; what is large in them is left out. */
  readonly find: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  /** All rows of the run that have arrived at this fork. */
  readonly arrivals: (fork: RowId) => Promise<readonly Brief[]>;
  /** The newest row of this step that is done. */
  readonly newest: (step: StepKey) => Promise<RowId | undefined>;
};

/** With what is read of the runs that were found in it. */
export type ItemSource = InboxSource & LookBack;

type LookBack = {
  readonly findShort: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  readonly listArrivals: (run: RunId, fork: RowId) => Promise<readonly Brief[]>;
  readonly findNewest: (run: RunId, step: StepKey) => Promise<RowId | undefined>;
};

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

/** Many gates may look back at the same step, for which all steps of the run are passed by: that is done once. */
export function createItemReads({ findShort, listArrivals, findNewest }: LookBack, run: RunId): ItemReads {
  const newest = new Map<StepKey, Promise<RowId | undefined>>();
  return {
    find: findShort,
    arrivals: (fork) => listArrivals(run, fork),
    newest: (step) => {
      const known = newest.get(step) ?? findNewest(run, step);
      newest.set(step, known);
      return known;
    },
  };
}

export async function toInboxItem(line: CollectedLine, reads: ItemReads): Promise<InboxItemDocument> {
  const { run, item } = line;
  const { row, answers, kind } = item;
  const isCall = ["uncertain", "compensation_failed", "tool_changed", "poison"].includes(kind);
  return {
    ...toInboxDocument(line),
    uid: run.uid,
    about: aboutOf(run.input),
    actions: answers.map((answer) => toAction(answer, row?.gate?.hash ?? null)),
    gate: row !== null && kind === "gate" ? await toGate(line, row, reads) : null,
    call: row !== null && isCall ? await toCall(row, item.since, reads) : null,
    crossroads: row !== null && kind === "no_branch_matched" ? await toCrossroads(row, line.plan, reads) : null,
    change: null,
  };
}

const aboutLengthMax = 80;

function aboutOf(input: JsonObject): string | null {
  for (const value of Object.values(input)) {
    if (value === null || typeof value === "object") continue;
    // Of a long text only its beginning is looked at.
    const text = String(value).slice(0, 1000).replaceAll(/\s+/gu, " ").trim();
    if (text !== "") return cut(text, aboutLengthMax);
  }
  return null;
}

async function toGate({ run, item, plan }: CollectedLine, row: BriefRow, reads: ItemReads): Promise<GateDocument> {
  const found = plan === null ? undefined : own(plan.steps, row.step);
  const step = found?.kind === "gate" ? found : undefined;
  const expiry = row.alarms.find(({ kind }) => kind === "expire" || kind === "timeout");
  return {
    title: row.gate?.title ?? null,
    message: row.gate?.message ?? null,
    form: step?.form ?? null,
    choices: item.answers.map((answer) => toChoice(answer, row, { step, plan })),
    need: step?.need ?? 1,
    answers: row.gate?.answers ?? [],
    approvers: step?.approvers ?? null,
    self_approval: step?.selfApproval ?? true,
    due_at: row.alarms.reduce<number | null>((least, { at }) => (least === null || at < least ? at : least), null),
    escalates_at: row.alarms.find(({ kind }) => kind === "escalate")?.at ?? null,
    expires_at: expiry?.at ?? null,
    reminders: row.gate?.reminders ?? 0,
    data: await orUnread(valueBefore({ run, row, plan }, { ...reads, bytesMax: valueBytesMax })),
  };
}

type Gate = { readonly step: GateStep | undefined; readonly plan: Plan | null };

function toChoice({ verb, word }: Answer, row: BriefRow, { step, plan }: Gate): GateChoiceDocument {
  const outcome = verb === "approve" ? "approved" : verb === "reject" ? "rejected" : (word ?? "");
  const label = verb === "answer" ? outcome : verb === "approve" ? "Approve" : "Reject";
  if (step === undefined || plan === null) return { outcome, label, leads_to: null, tool: null, ends_as: null };
  const way = wayOf(step, outcome);
  const steps = keysAfter(way).flatMap((key) => own(plan.steps, key) ?? []);
  const [only] = steps;
  const tool = steps.length === 1 && only?.kind === "tool" ? only.tool : null;
  const leadsTo = steps.length === 0 ? null : steps.map((next) => next.label).join(", ");
  return { outcome, label, leads_to: leadsTo, tool, ends_as: endOf(way, row, plan) };
}

/** Which way this answer takes; null: none, the step has failed with it. */
function wayOf(step: GateStep, outcome: string): Transition | null {
  // A no takes a route of its own name or that of a failure, and no other.
  const fallback = own(step.routes, outcome === "rejected" ? "error" : "default");
  const route = own(step.routes, outcome) ?? fallback;
  if (route !== undefined) return { kind: "next", to: route };
  return outcome === "rejected" ? null : step.transition;
}

/** What ends with this way; null: a step follows, or it depends on what is not known yet. */
function endOf(way: Transition | null, { scope, side }: BriefRow, plan: Plan): GateChoiceDocument["ends_as"] {
  // What happens beside the flow ends nothing but itself.
  if (way === null) return side !== null ? "path" : scope === "" ? "failed" : failureInBranch(plan);
  if (way.kind === "end" && way.terminal !== "success")
    return side !== null ? "path" : way.terminal === "failure" ? "failed" : "cancelled";
  const isEnd = way.kind === "end" || (way.kind === "next" && way.to.kind === "end");
  if (!isEnd) return null;
  return side === null && scope === "" ? "completed" : "path";
}

/** A failure in a branch fails the run, unless a fork around it collects failures. Which forks are around it is not asked:
 *  where some collect and some do not, nothing is said. */
function failureInBranch(plan: Plan): "failed" | "path" | null {
  const rules = new Set(
    Object.values(plan.steps).flatMap(({ transition }) =>
      transition.kind === "fork" ? [transition.onBranchError] : [],
    ),
  );
  if (!rules.has("collect")) return "failed";
  return rules.has("fail") ? null : "path";
}

function keysOf(target: Target): readonly StepKey[] {
  return target.kind === "step" ? [target.step] : [];
}

function keysAfter(way: Transition | null): readonly StepKey[] {
  switch (way?.kind) {
    case undefined:
      return [];
    case "next":
      return keysOf(way.to);
    case "join":
      return [way.to];
    case "fork":
      return way.branches;
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
  const value = find([row.id]).then((found) => resultOf(found.get(row.id), valueBytesMax));
  const steps = Object.values(plan?.steps ?? {}).map(({ key, label }) => ({ key, name: label }));
  return { value: await orUnread(value), outcome: row.outcome, steps };
}

/** What cannot be read is told to be left out: everything else can still be answered. */
function orUnread(value: Promise<Told>): Promise<Told> {
  return value.catch(() => ({ $omitted: 0 }));
}

function argsOf(found: ShortRow | undefined): Told {
  if (found === undefined) return null;
  const { argsBytes, row } = found;
  return argsBytes !== null && argsBytes > argsBytesMax ? { $omitted: argsBytes } : row.args;
}
