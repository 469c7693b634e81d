// The verbs about who may do what, through a server: users, tokens, the audit, secrets.

import { parsePrincipalId, type Principal } from "../access/principal.ts";
import type { Token } from "../access/token.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { SecretEntry } from "../engine/secrets.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { AuditEntry } from "../store/audit.ts";
import { pageMax, toPath } from "./address.ts";
import { notThere } from "./failure.ts";
import { listIn, objectIn, take, textIn } from "./fields.ts";
import type { Wire } from "./wire.ts";

type Verbs = UserEngine["access"];

const users = "api/users";
const tokens = "api/tokens";
const secrets = "api/secrets";

export function createAccess(wire: Wire, key: string | null): Verbs {
  const post = async (path: string, body: Json): Promise<Json> =>
    (await wire.send({ method: "POST", path, body, key })).body;
  return {
    tokens: createTokens(wire, key),
    sessions: createSessions(),
    // Whoever needs no token is let in because nobody is named yet.
    isOpen: async () => textIn(objectIn((await wire.read("api/me")).body), "how") === "local",
    rightsOf: () => Promise.reject(notThere("Saying what others may do")),
    list: async () => listIn((await wire.read(users)).body).map(toPrincipal),
    audit: async (wish) => {
      const { user, verb, subject, before, limitMax } = wish ?? {};
      const names = ["no", "at", "user", "via", "source", "verb", "subject", "details"] as const;
      const entries: AuditEntry[] = [];
      for (;;) {
        const limit = limitMax === undefined ? undefined : Math.min(pageMax, limitMax - entries.length);
        const query = { user, verb, subject, cursor: entries.at(-1)?.no ?? before, limit };
        const page = listIn((await wire.read("api/audit", query)).body).map((entry) => take<AuditEntry>(entry, names));
        entries.push(...page);
        if (limit === undefined || page.length < limit || entries.length === limitMax) return entries;
      }
    },
    save: async (name, options) => {
      const { groups = [], keys = [], password } = options ?? {};
      const body = { name, groups, keys, ...(password === undefined ? {} : { password }) };
      return toPrincipal(objectIn(await post(users, body)));
    },
    setPassword: async (user, password) => void (await post(toPath(users, user, "password"), { password })),
    remove: async (name) => {
      await wire.send({ method: "DELETE", path: toPath(users, name), key, repeat: "once" });
    },
    grant: async (name, granted) => toPrincipal(objectIn(await post(toPath(users, name, "grant"), { key: granted }))),
    revoke: async (name, revoked) => toPrincipal(objectIn(await post(toPath(users, name, "revoke"), { key: revoked }))),
  };
}

function toPrincipal(document: JsonObject): Principal {
  const principal = take<Principal>(document, ["id", "groups", "keys"]);
  return { ...principal, id: parsePrincipalId(principal.id) ?? principal.id };
}

const tokenNames = [
  "id",
  "user",
  "name",
  "scopes",
  "createdAt",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
] as const satisfies readonly (keyof Token)[];

function createTokens(wire: Wire, key: string | null): Verbs["tokens"] {
  return {
    create: async ({ user, name, scopes, expiresAt }) => {
      const end = expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt;
      const body = {
        user,
        name,
        ...(scopes === undefined ? {} : { scopes }),
        ...(end === undefined ? {} : { expires_at: end }),
      };
      const ask = { method: "POST", path: tokens, body, key, repeat: "once" } as const;
      const created = objectIn((await wire.send(ask)).body);
      return { ...take<Token>(created, tokenNames), text: textIn(created, "text") };
    },
    list: async () => listIn((await wire.read(tokens)).body).map((token) => take<Token>(token, tokenNames)),
    revoke: async (id) => {
      await wire.send({ method: "DELETE", path: toPath(tokens, id), key, repeat: "once" });
    },
    check: () => Promise.reject(notThere("Checking a token")),
  };
}

function createSessions(): Verbs["sessions"] {
  return { open: refuseLogin, check: refuseLogin, close: refuseLogin, closeAll: refuseLogin };
}

function refuseLogin(): Promise<never> {
  return Promise.reject(notThere("Logging people in"));
}

export function createSecrets(wire: Wire, key: string | null): UserEngine["secrets"] {
  return {
    set: async (name, value) => {
      await wire.send({ method: "POST", path: secrets, body: { name, value }, key });
    },
    list: async () => {
      const names = ["name", "createdAt", "updatedAt"] as const;
      return listIn((await wire.read(secrets)).body).map((entry) => take<SecretEntry>(entry, names));
    },
    remove: async (name) => {
      await wire.send({ method: "DELETE", path: toPath(secrets, name), key, repeat: "once" });
    },
    rotate: () => Promise.reject(notThere("Giving secrets another key")),
  };
}
