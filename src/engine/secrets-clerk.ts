// Keeps secrets. They arrive sealed, since whoever sets one may be a guest, whose message goes through the file. What is
// kept is sealed with the key that is the first at that moment, and a key is only taken away when nothing needs it.

import type { KeyRing } from "../access/key-ring.ts";
import { fromSealed, seal, toSealed, unseal, type SecretKey } from "../access/seal.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import { findIn, numberIn, textIn } from "./ask-fields.ts";
import type { Store } from "../store/store.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Entries, EntryChange } from "./entries.ts";
import type { SecretVault } from "./secret-vault.ts";

export type SecretsParts = {
  readonly store: Store;
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

  async handle(ask: Json, asking: Asking): Promise<Json> {
    switch (textIn(ask, "do")) {
      case "set":
        return this.#set(textIn(ask, "name"), findIn(ask, "sealed") ?? null, asking);
      case "remove":
        return this.#remove(textIn(ask, "name"), asking);
      case "rotate":
        return this.#rotate(textIn(ask, "keyId"), asking);
      case "retire":
        return this.#retire();
      default:
        throw new StepwellError("REFUSED", "The message is none that this version knows.");
    }
  }

  async #set(name: string, value: Json, asking: Asking): Promise<Json> {
    const { keys, vault, entries } = this.#parts;
    const sealed = toSealed(value);
    const key = sealed === undefined ? undefined : keys.find(sealed.keyId);
    const text = sealed === undefined || key === undefined ? undefined : unseal(sealed, name, key);
    if (text === undefined) throw otherKey();
    vault.learn(name);
    // Whoever sealed it may have read the key before another took its place.
    const change = this.#seal({ name, value: text, by: asking.by, key: keys.current() });
    const written = entries.change([change], { asking });
    vault.learn(name);
    return written;
  }

  async #remove(name: string, asking: Asking): Promise<Json> {
    const { entries, vault } = this.#parts;
    if (entries.find("secret", name) === undefined)
      throw new StepwellError("SECRET_NOT_FOUND", `There is no secret "${name}".`);
    vault.learn(name);
    return entries.change([{ kind: "secret", key: name, value: null }], { asking });
  }

  /** All of them or none. */
  async #rotate(keyId: string, asking: Asking): Promise<Json> {
    const { entries, keys } = this.#parts;
    const asked = keys.find(keyId);
    if (asked === undefined) throw otherKey();
    // Of two rotations at the same time, both seal with the key that was added last.
    const key = keys.isGiven ? asked : keys.current();
    const sealed = this.#sealAll(key);
    if ("problem" in sealed) {
      // Meanwhile somebody may have set a secret that is sealed with it.
      if (!keys.isGiven && !(await this.#listUsed()).has(asked.id)) keys.remove(asked);
      throw new StepwellError("SECRET_KEY_UNUSABLE", sealed.problem);
    }
    // Nothing is awaited before this: what is set meanwhile would be undone.
    const count = sealed.changes.length;
    await entries.change(sealed.changes, { asking, answer: () => count });
    return count;
  }

  /** Takes away the keys that nothing is sealed with any more. One that is added meanwhile stays, as the first. */
  async #retire(): Promise<Json> {
    const { keys } = this.#parts;
    if (keys.isGiven) return 0;
    const known = keys.list();
    const used = await this.#listUsed();
    const unused = known.flatMap(({ id }) => (used.has(id) ? [] : [id]));
    keys.retire(unused);
    return unused.length;
  }

  #sealAll(key: SecretKey): { readonly changes: readonly EntryChange[] } | { readonly problem: string } {
    const { entries, vault } = this.#parts;
    const changes: EntryChange[] = [];
    for (const { key: name, value } of entries.list("secret")) {
      const opened = vault.open(name);
      if (!opened.ok) return { problem: opened.message };
      changes.push(this.#seal({ name, value: opened.value, by: textIn(value, "by"), key }));
    }
    return { changes };
  }

  /** The keys of what is on disk, and of what is on its way there: either may be what is found after a crash. */
  async #listUsed(): Promise<ReadonlySet<string | undefined>> {
    const { entries, store } = this.#parts;
    const onDisk = await store.listEntries("secret");
    return new Set([...onDisk, ...entries.list("secret")].map(({ value }) => toSealed(value)?.keyId));
  }

  #seal({ name, value, by, key }: Sealing): EntryChange {
    const { entries, clock } = this.#parts;
    const before = entries.find("secret", name)?.value ?? null;
    const createdAt = numberIn(before, "createdAt") ?? clock.now();
    return { kind: "secret", key: name, value: { ...fromSealed(seal(value, name, key)), createdAt, by } };
  }
}

type Sealing = { readonly name: string; readonly value: string; readonly by: string; readonly key: SecretKey };

export function otherKey(): StepwellError {
  return new StepwellError("SECRET_KEY_UNUSABLE", "The process that owns the store has another key for secrets.", {
    hint: "Give both the same STEPWELL_SECRET_KEY, or let both use the file beside the database.",
  });
}
