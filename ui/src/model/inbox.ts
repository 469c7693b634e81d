// What waits for a person: how it is called, in which order it stands, and what is said of an answer.

import { decisionsOf, type Decision } from "./decision.ts";
import { forPeople } from "./for-people.ts";
import type { Json } from "./json.ts";
import type { InboxItem } from "./run.ts";
import type { Token } from "./status.ts";
import { showDistance } from "./time.ts";

/** An answer that somebody has given. */
export type Decided = {
  readonly run: number;
  readonly workflow: string;
  readonly step: number;
  readonly stepName: string;
  readonly title: string | null;
  readonly by: string;
  readonly at: number;
  readonly outcome: string;
  readonly comment: string | null;
};

/** By which it is known in an address: there is one of a kind for each step, run or tool. */
export function itemId({ kind, run, step, change }: InboxItem): string {
  if (change !== null) return `tool-${change.tool}`;
  return step === null ? `${kind}-run-${run}` : `${kind}-${step}`;
}

const kinds: { readonly [kind in InboxItem["kind"]]: { readonly word: string; readonly token: Token } } = {
  gate: { word: "approval", token: "waiting" },
  state: { word: "state", token: "sleeping" },
  uncertain: { word: "uncertain", token: "uncertain" },
  no_branch_matched: { word: "no way on", token: "uncertain" },
  compensation_failed: { word: "not undone", token: "failed" },
  tool_changed: { word: "tool changed", token: "waiting" },
  changed_tool: { word: "tool changed", token: "waiting" },
  poison: { word: "cut off", token: "failed" },
};

export function showKind(kind: InboxItem["kind"]): { readonly word: string; readonly token: Token } {
  return kinds[kind];
}

/** Those that wait longest first, so that what comes later moves nothing. */
export function inOrder(items: readonly InboxItem[]): readonly InboxItem[] {
  return forPeople(items).toSorted((one, other) => one.since - other.since || (one.step ?? 0) - (other.step ?? 0));
}

export type Apart = {
  /** Of the run's input; null: there is nothing. */
  readonly about: string | null;
  /** `run 12`, `run 12, step 17` */
  readonly place: string;
};

/** By their ids, what stands in the list beside those that nobody could tell apart there. */
export function tellApart(items: readonly InboxItem[]): ReadonlyMap<string, Apart> {
  const [alike, inOneRun] = [countBy(items, wordsOf), countBy(items, wordsInRun)];
  return new Map(
    items
      .filter((item) => item.run !== null && isMore(alike, wordsOf(item)))
      .map((item) => {
        const step = isMore(inOneRun, wordsInRun(item)) && item.step !== null ? `, step ${item.step}` : "";
        return [itemId(item), { about: item.about, place: `run ${item.run}${step}` }];
      }),
  );
}

function wordsOf({ workflow, title }: InboxItem): string {
  return JSON.stringify([workflow, title]);
}

function wordsInRun(item: InboxItem): string {
  return `${item.run} ${wordsOf(item)}`;
}

function countBy(items: readonly InboxItem[], wordOf: (item: InboxItem) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(wordOf(item), (counts.get(wordOf(item)) ?? 0) + 1);
  return counts;
}

function isMore(counts: ReadonlyMap<string, number>, word: string): boolean {
  return (counts.get(word) ?? 0) > 1;
}

/** The last word on a gate that is not open any more; null: nobody has answered it, or it is none. */
export function answerTo(decided: readonly Decided[], id: string): Decided | null {
  const answers = decided.filter(({ step }) => id === `gate-${step}`);
  return answers.reduce<Decided | null>((last, each) => (last === null || each.at > last.at ? each : last), null);
}

/** The one to look at when this one is done: the next, or else the one before; null: it was the last. */
export function nextAfter(items: readonly InboxItem[], id: string): string | null {
  const at = items.findIndex((item) => itemId(item) === id);
  const next = items[at + 1] ?? items[at - 1];
  return next === undefined || at < 0 ? null : itemId(next);
}

