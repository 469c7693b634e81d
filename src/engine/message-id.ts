// By what a message is known when it comes again: an id of its own, or one that is made of a key of the asker's and of what
// is asked, so that the same again is told from something else under the same key.

import { createHash, randomUUID } from "node:crypto";

/** `key` null: it never comes again. */
export function createMessageId(key: string | null, user: string, asked: unknown): string {
  if (key === null) return randomUUID();
  return `${startKeyOf(key, user)}#${digestOf(asked)}`;
}

const markPrefix = "start=";

/** Kept among the ids of messages, none of which begins so. */
export function markOf(asked: unknown): string {
  return markPrefix + digestOf(asked);
}

/** undefined: it was started without a key, or so much has come since that it is forgotten. */
export function findMark(seen: readonly string[]): string | undefined {
  return seen.find((id) => id.startsWith(markPrefix));
}

function digestOf(asked: unknown): string {
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64url").slice(0, 16);
}

/** What is asked under this key again, of a run that has been told something. */
export function recall(seen: readonly string[], id: string): "same" | "other" | "new" {
  const end = id.lastIndexOf("#");
  // It has an id of its own.
  if (end < 0) return "new";
  if (seen.some((each) => each === id || each.startsWith(`${id}!`))) return "same";
  return seen.some((each) => each.startsWith(id.slice(0, end + 1))) ? "other" : "new";
}

/** Each user's keys are their own: nobody finds another's run by guessing one. */
export function startKeyOf(key: string, user: string): string {
  // Behind a "#" stands what was asked.
  return `${user}:${key.replaceAll("%", "%25").replaceAll("#", "%23")}`;
}
