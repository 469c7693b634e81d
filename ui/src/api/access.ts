// Who is here, who may do what, and who has changed what.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  AuditDocument,
  NewTokenDocument,
  PrincipalDocument,
  SecretDocument,
  TokenDocument,
} from "../../../src/server/contract.ts";
import type { Json } from "../model/json.ts";
import { ask, askForPage } from "./request.ts";

export function logIn(user: string, password: string): Promise<unknown> {
  return ask("/api/login", { method: "POST", body: { user, password } });
}

export function logOut(): Promise<unknown> {
  return ask("/api/logout", { method: "POST" });
}

/** A user or a group. */
export type Principal = { readonly id: string; readonly groups: readonly string[]; readonly keys: readonly string[] };

/** Of none of these it is told when it changes: whoever looks at a list asks again. Who has been let in, or out, by another
 *  is to be seen soon. */
const meta = { everyMs: 2000 };

export const usersQuery = queryOptions({
  queryKey: ["users"],
  meta,
  queryFn: ({ signal }): Promise<readonly Principal[]> => ask<readonly PrincipalDocument[]>("/api/users", { signal }),
});

export type NewUser = {
  readonly name: string;
  readonly groups: readonly string[];
  readonly keys: readonly string[];
  readonly password?: string;
};

export function saveUser(user: NewUser): Promise<unknown> {
  return ask("/api/users", { method: "POST", body: user });
}

/** null: only tokens let this user in. */
export function setPassword(name: string, password: string | null): Promise<unknown> {
  return ask(`/api/users/${encodeURIComponent(name)}/password`, { method: "POST", body: { password } });
}

export function removeUser(name: string): Promise<unknown> {
  return ask(`/api/users/${encodeURIComponent(name)}`, { method: "DELETE" });
}

export type Token = {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly string[] | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
};

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  meta,
  queryFn: async ({ signal }): Promise<readonly Token[]> =>
    (await ask<readonly TokenDocument[]>("/api/tokens", { signal })).map(({ id, user, name, scopes, ...rest }) => ({
      id,
      user,
      name,
      scopes,
      createdAt: rest.created_at,
      expiresAt: rest.expires_at,
      revokedAt: rest.revoked_at,
      lastUsedAt: rest.last_used_at,
    })),
});

export type TokenWish = { readonly user: string; readonly name: string; readonly scopes: readonly string[] };

/** Its text, which is told this once. */
export async function createToken(wish: TokenWish): Promise<string> {
  return (await ask<NewTokenDocument>("/api/tokens", { method: "POST", body: wish })).text;
}

export function revokeToken(id: string): Promise<unknown> {
  return ask(`/api/tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
}

export type Secret = { readonly name: string; readonly updatedAt: number };

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  meta,
  queryFn: async ({ signal }): Promise<readonly Secret[]> =>
    (await ask<readonly SecretDocument[]>("/api/secrets", { signal })).map(({ name, updated_at: updatedAt }) => ({
      name,
      updatedAt,
    })),
});

export function saveSecret(name: string, value: string): Promise<unknown> {
  return ask("/api/secrets", { method: "POST", body: { name, value } });
}

export function removeSecret(name: string): Promise<unknown> {
  return ask(`/api/secrets/${encodeURIComponent(name)}`, { method: "DELETE" });
}

export type AuditEntry = {
  readonly no: number;
  readonly at: number;
  readonly user: string;
  readonly source: string;
  readonly verb: string;
  readonly subject: string | null;
  readonly details: Json;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: string | null };
export type AuditQuery = { readonly user?: string; readonly verb?: string; readonly subject?: string };

export function auditQuery(query: AuditQuery) {
  return infiniteQueryOptions({
    queryKey: ["audit", query],
    queryFn: async ({ pageParam, signal }): Promise<AuditPage> => {
      const asked = { ...query, limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { document, next } = await askForPage<readonly AuditDocument[]>("/api/audit", { query: asked, signal });
      return { entries: document, next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last: AuditPage) => last.next,
  });
}
