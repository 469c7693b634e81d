// Nobody who comes from outside leaves the store without anybody who could come from outside and say who may do what: it
// could not be undone from where it was done. The program itself, which holds the file, may.

import { isCovered, keyOf } from "../access/permission.ts";
import { createPolicy } from "../access/policy.ts";
import { localUser, toPrincipal } from "../access/principal.ts";
import { isGood, toToken } from "../access/token.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { Entries, EntryChange } from "./entries.ts";

type Known = Pick<Entries, "list">;
type Kept = { readonly key: string; readonly value: Json };

/** Throws when somebody can administer before the changes, and nobody after them. */
export function checkLastAdmin(entries: Known, changes: readonly EntryChange[], now: number): void {
  if (!changes.some(({ kind }) => kind !== "session")) return;
  if (!hasAdmin((kind) => entries.list(kind), now) || hasAdmin((kind) => listAfter(entries, changes, kind), now))
    return;
  const message = "Nobody would be left who can log in, or has a token, and may say who may do what.";
  const hint = `Give another user ${keyOf("admin")} and a password or a token first, or do it on the machine itself with \`stepwell user\`.`;
  throw new StepwellError("REFUSED", message, {
    hint,
    details: { code: "last_admin" },
  });
}

function hasAdmin(list: (kind: string) => readonly Kept[], now: number): boolean {
  const policy = createPolicy(list("principal").map(({ key, value }) => toPrincipal(key, value)));
  const admin = keyOf("admin");
  const isAdmin = (user: string): boolean => user === localUser || isCovered(admin, policy.keysOf(user));
  if (list("password").some(({ key }) => isAdmin(key))) return true;
  return list("token")
    .map(({ key, value }) => toToken(key, value))
    .some(
      (token) => isGood(token, now) && isAdmin(token.user) && (token.scopes === null || isCovered(admin, token.scopes)),
    );
}

function listAfter(entries: Known, changes: readonly EntryChange[], kind: string): readonly Kept[] {
  const after = new Map<string, Json>(entries.list(kind).map(({ key, value }) => [key, value]));
  for (const change of changes) {
    if (change.kind !== kind) continue;
    if (change.value === null) after.delete(change.key);
    else after.set(change.key, change.value);
  }
  return [...after].map(([key, value]) => ({ key, value }));
}
