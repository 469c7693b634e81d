// Users and groups, and what they were granted. Kept under `user:ann` and `group:finance`.

import { isArray, isObject, own, type Json } from "../flow/json.ts";

export type Principal = {
  /** `user:ann`, `group:finance`. */
  readonly id: string;
  /** Names of the groups that a user is in; a group is in none. */
  readonly groups: readonly string[];
  /** Permission keys of its own. */
  readonly keys: readonly string[];
};

/** The program that has opened the store. It holds the file, so there is nothing to keep from it. */
export const localUser = "local";

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/;

/** `ann` is `user:ann`; undefined: no name of a user or a group. */
export function parsePrincipalId(text: string): string | undefined {
  const [, kind = "user:", name = ""] = /^(user:|group:)?(.*)$/s.exec(text) ?? [];
  return namePattern.test(name) ? kind + name : undefined;
}

export function isGroup(id: string): boolean {
  return id.startsWith("group:");
}

export function isName(name: string): boolean {
  return namePattern.test(name);
}

export function toPrincipal(id: string, value: Json): Principal {
  return { id, groups: textsIn(value, "groups"), keys: textsIn(value, "keys") };
}

export function textsIn(value: Json, key: string): readonly string[] {
  const list = isObject(value) ? own(value, key) : undefined;
  return list !== undefined && isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
