// Secrets in the owner's hands: opened for a call, put into its arguments, and kept out of all that comes back. Nothing
// here is ever written; rows hold the placeholders.

import { fillSecrets } from "../access/fill.ts";
import type { KeyRing } from "../access/key-ring.ts";
import { Masker } from "../access/mask.ts";
import { toSealed, unseal } from "../access/seal.ts";
import type { Json } from "../flow/json.ts";
import type { SecretPlace } from "../flow/template/expand.ts";
import type { ToolAnswer } from "../tool/tool.ts";
import type { Entries } from "./entries.ts";

export type Opened =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: "secret_missing" | "secret_unreadable"; readonly message: string };

export type Filled =
  | { readonly ok: true; readonly args: Json }
  /** A secret is not there, or cannot be opened: nothing is called. */
  | { readonly ok: false; readonly answer: ToolAnswer };

export class SecretVault {
  readonly #entries: Entries;
  readonly #keys: KeyRing;
  readonly #masker = new Masker();
  /** Everything that was there at first and can be opened is known to the masker, used or not. */
  #isLearned = false;

  constructor(entries: Entries, keys: KeyRing) {
    this.#entries = entries;
    this.#keys = keys;
  }

  open(name: string): Opened {
    const entry = this.#entries.find("secret", name);
    if (entry === undefined)
      return { ok: false, code: "secret_missing", message: `The secret "${name}" is not there; nothing was called.` };
    const sealed = toSealed(entry.value);
    try {
      const key = sealed === undefined ? undefined : this.#keys.find(sealed.keyId);
      if (sealed === undefined || key === undefined)
        return unreadable(name, `the key ${sealed?.keyId ?? ""} that it was sealed with is not there`);
      const value = unseal(sealed, name, key);
      if (value === undefined) return unreadable(name, "what is stored is damaged");
      this.#masker.learn(name, value);
      return { ok: true, value };
    } catch (error) {
      return unreadable(name, error instanceof Error ? error.message : String(error));
    }
  }

  /** The arguments with the values in their places. */
  fill(args: Json, places: readonly SecretPlace[]): Filled {
    const values = new Map<string, string>();
    for (const { name } of places) {
      const opened = this.open(name);
      if (!opened.ok) return { ok: false, answer: { kind: "failed", isFinal: true, ...failureOf(opened) } };
      values.set(name, opened.value);
    }
    return { ok: true, args: fillSecrets(args, places, (name) => values.get(name) ?? "") };
  }

  maskAnswer(answer: ToolAnswer): ToolAnswer {
    const masker = this.#known();
    if (masker.isEmpty || answer.kind === "lost") return answer;
    if (answer.kind === "failed")
      return { ...answer, code: masker.maskText(answer.code), message: masker.maskMessage(answer.message) };
    if (answer.kind === "held") return { ...answer, message: masker.maskMessage(answer.message) };
    const { outcome } = answer;
    return {
      ...answer,
      result: masker.maskJson(answer.result),
      outcome: outcome === null ? null : masker.maskText(outcome),
    };
  }

  maskMessage(text: string): string {
    return this.#known().maskMessage(text);
  }

  /** From now on its value is masked, whatever becomes of it: asked for whenever one has been set or is about to go. */
  learn(name: string): void {
    this.open(name);
  }

  #known(): Masker {
    if (!this.#isLearned) for (const { key } of this.#entries.list("secret")) this.open(key);
    this.#isLearned = true;
    return this.#masker;
  }
}

function failureOf({ code, message }: Extract<Opened, { ok: false }>): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message };
}

function unreadable(name: string, reason: string): Opened {
  const message = `The secret "${name}" cannot be opened: ${reason.replace(/\.$/, "")}; nothing was called.`;
  return { ok: false, code: "secret_unreadable", message };
}