export type Choice = Decision & {
  /** That stands for it. */
  readonly key: "a" | "x" | null;
  /** What follows from it, in any case. */
  readonly sentence: string;
};

export function choicesOf(item: InboxItem): readonly Choice[] {
  const decisions = decisionsOf(item);
  const hasKeys = item.kind === "gate" || item.kind === "changed_tool";
  const yes = decisions.find(({ isDanger }) => !isDanger);
  const no = decisions.find(({ isDanger }) => isDanger);
  return decisions.map((decision) => ({
    ...decision,
    key: !hasKeys ? null : decision === yes ? "a" : decision === no ? "x" : null,
    sentence: sentenceOf(item, decision),
  }));
}

function sentenceOf(item: InboxItem, { about, label }: Decision): string {
  if (item.kind === "changed_tool") return "The tool counts as agreed on as it is now, and is called again.";
  const missing =
    item.gate === null ? 0 : item.gate.need - item.gate.answers.filter(({ outcome }) => outcome !== "rejected").length;
  const isYes = item.gate !== null && label !== "Reject";
  if (isYes && missing > 1) return `Yours is one of ${item.gate?.need ?? 1}: ${missing - 1} more have to say the same.`;
  if (about !== null) return about.endsWith(".") ? about : `${about}.`;
  if (item.kind === "gate") return "What follows is not known before.";
  return "";
}

/** `Approved`, `Rejected`; another answer is told by its own word. */
export function showOutcome(outcome: string): string {
  return outcome.charAt(0).toUpperCase() + outcome.slice(1).replaceAll("_", " ");
}

const endings: { readonly [rule: string]: string } = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/** `1st`, `2nd`, `13th` */
export function showOrdinal(count: number): string {
  return `${count}${endings[ordinals.select(count)] ?? "th"}`;
}

/** Of an answer that was taken. */
export function showTaken(item: InboxItem, { key, label }: Choice): string {
  if (item.gate === null) return `${label}: done.`;
  const word = key === "a" ? "Approved" : key === "x" ? "Rejected" : `Answered "${label}"`;
  const leadsTo = item.gate.choices.find((choice) => choice.label === label)?.leadsTo ?? null;
  const isLast =
    key === "x" || item.gate.need - item.gate.answers.filter(({ outcome }) => outcome !== "rejected").length <= 1;
  return `${word}.${leadsTo === null || !isLast ? "" : ` Next: ${leadsTo}.`}`;
}

const tooLate: ReadonlySet<unknown> = new Set(["already_answered", "already_ready", "not_waiting", "already_ended"]);

/** Whether an answer was refused because nothing waits for one any more; else it may be given once more, and better. */
export function isTooLate(details: { readonly [name: string]: Json }): boolean {
  return tooLate.has(details["code"]);
}

/** Of an answer that came too late. */
export function showAlready(
  details: { readonly by?: Json; readonly at?: Json; readonly outcome?: Json },
  now: number,
): string {
  const { by, at, outcome } = details;
  if (typeof outcome !== "string" || typeof by !== "string") return "Somebody was faster: it does not wait any more.";
  const when = typeof at === "number" ? ` ${showDistance(Math.min(at - now, -1000))}` : "";
  return `Already ${outcome.replaceAll("_", " ")} by ${by}${when}.`;
}

/** What becomes of a gate that nobody answers, and when; the earlier of the two. */
export function deadlineOf({
  gate,
}: Pick<InboxItem, "gate">): { readonly word: "escalates" | "expires"; readonly at: number } | null {
  if (gate === null) return null;
  const { escalatesAt, expiresAt } = gate;
  if (escalatesAt !== null && (expiresAt === null || escalatesAt < expiresAt))
    return { word: "escalates", at: escalatesAt };
  return expiresAt === null ? null : { word: "expires", at: expiresAt };
}
