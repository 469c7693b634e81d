// Permission keys: what may be done, in words that can be granted. A key covers what is below it: `130001` is all that has
// to do with workflows, `130001.read` their reading, `130001.read.own` that of one's own runs. `tool:feed.*` are tools.

import { nearest } from "../flow/suggest.ts";

/** The seeds' key for workflows, all of it. */
export const workflowKey = "130001";

/** What each finer key allows, as people are told; `own`: it can be narrowed to the runs that the user started. */
const rights = {
  read: { told: "see runs", own: true },
  start: { told: "start runs", own: false },
  answer: { told: "answer gates", own: true },
  signal: { told: "send signals and events", own: true },
  cancel: { told: "cancel runs", own: true },
  operate: { told: "pause runs and decide what they wait for", own: true },
  save: { told: "save workflows", own: false },
  secrets: { told: "keep secrets", own: false },
  admin: { told: "say who may do what, and remove old runs", own: false },
} as const;

export type Right = keyof typeof rights;

export const rightWords: readonly Right[] = Object.keys(rights) as Right[];

/** Who asks: the program itself is `local`. */
export type Asker = {
  readonly user: string;
  /** The token by which the user came; null: another way. */
  readonly via: string | null;
  /** What the token is for; null: whatever the user may. */
  readonly scopes: readonly string[] | null;
};

export function tellRight(right: Right): string {
  return rights[right].told;
}

export function keyOf(right: Right): string {
  return `${workflowKey}.${right}`;
}

export function ownKeyOf(right: Right): string {
  return `${keyOf(right)}.own`;
}

export function toolKeyOf(tool: string): string {
  return `tool:${tool}`;
}

/** One of the keys is the wanted one or stands above it. */
export function isCovered(wanted: string, keys: readonly string[]): boolean {
  return keys.some((key) => covers(key, wanted));
}

function covers(key: string, wanted: string): boolean {
  if (key === wanted) return true;
  if (wanted.startsWith("tool:")) return key.endsWith("*") && wanted.startsWith(key.slice(0, -1));
  return wanted.startsWith(`${key}.`);
}

/** What is wrong with a key that somebody wants to grant; undefined: nothing. */
export function findKeyProblem(key: string): string | undefined {
  if (key.startsWith("tool:")) return findToolProblem(key);
  if (workflowKeys.has(key)) return undefined;
  const near = nearest(key, workflowKeys);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  return `"${key}" is no permission key.${suggestion} There are ${workflowKey}, ${workflowKey}.read and others below it, and tool:NAME.`;
}

function findToolProblem(key: string): string | undefined {
  if (/^tool:(?:[^\s*]+|(?:[^\s*]+\.)?\*)$/.test(key)) return undefined;
  return `"${key}" is no permission key: write tool:NAME, tool:SERVER.* or tool:*.`;
}

const workflowKeys: ReadonlySet<string> = new Set([
  workflowKey,
  ...Object.entries(rights).flatMap(([right, { own }]) => {
    const key = `${workflowKey}.${right}`;
    return own ? [key, `${key}.own`] : [key];
  }),
]);
