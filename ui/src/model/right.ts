// What somebody may do here, and the words for what they may not.

import type { InboxItem } from "./run.ts";

/** What each right allows, as the server tells it, too. */
const told = {
  read: "see runs",
  start: "start runs",
  answer: "answer this",
  signal: "send signals and events",
  cancel: "cancel runs",
  operate: "operate this",
  save: "save workflows",
  secrets: "keep secrets",
  admin: "do what takes the right admin",
} as const;

export type Right = keyof typeof told;

/** Of what waits for a person; all else is held, and operated. */
const settled: { readonly [kind in InboxItem["kind"]]?: Right } = {
  gate: "answer",
  state: "signal",
  changed_tool: "admin",
};

export function rightToSettle(kind: InboxItem["kind"]): Right {
  return settled[kind] ?? "operate";
}

export type Holder = {
  readonly user: string;
  /** `cancel`, or `cancel.own`: that of runs which the user has started. */
  readonly rights: readonly string[];
};

/** `owner`: who has started the run that it is about; left out: it may be one of the user's own. */
export function mayDo({ user, rights }: Holder, right: Right, owner: string = user): boolean {
  return rights.includes(right) || (owner === user && rights.includes(`${right}.own`));
}

/** Whether they may give the answer that it waits for. */
export function maySettle(holder: Holder, { kind, createdBy }: Pick<InboxItem, "kind" | "createdBy">): boolean {
  return mayDo(holder, rightToSettle(kind), createdBy ?? undefined);
}

/** With the permission that is missing, in the words in which it is granted, and who grants it. */
export function sayMayNot(right: Right): string {
  return `You may not ${told[right]} here: the permission ${permissionKeyOf(right)} is missing. ${whomToAsk}`;
}

/** For whoever lacks a permission. */
export const whomToAsk = "Ask somebody with 130001.admin for it.";

/** What a right is called where it is given to a user. */
export function permissionKeyOf(right: Right): string {
  return `130001.${right}`;
}
