// The verbs about people who log in. Passwords are checked here, by whoever was given them; the owner, which may be another
// process, gets to see hashes only.

import { isPassword } from "../access/password.ts";
import type { Asker } from "../access/permission.ts";
import { createSessionText, isRenewable, sessionExpiry, sessionIdOf, toSession } from "../access/session.ts";
import { StepwellError } from "../error.ts";
import { findIn } from "./ask-fields.ts";
import type { ClerkWindow } from "./clerk-window.ts";

/** `text` is for the user's browser, and nowhere kept; used each day it lasts for a week, unused for half a day. */
export type NewSession = { readonly text: string; readonly expiresAt: number; readonly user: string };

export class Sessions {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** Throws in the same words, and after the same time, whoever is not known or has another password. How often somebody
   *  may try is for the door to say. */
  async open(user: string, password: string): Promise<NewSession> {
    await this.#window.allow("admin");
    // Programs without types come here too.
    const [name, word] = [user, password].map((given) => (typeof given === "string" ? given : ""));
    const entry = await this.#window.store.findEntry("password", name ?? "");
    const kept = entry === undefined ? undefined : findIn(entry.value, "hash");
    const isRight = await isPassword(word ?? "", typeof kept === "string" ? kept : undefined);
    if (!isRight || entry === undefined) throw notLoggedIn();
    const text = createSessionText();
    const id = sessionIdOf(text) ?? "";
    const now = this.#window.clock.now();
    // The password may have changed while this one was looked at.
    await this.#window.ask("access", { do: "open_session", id, user, passwordVersion: entry.version });
    return { text, user, expiresAt: sessionExpiry({ createdAt: now, usedAt: now }) };
  }

  /** Who comes with it, for `engine.as(…)`; null: it is none, has expired, or was closed. */
  async check(text: string): Promise<Asker | null> {
    await this.#window.allow("admin");
    const id = sessionIdOf(text);
    const entry = id === undefined ? undefined : await this.#window.store.findEntry("session", id);
    if (entry === undefined) return null;
    const session = toSession(entry.key, entry.value);
    const now = this.#window.clock.now();
    if (now >= sessionExpiry(session)) return null;
    if (isRenewable(session, now))
      // Nobody is turned away because this could not be written.
      void this.#window.ask("access", { do: "use_session", id: session.id }).catch(() => {});
    return { user: session.user, via: "session", scopes: null };
  }

  /** Logged out; one that is none is closed already. */
  async close(text: string): Promise<void> {
    const id = sessionIdOf(text) ?? "";
    const entry = await this.#window.store.findEntry("session", id);
    // Whose it was, for the audit.
    const whose = entry === undefined ? {} : { user: toSession(entry.key, entry.value).user };
    await this.#window.ask("access", { do: "close_session", id, ...whose });
  }

  /** Of this user, wherever they are logged in. */
  async closeAll(user: string): Promise<void> {
    await this.#window.ask("access", { do: "close_sessions", user });
  }
}

export function notLoggedIn(): StepwellError {
  return new StepwellError("NOT_LOGGED_IN", "The user or the password is wrong.");
}
