// The verbs about who may do what. Changes go through the owner; what is only read comes from the store.

import { hashPassword } from "../access/password.ts";
import type { Asker } from "../access/permission.ts";
import { parsePrincipalId, toPrincipal, type Principal } from "../access/principal.ts";
import {
  createTokenId,
  createTokenText,
  findToken,
  hashToken,
  toToken,
  withoutHash,
  type StoredToken,
  type Token,
} from "../access/token.ts";
import type { AuditEntry, AuditQuery } from "../store/audit.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import { toInstant } from "./instant.ts";
import { listRights } from "./readers.ts";
import { Sessions } from "./sessions.ts";

export type PrincipalOptions = {
  /** Of a user: the groups it is in. */
  readonly groups?: readonly string[];
  /** Permission keys, such as `130001.read` or `tool:feed.*`. */
  readonly keys?: readonly string[];
  /** With which a user logs in; whatever there was before stays, unless given. */
  readonly password?: string;
};

export type TokenOptions = {
  readonly user: string;
  /** What it is for. */
  readonly name: string;
  /** `read`, `run`, `approve`, `save`, `admin` or permission keys that it is limited to, also in the runs that it starts;
   *  whatever the user may, unless given. */
  readonly scopes?: readonly string[];
  /** When it ends, as `at` of a start is given; never, unless given. */
  readonly expiresAt?: number | string | Date;
};

/** `text` is shown here and never again. */
export type NewToken = Token & { readonly text: string };

/** Its last use is known to the hour. */
const useEveryMs = 3_600_000;

export class Access {
  readonly #window: ClerkWindow;
  readonly tokens: Tokens;
  readonly sessions: Sessions;

  constructor(window: ClerkWindow) {
    this.#window = window;
    this.tokens = new Tokens(window);
    this.sessions = new Sessions(window);
  }

  /** Nobody was named yet: whoever has the store may do everything. */
  async isOpen(): Promise<boolean> {
    const isOpen = this.#window.isOpen?.();
    return isOpen ?? (await this.#window.store.listEntries("principal")).length === 0;
  }

  async list(): Promise<readonly Principal[]> {
    await this.#window.allow("admin");
    const entries = await this.#window.store.listEntries("principal");
    return entries.map(({ key, value }) => toPrincipal(key, value));
  }

  /** Who has changed what, newest first, fifty unless said otherwise. */
  async audit(query: Partial<AuditQuery> = {}): Promise<readonly AuditEntry[]> {
    await this.#window.allow("admin");
    return this.#window.store.listAudit({ limitMax: 50, ...query });
  }

  /** A user by its name, a group as `group:finance`; whatever it was granted before is replaced. */
  async save(name: string, { groups = [], keys = [], password }: PrincipalOptions = {}): Promise<Principal> {
    const hash = password === undefined ? {} : { passwordHash: await this.#hash(password) };
    return this.#ask({ do: "save", id: name, groups: [...groups], keys: [...keys], ...hash });
  }

  /** With which this user logs in; null: with none. Whoever is logged in as this user has to log in again. */
  async setPassword(user: string, password: string | null): Promise<void> {
    const hash = password === null ? null : await this.#hash(password);
    await this.#window.ask("access", { do: "set_password", id: user, passwordHash: hash });
  }

  /** What somebody may do, in words: `read`, or `read.own` where it reaches no further than their own runs. */
  async rightsOf(asker: Asker): Promise<readonly string[]> {
    await this.#window.allow("admin");
    return listRights(this.#window.store, asker);
  }

  /** Slow, so it is done for those only who may. */
  async #hash(password: string): Promise<string> {
    await this.#window.allow("admin");
    return hashPassword(password);
  }

  /** With its tokens, its password and wherever it is logged in; runs that it started fail at their next call. */
  async remove(name: string): Promise<void> {
    await this.#window.ask("access", { do: "remove", id: name });
  }

  async grant(name: string, key: string): Promise<Principal> {
    return this.#ask({ do: "grant", id: name, key });
  }

  async revoke(name: string, key: string): Promise<Principal> {
    return this.#ask({ do: "revoke", id: name, key });
  }

  async #ask(ask: { readonly id: string; readonly [field: string]: string | readonly string[] }): Promise<Principal> {
    const saved = await this.#window.ask("access", ask);
    return toPrincipal(parsePrincipalId(ask.id) ?? ask.id, saved);
  }
}

class Tokens {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** Made here: the owner, which may be another process, gets to see its hash only. */
  async create({ user, name, scopes, expiresAt }: TokenOptions): Promise<NewToken> {
    const endsAt = toInstant(expiresAt, { now: this.#window.clock.now(), zone: null });
    const text = createTokenText();
    const id = createTokenId();
    const created = await this.#window.ask("access", {
      do: "create_token",
      id,
      user,
      name,
      hash: hashToken(text),
      scopes: scopes === undefined ? null : [...scopes],
      expiresAt: endsAt,
    });
    return { ...withoutHash(toToken(id, created)), text };
  }

  /** Without their texts, which nobody has any more. */
  async list(): Promise<readonly Token[]> {
    await this.#window.allow("admin");
    return (await this.#stored()).map(withoutHash);
  }

  async revoke(id: string): Promise<void> {
    await this.#window.ask("access", { do: "revoke_token", id });
  }

  /** Who comes with it, for `engine.as(…)`; null: it is none, has expired, or was revoked. */
  async check(text: string): Promise<Asker | null> {
    await this.#window.allow("admin");
    const now = this.#window.clock.now();
    // A request without a token comes here as nothing at all.
    const token = typeof text === "string" ? findToken(text, await this.#stored(), now) : undefined;
    if (token === undefined) return null;
    const { id, user, scopes, lastUsedAt } = token;
    if (lastUsedAt === null || now - lastUsedAt >= useEveryMs)
      // Nobody is turned away because this could not be written.
      void this.#window.ask("access", { do: "use_token", id }).catch(() => {});
    return { user, via: id, scopes };
  }

  async #stored(): Promise<readonly StoredToken[]> {
    const entries = await this.#window.store.listEntries("token");
    return entries.map(({ key, value }) => toToken(key, value));
  }
}
