// What goes on record of a request that changes something: who asked for it, what, and from where. It is written with the
// change itself. Starts are not among them: the row of a run says who started it and how. Of what was given only the
// fields that are named here are kept, so that no password, no token and no flow gets into it.

import { isArray, type Json, type JsonObject } from "../flow/json.ts";
import type { AuditRecord } from "../store/audit.ts";
import { findIn } from "./ask-fields.ts";
import { askerOf } from "./asker.ts";
import type { ClerkName } from "./clerk.ts";
import { rowOf, type Request, type Said } from "./request.ts";

type Told = Pick<AuditRecord, "verb" | "subject" | "details">;
type KeepRequest = Extract<Request, { kind: "keep" }>;

/** Longer ones are cut: the whole of it stands where it belongs. */
const textMax = 500;

/** null: nobody's change, or none. `source` is said where the request does not say it itself. */
export function auditOf(request: Request, { at, source }: Pick<AuditRecord, "at" | "source">): AuditRecord | null {
  const told = tellRequest(request);
  if (told === null) return null;
  const { user, via } = askerOf(request);
  const { verb, subject, details } = told;
  return {
    at,
    user: toPlain(loggedIn(request) ?? user),
    via,
    source: toPlain(request.source ?? source),
    verb,
    subject: subject === null ? null : toPlain(subject),
    details,
  };
}

/** What a column of text can hold on every store. */
function toPlain(text: string): string {
  return text.replaceAll("\0", "").toWellFormed().slice(0, textMax);
}

function tellRequest(request: Request): Told | null {
  switch (request.kind) {
    case "say":
      return tellSaid(request.said, request.run);
    case "emit":
      return { verb: "event.emit", subject: request.event, details: {} };
    case "prune":
      return {
        verb: "run.prune",
        subject: request.name ?? null,
        details: request.endedBefore === null ? {} : { ended_before: request.endedBefore },
      };
    case "remove":
      return { verb: "run.remove", subject: String(request.run), details: {} };
    case "keep":
      return tellKept(request);
    case "start":
    case "again":
    case "preview":
    case "hand_over":
      return null;
  }
}

function tellSaid(said: Said, run: number | null): Told {
  const row = rowOf(said);
  const verb = `${row === undefined ? "run" : "step"}.${said.kind}`;
  return { verb, subject: String(row ?? run), details: detailsOf(said) };
}

function detailsOf(said: Said): JsonObject {
  switch (said.kind) {
    case "answer":
      return withoutNulls({ outcome: said.outcome, comment: cut(said.comment) });
    case "signal":
    case "event":
      return { name: said.name };
    case "cancel":
      return withoutNulls({ reason: cut(said.reason) });
    case "resolve":
      return { how: said.how };
    case "choose":
      return { step: said.step };
    case "fire":
      return withoutNulls({ transition: said.transition, reason: cut(said.reason) });
    case "ready":
    case "pause":
    case "resume":
    case "skip":
      return {};
  }
}

/** What each clerk keeps, as people call it. */
const nouns: Readonly<Record<ClerkName, string>> = {
  workflows: "workflow",
  breakers: "breaker",
  access: "user",
  secrets: "secret",
  ratings: "run",
  servers: "server",
};

/** Where the words are not `noun.do`; null: nobody has asked for it. */
const otherVerbs: ReadonlyMap<string, string | null> = new Map([
  ["create_token", "token.create"],
  ["revoke_token", "token.revoke"],
  ["use_token", null],
  ["open_session", "session.open"],
  ["close_session", "session.close"],
  ["close_sessions", "session.close_all"],
  ["use_session", null],
  ["approve", "lock.approve"],
]);

function tellKept({ clerk, ask }: KeepRequest): Told | null {
  const asked = textOf(findIn(ask, "do")) ?? "change";
  const verb = otherVerbs.get(asked);
  if (verb === null) return null;
  const subject = subjectOf(ask, verb ?? "");
  return { verb: verb ?? `${nouns[clerk]}.${asked}`, subject, details: keptFields(ask, subject) };
}

/** By its id a session could be entered. */
function subjectOf(ask: Json, verb: string): string | null {
  const fields = verb.startsWith("session.") ? ["user"] : ["run", "workflow", "tool", "id", "name"];
  for (const field of fields) {
    const found = findIn(ask, field);
    if (typeof found === "string" || typeof found === "number") return String(found);
  }
  return null;
}

/** The only fields of what a clerk is asked that are kept, and what they are called. */
const keptNames: readonly (readonly [field: string, name: string])[] = [
  ["name", "name"],
  ["user", "user"],
  ["groups", "groups"],
  ["keys", "keys"],
  ["key", "key"],
  ["scopes", "scopes"],
  ["expiresAt", "expires_at"],
  ["no", "version"],
  ["note", "note"],
  ["step", "step"],
  ["quality", "quality"],
];

function keptFields(ask: Json, subject: string | null): JsonObject {
  const kept = keptNames.flatMap(([field, name]): [string, Json][] => {
    const found = findIn(ask, field);
    if (found === undefined || found === null || found === subject) return [];
    if (typeof found === "string") return [[name, cut(found)]];
    if (typeof found === "number") return [[name, found]];
    return isArray(found) ? [[name, found.flatMap((item) => cut(textOf(item)) ?? [])]] : [];
  });
  return Object.fromEntries(kept);
}

/** Whoever logs in or out is known by then; the door has asked. */
function loggedIn(request: Request): string | null {
  if (request.kind !== "keep" || request.clerk !== "access") return null;
  const asked = findIn(request.ask, "do");
  // The session is all that who logs out has to show: the program asks for them.
  const isOut = asked === "close_session" && request.as === undefined;
  return asked === "open_session" || isOut ? textOf(findIn(request.ask, "user")) : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function cut(text: string): string;
function cut(text: string | null): string | null;
function cut(text: string | null): string | null {
  return text === null || text.length <= textMax ? text : `${text.slice(0, textMax).toWellFormed()}…`;
}

function withoutNulls(fields: { readonly [name: string]: string | null }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
