// Tokens: what a program shows in place of a user. Shown once when they are made; kept as a hash, from which nobody gets
// back. They are random enough that a plain hash does.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isObject, own, type Json } from "../flow/json.ts";
import { textsIn } from "./principal.ts";

export type Token = {
  readonly id: string;
  readonly user: string;
  /** What it is for, in its owner's words. */
  readonly name: string;
  /** null: whatever the user may. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** To the hour: it is not written at each use. */
  readonly lastUsedAt: number | null;
};

export type StoredToken = Token & { readonly hash: string };

const prefix = "swk_";

export function createTokenText(): string {
  return prefix + randomBytes(24).toString("base64url");
}

export function createTokenId(): string {
  return `tok_${randomBytes(9).toString("base64url")}`;
}

export function hashToken(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The token with this text, if it is good now. */
export function findToken(text: string, tokens: readonly StoredToken[], now: number): StoredToken | undefined {
  if (!text.startsWith(prefix) || text.length > 100) return undefined;
  const given = Buffer.from(hashToken(text));
  const found = tokens.find(({ hash }) => {
    const kept = Buffer.from(hash);
    return kept.length === given.length && timingSafeEqual(kept, given);
  });
  return found === undefined || !isGood(found, now) ? undefined : found;
}

export function isGood({ revokedAt, expiresAt }: Token, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

export function toToken(id: string, value: Json): StoredToken {
  const field = (name: string): Json | undefined => (isObject(value) ? own(value, name) : undefined);
  const text = (name: string): string => {
    const found = field(name);
    return typeof found === "string" ? found : "";
  };
  const instant = (name: string): number | null => {
    const found = field(name);
    return typeof found === "number" ? found : null;
  };
  return {
    id,
    user: text("user"),
    name: text("name"),
    hash: text("hash"),
    scopes: Array.isArray(field("scopes")) ? textsIn(value, "scopes") : null,
    createdAt: instant("createdAt") ?? 0,
    expiresAt: instant("expiresAt"),
    revokedAt: instant("revokedAt"),
    lastUsedAt: instant("lastUsedAt"),
  };
}

/** As it is shown: without its hash. */
export function withoutHash(token: StoredToken): Token {
  const { id, user, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return { id, user, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt };
}
