// What is written when somebody logs in or out, or gets another password.

import { sessionExpiry, toSession, type Session } from "../access/session.ts";
import type { Json } from "../flow/json.ts";
import type { Entries, EntryChange } from "./entries.ts";

type Known = Pick<Entries, "find" | "list">;

/** Browsers in which one user is logged in; with one more, the one that was used least lately is not any more. */
const sessionsMax = 20;

/** Sessions that have ended go with the next one that begins. */
export function openSession(entries: Known, { id, user }: Pick<Session, "id" | "user">, now: number): EntryChange[] {
  const sessions = listSessions(entries);
  const ended = sessions.filter((session) => sessionExpiry(session) <= now);
  const surplus = sessions
    .filter((session) => session.user === user && !ended.includes(session))
    .toSorted((one, other) => other.usedAt - one.usedAt)
    .slice(sessionsMax - 1);
  return [...[...ended, ...surplus].map(gone), change(id, { user, createdAt: now, usedAt: now })];
}

/** Nothing, when it has been closed meanwhile. */
export function useSession(entries: Known, id: string, now: number): EntryChange[] {
  const entry = entries.find("session", id);
  if (entry === undefined) return [];
  const { user, createdAt } = toSession(id, entry.value);
  return [change(id, { user, createdAt, usedAt: now })];
}

export function closeSessions(entries: Known, isMeant: (session: Session) => boolean): EntryChange[] {
  return listSessions(entries).filter(isMeant).map(gone);
}

/** Whoever is logged in with the password before has to log in again. null: there is none any more. */
export function changePassword(entries: Known, user: string, hash: string | null): EntryChange[] {
  const isThere = entries.find("password", user) !== undefined;
  const kept: EntryChange = { kind: "password", key: user, value: hash === null ? null : { hash } };
  return [...(hash === null && !isThere ? [] : [kept]), ...closeSessions(entries, (session) => session.user === user)];
}

function listSessions(entries: Known): readonly Session[] {
  return entries.list("session").map(({ key, value }) => toSession(key, value));
}

function change(id: string, value: Json): EntryChange {
  return { kind: "session", key: id, value };
}

function gone({ id }: Session): EntryChange {
  return { kind: "session", key: id, value: null };
}
