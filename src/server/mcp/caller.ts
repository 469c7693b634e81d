// Who speaks to us over MCP, and what they may do here. A model sits at the other end: it reads and runs, and it answers
// for people or changes workflows only where somebody has said so when the token was made or the program started.

import type { Asker, Right } from "../../access/permission.ts";
import { keyOf, tellRight } from "../../access/permission.ts";
import type { Engine, UserEngine } from "../../engine/engine.ts";
import type { RunReads } from "../../engine/run-reads.ts";
import { StepwellError } from "../../error.ts";

export type Caller = {
  /** In whose name everything is done; runs of others are nobody's task here. */
  readonly user: string;
  /** All verbs, each of which is checked once more. */
  readonly engine: UserEngine;
  /** The same rights, for what is looked at again and again. */
  readonly reads: RunReads;
  readonly rights: ReadonlySet<Right>;
  /** What gives a right that is missing, as a line to type. */
  readonly remedy: (right: Right) => string;
};

/** In words that are given when a token is made. */
export type Grant = "read" | "run" | "approve" | "save";

const rightsOf: Readonly<Record<Grant, readonly Right[]>> = {
  read: ["read"],
  run: ["read", "start", "signal", "cancel", "operate"],
  approve: ["read", "answer"],
  save: ["read", "save"],
};

const usual: readonly Grant[] = ["read", "run"];

export type CallerWish = {
  readonly asker: Asker;
  /** Where they come from, for the audit. */
  readonly source: string;
  readonly grants: readonly Grant[] | "all";
  readonly remedy: Caller["remedy"];
};

/** `engine`: the program's own, which knows what anybody may do. */
export async function createCaller(engine: Engine, { asker, source, grants, remedy }: CallerWish): Promise<Caller> {
  const words = await engine.access.rightsOf(asker);
  const granted = grants === "all" ? null : new Set(grants.flatMap((grant) => rightsOf[grant]));
  const found = words.map(toRight);
  const rights = new Set(found.filter((right) => granted === null || granted.has(right)));
  const { user } = asker;
  const own = asker.scopes === null ? words : await engine.access.rightsOf({ user, via: null, scopes: null });
  const ownRights = new Set(own.map(toRight));
  return {
    user,
    engine: engine.as(asker, { source }),
    reads: engine.readsFor(asker),
    rights,
    // What they may not do themselves, they can hand on to nobody.
    remedy: (right) => (ownRights.has(right) ? remedy(right) : remedyByGrant(user, right)),
  };
}

function toRight(word: string): Right {
  return word.replace(/\.own$/u, "") as Right;
}

function remedyByGrant(user: string, right: Right): string {
  const key = keyOf(right);
  return `${user} lacks the permission ${key}: stepwell user grant ${user} ${key}`;
}

/** Of a token: what it was made for. One that was made for everything was not made for a model to answer in our place. */
export function grantsOf({ scopes }: Asker): CallerWish["grants"] {
  return scopes === null ? usual : "all";
}

export function remedyByToken(user: string): Caller["remedy"] {
  return (right) => `stepwell token create ${user} --name agent --scope run --scope ${wordFor(right)}`;
}

/** Of a program that is started by its client. */
export function remedyByFlag(right: Right): string {
  const word = wordFor(right);
  return word === "approve" || word === "save" ? `stepwell mcp --${word}` : `the permission 130001.${right}`;
}

function wordFor(right: Right): string {
  const [word = right] = Object.entries(rightsOf).find(([, rights]) => rights.includes(right)) ?? [];
  return word;
}

/** Who may not answer is not told to. */
export function answerable<Question>(questions: readonly Question[], { rights }: Caller): readonly Question[] {
  return rights.has("answer") ? questions : [];
}

/** Who may not is told what is waited for, and how that could be changed. */
export function tellUnanswerable(questions: readonly { readonly title: string }[], caller: Caller): readonly string[] {
  const [first] = questions;
  if (first === undefined || caller.rights.has("answer")) return [];
  const how = `This connection may not answer; only a person can change that: ${caller.remedy("answer")}`;
  return [`It waits for a person: ${first.title} (stepwell inbox). ${how}`];
}

export function allow({ rights, remedy }: Caller, right: Right): void {
  if (rights.has(right)) return;
  throw new StepwellError("NOT_ALLOWED", `This connection may not ${tellRight(right)}.`, {
    hint: `Only a person can change that: ${remedy(right)}`,
    details: { code: "not_allowed", permission: `130001.${right}` },
  });
}
