// What a token may be limited to, in five words, each short for permission keys. A token keeps the keys: what a word means
// to a later version changes nothing about tokens that were made before.

import { findKeyProblem, keyOf, toolKeyOf, workflowKey } from "./permission.ts";

const scopes: Readonly<Record<string, readonly string[]>> = {
  read: [keyOf("read")],
  run: [...(["read", "start", "signal", "cancel", "operate"] as const).map(keyOf), toolKeyOf("*")],
  approve: [keyOf("read"), keyOf("answer")],
  save: [keyOf("read"), keyOf("save")],
  admin: [workflowKey, toolKeyOf("*")],
};

/** `read`, `run` and others: in the order in which they allow more. */
export const scopeWords: readonly string[] = Object.keys(scopes);

/** Words and keys, as keys, each once. */
export function expandScopes(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap((scope) => (Object.hasOwn(scopes, scope) ? (scopes[scope] ?? []) : [scope])))];
}

/** What is wrong with what somebody wants to limit a token to; undefined: nothing. */
export function findScopeProblem(scope: string): string | undefined {
  if (Object.hasOwn(scopes, scope)) return undefined;
  const problem = findKeyProblem(scope);
  return problem === undefined ? undefined : `${problem} A token may also be for ${scopeWords.join(", ")}.`;
}
