// Keeps secrets. They arrive sealed, since whoever sets one may be a guest, whose message goes through the file; the owner
// only makes sure that it can open them.

import type { KeyRing } from "../access/key-ring.ts";
import { fromSealed, seal, toSealed, unseal, type Sealed } from "../access/seal.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import { findIn, numberIn, textIn } from "./ask-fields.ts";
import type { Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Entries, EntryChange } from "./entries.ts";
import type { SecretVault } from "./secret-vault.ts";

export type SecretsParts = {
  readonly entries: Entries;
  readonly vault: SecretVault;
  readonly keys: KeyRing;
  readonly clock: Clock;
};

export class SecretsClerk implements Clerk {
  readonly #parts: SecretsParts;

  constructor(parts: SecretsParts) {
    this.#parts = parts;
  }

  async handle(ask: Json, by: string): Promise<Json> {
    switch (textIn(ask, "do")) {
      case "set":
        return this.#set(textIn(ask, "name"), findIn(ask, "sealed") ?? null, by);
      case "remove":
        return this.#remove(textIn(ask, "name"));
      case "rotate":
        return this.#rotate(textIn(ask, "keyId"));
      default:
        throw new StepwellError("REFUSED", "The message is none that this version knows.");
    }
  }

  async #set(name: string, value: Json, by: string): Promise<Json> {
    const { keys } = this.#parts;
    const sealed = toSealed(value);
    const key = sealed === undefined ? undefined : keys.find(sealed.keyId);
    if (sealed === undefined || key === undefined || unseal(sealed, name, key) === undefined) throw otherKey();
    await this.#change([this.#changeOf(name, sealed, by)]);
    return null;
  }

  async #remove(name: string): Promise<Json> {
    if (this.#parts.entries.find("secret", name) === undefined)
      throw new StepwellError("SECRET_NOT_FOUND", `There is no secret "${name}".`);
    await this.#change([{ kind: "secret", key: name, value: null }]);
    return null;
  }

  /** All of them or none: whoever gave the order does away with the old key. */
  async #rotate(keyId: string): Promise<Json> {
    const { entries, keys, vault } = this.#parts;
    const key = keys.find(keyId);
    if (key === undefined) throw otherKey();
    const changes = entries.list("secret").map(({ key: name, value }) => {
      const opened = vault.open(name);
      if (!opened.ok) throw new StepwellError("SECRET_KEY_UNUSABLE", opened.message);
      return this.#changeOf(name, seal(opened.value, name, key), textIn(value, "by"));
    });
    await this.#change(changes);
    return changes.length;
  }

  #changeOf(name: string, sealed: Sealed, by: string): EntryChange {
    const { entries, clock } = this.#parts;
    const before = entries.find("secret", name)?.value ?? null;
    const createdAt = numberIn(before, "createdAt") ?? clock.now();
    return { kind: "secret", key: name, value: { ...fromSealed(sealed), createdAt, by } };
  }

  async #change(changes: readonly EntryChange[]): Promise<void> {
    const written = this.#parts.entries.change(changes);
    this.#parts.vault.forget();
    await written;
  }
}

function otherKey(): StepwellError {
  return new StepwellError("SECRET_KEY_UNUSABLE", "The process that owns the store has another key for secrets.", {
    hint: "Give both the same STEPWELL_SECRET_KEY, or let both use the file beside the database.",
  });
}
