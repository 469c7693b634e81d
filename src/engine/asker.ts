// In whose name something is asked, and which rights it takes. A program asks as `local`, or says `by` whom; through
// `engine.as(user)` every request carries the asker, whatever it says itself.

import type { Asker, Right } from "../access/permission.ts";
import { isName, localUser } from "../access/principal.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import { findIn } from "./ask-fields.ts";
import type { ClerkName } from "./clerk.ts";
import type { Request, Said } from "./request.ts";

/** Whom a door lets in. Never the program itself: whatever a door was told, it came from outside. The one exception has a
 *  token that was made for it. Programs without types come here too, so nothing is taken for granted. */
export function parseAsker(who: unknown): Asker {
  const asker = typeof who === "string" ? { user: who, via: null, scopes: null } : who;
  if (isAsker(asker) && isName(asker.user) && (asker.user !== localUser || asker.via !== null)) {
    const { user, via, scopes } = asker;
    return { user, via, scopes: scopes === null ? null : [...scopes] };
  }
  const shown = isAsker(asker) ? `"${asker.user}"` : "What was given";
  throw new StepwellError("NOT_ALLOWED", `${shown} is no user in whose name anything can be done.`, {
    hint: "Give the name of a user, or what access.tokens.check has answered, unless that is null.",
    details: { code: "not_allowed" },
  });
}

function isAsker(who: unknown): who is Asker {
  if (typeof who !== "object" || who === null || !("user" in who && "via" in who && "scopes" in who)) return false;
  const { user, via, scopes } = who;
  const isScoped = Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
  return typeof user === "string" && (via === null || typeof via === "string") && (scopes === null || isScoped);
}

/** The program itself. */
export const program: Asker = { user: localUser, via: null, scopes: null };

/** The same request, in this asker's name and in no other. */
export function inNameOf(asker: Asker, request: Request): Request {
  const { user: by, via } = asker;
  switch (request.kind) {
    case "start":
    case "again":
      return { ...request, by, via, as: asker };
    case "keep":
      return { ...request, by, as: asker };
    case "say":
      return { ...request, said: saidBy(asker, request.said), as: asker };
    case "emit":
    case "preview":
    case "prune":
    case "remove":
    case "hand_over":
      return { ...request, as: asker };
  }
}

function saidBy({ user: by, via }: Asker, said: Said): Said {
  if (said.kind === "signal" || said.kind === "event") return said;
  return said.kind === "answer" ? { ...said, by, via } : { ...said, by };
}

export function askerOf(request: Request): Asker {
  return request.as ?? { user: userOf(request), via: null, scopes: null };
}

function userOf(request: Request): string {
  if ("by" in request) return request.by;
  return request.kind === "say" && "by" in request.said ? request.said.by : localUser;
}

const rightOfClerk: Readonly<Record<ClerkName, Right>> = {
  workflows: "save",
  breakers: "operate",
  access: "admin",
  secrets: "secrets",
  ratings: "answer",
  servers: "operate",
};

/** What a clerk is asked and that changes nothing. */
const reading: ReadonlySet<Json | undefined> = new Set(["list", "export", "plan_import", "show_lock", "list_changes"]);

/** What somebody has agreed to is called from then on, by whoever may call tools; and a server that is added or tried out
 *  is a program that runs as the engine's own user. */
const decisive: ReadonlySet<Json | undefined> = new Set(["approve", "add", "remove", "try_out"]);

/** All of them are needed. */
export function rightsFor(request: Request): readonly Right[] {
  switch (request.kind) {
    case "start":
      return ["start"];
    case "again":
      // It takes over what the earlier run has found.
      return ["start", "read"];
    case "say":
      return [rightToSay(request.said.kind)];
    case "emit":
      return ["signal"];
    case "preview":
      return ["read"];
    case "prune":
    case "remove":
      return ["admin"];
    case "keep":
      if (request.clerk === "ratings") return ["answer", "read"];
      if (request.clerk === "servers" && decisive.has(findIn(request.ask, "do"))) return ["admin"];
      return [reading.has(findIn(request.ask, "do")) ? "read" : rightOfClerk[request.clerk]];
    case "hand_over":
      // Among processes that have the file.
      return [];
  }
}

function rightToSay(kind: Said["kind"]): Right {
  switch (kind) {
    case "ready":
    case "answer":
    case "fire":
      return "answer";
    case "signal":
    case "event":
      return "signal";
    case "cancel":
      return "cancel";
    case "pause":
    case "resume":
    case "resolve":
    case "skip":
    case "choose":
      return "operate";
  }
}
