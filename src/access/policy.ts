// Who may do what. Pure: principals go in, answers come out. Without any principal the store belongs to whoever has it,
// and everything is allowed; with the first one, whoever is not known may do nothing.

import { StepwellError } from "../error.ts";
import { isCovered, keyOf, ownKeyOf, tellRight, toolKeyOf, type Asker, type Right } from "./permission.ts";
import { localUser, type Principal } from "./principal.ts";

export type Policy = {
  readonly isOpen: boolean;
  /** Names of the groups that the user is in. */
  groupsOf(user: string): readonly string[];
  /** Of the user and of all groups around; empty for a stranger. */
  keysOf(user: string): readonly string[];
};

export function createPolicy(principals: readonly Principal[]): Policy {
  const byId = new Map(principals.map((principal) => [principal.id, principal]));
  const groupsOf = (user: string): readonly string[] => byId.get(`user:${user}`)?.groups ?? [];
  return {
    isOpen: byId.size === 0,
    groupsOf,
    keysOf: (user) => {
      const own = byId.get(`user:${user}`)?.keys ?? [];
      return [...own, ...groupsOf(user).flatMap((group) => byId.get(`group:${group}`)?.keys ?? [])];
    },
  };
}

/** `own`: only on runs that the user has started. */
export type Extent = "all" | "own" | "none";

export function extentOf(policy: Policy, asker: Asker, right: Right): Extent {
  if (isAllowed(policy, asker, keyOf(right))) return "all";
  return isAllowed(policy, asker, ownKeyOf(right)) ? "own" : "none";
}

/** A step is called with the rights of who started its run, and no more than the token that started it was for. */
export function mayCall(policy: Policy, asker: Asker, tool: string): boolean {
  return isAllowed(policy, asker, toolKeyOf(tool));
}

function isAllowed(policy: Policy, { user, scopes }: Asker, key: string): boolean {
  if (scopes !== null && !isCovered(key, scopes)) return false;
  return user === localUser || policy.isOpen || isCovered(key, policy.keysOf(user));
}

/** The one answer to everybody who may not, whatever they asked. */
export function notAllowed({ user }: Asker, right: Right): StepwellError {
  const key = keyOf(right);
  const message = `not_allowed "Workflow": "${user}" may not ${tellRight(right)}; the permission ${key} is missing.`;
  return new StepwellError("NOT_ALLOWED", message, { details: { code: "not_allowed", user, permission: key } });
}
