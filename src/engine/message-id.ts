// By what a message is known when it comes again: an id of its own, or one that is made of a key of the asker's and of what
// is asked, so that the same again is told from something else under the same key.

import { createHash, randomUUID } from "node:crypto";

/** `key` null: it never comes again. */
export function createMessageId(key: string | null, user: string, asked: unknown): string {
  if (key === null) return randomUUID();
  const digest = createHash("sha256").update(JSON.stringify(asked)).digest("base64url").slice(0, 16);
  return `${startKeyOf(key, user)}#${digest}`;
}

/** Each user's keys are their own: nobody finds another's run by guessing one. */
export function startKeyOf(key: string, user: string): string {
  // Behind a "#" stands what was asked.
  return `${user}:${key.replaceAll("%", "%25").replaceAll("#", "%23")}`;
}
