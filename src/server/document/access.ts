// Users, tokens and secrets as programs read them. Hashes and values are in none of them.

import type { Principal } from "../../access/principal.ts";
import type { Token } from "../../access/token.ts";
import type { SecretEntry } from "../../engine/secrets.ts";
import type { PrincipalDocument, SecretDocument, TokenDocument } from "../contract/access.ts";

export function toPrincipalDocument({ id, groups, keys }: Principal): PrincipalDocument {
  return { id, groups, keys };
}

export function toTokenDocument(token: Token): TokenDocument {
  return {
    id: token.id,
    user: token.user,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
    last_used_at: token.lastUsedAt,
  };
}

export function toSecretDocument({ name, createdAt, updatedAt }: SecretEntry): SecretDocument {
  return { name, created_at: createdAt, updated_at: updatedAt };
}
