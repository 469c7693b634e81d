// Sessions: what a browser shows once its user has logged in. Kept under the hash of their text, so that whoever reads the
// store comes in with none of them.

import { createHash, randomBytes } from "node:crypto";
import { isObject, own, type Json } from "../flow/json.ts";

export type Session = {
  /** The hash of its text. */
  readonly id: string;
  readonly user: string;
  readonly createdAt: number;
  /** To the hour: it is not written at each use. */
  readonly usedAt: number;
};

const hourMs = 3_600_000;
/** Whoever goes home is logged out by the next morning. */
const idleMaxMs = 12 * hourMs;
export const sessionAgeMaxMs: number = 7 * 24 * hourMs;
const prefix = "sws_";

export function createSessionText(): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** undefined: it is no text of a session. */
export function sessionIdOf(text: unknown): string | undefined {
  if (typeof text !== "string" || !text.startsWith(prefix) || text.length > 100) return undefined;
  return createHash("sha256").update(text).digest("hex");
}

export function sessionExpiry({ createdAt, usedAt }: Pick<Session, "createdAt" | "usedAt">): number {
  return Math.min(usedAt + idleMaxMs, createdAt + sessionAgeMaxMs);
}

/** It is time to write down that it is used. */
export function isRenewable({ usedAt }: Session, now: number): boolean {
  return now - usedAt >= hourMs;
}

export function toSession(id: string, value: Json): Session {
  const field = (name: string): Json | undefined => (isObject(value) ? own(value, name) : undefined);
  const [user, createdAt, usedAt] = [field("user"), field("createdAt"), field("usedAt")];
  return {
    id,
    user: typeof user === "string" ? user : "",
    createdAt: typeof createdAt === "number" ? createdAt : 0,
    usedAt: typeof usedAt === "number" ? usedAt : 0,
  };
}
