// The verbs about secrets. A value goes in and never comes out again but into the call of a tool.

import type { KeyRing } from "../access/key-ring.ts";
import { secretLengthMin } from "../access/mask.ts";
import { createSecretKey, fromSealed, parseSecretKey, seal, type SecretKey } from "../access/seal.ts";
import { StepwellError } from "../error.ts";
import { numberIn } from "./ask-fields.ts";
import type { ClerkWindow } from "./clerk-window.ts";

export type SecretEntry = { readonly name: string; readonly createdAt: number; readonly updatedAt: number };

const namePattern = /^[A-Za-z_](?:[A-Za-z0-9_ .-]{0,98}[A-Za-z0-9_])?$/;
/** A key file or a certificate, not an archive. */
const secretLengthMax = 32_768;

export class Secrets {
  readonly #window: ClerkWindow;
  readonly #keys: KeyRing;

  constructor(window: ClerkWindow, keys: KeyRing) {
    this.#window = window;
    this.#keys = keys;
  }

  /** Flows name it `{{ secrets.NAME }}`, in the arguments of calls. */
  async set(name: string, value: string): Promise<void> {
    await this.#window.allow("secrets");
    checkSecret(name, value);
    const key = this.#keys.current();
    try {
      await this.#set(name, value, key);
    } catch (error) {
      // Another key has taken its place while the message was on its way.
      const now = isUnusable(error) ? this.#keys.current() : key;
      if (now.id === key.id) throw error;
      await this.#set(name, value, now);
    }
  }

  async #set(name: string, value: string, key: SecretKey): Promise<void> {
    await this.#window.ask("secrets", { do: "set", name, sealed: fromSealed(seal(value, name, key)) });
  }

  /** Names and times; the values are for tools only. */
  async list(): Promise<readonly SecretEntry[]> {
    await this.#window.allow("secrets");
    const entries = await this.#window.store.listEntries("secret");
    return entries.map(({ key, updatedAt, value }) => ({
      name: key,
      createdAt: numberIn(value, "createdAt") ?? updatedAt,
      updatedAt,
    }));
  }

  async remove(name: string): Promise<void> {
    await this.#window.ask("secrets", { do: "remove", name });
  }

  /** Seals all of them anew: with `newKey`, else with the first that the environment gives, else with one that is made. How
   *  many there were. */
  async rotate(newKey?: string): Promise<number> {
    await this.#window.allow("secrets");
    const key = this.#nextKey(newKey);
    const count = await this.#rotateTo(key);
    // The keys before go when nothing on disk needs them; whoever asks hears of it when they are gone.
    if (!this.#keys.isGiven) await this.#window.ask("secrets", { do: "retire" });
    return count;
  }

  async #rotateTo(key: SecretKey): Promise<number> {
    try {
      return await this.#rotate(key);
    } catch (error) {
      // Another rotation, which came first, may have taken the key away as one that nothing was sealed with yet.
      const isGone = !this.#keys.isGiven && !this.#keys.list().some(({ id }) => id === key.id);
      if (!isUnusable(error) || !isGone) throw error;
      return this.#rotate(key);
    }
  }

  async #rotate(key: SecretKey): Promise<number> {
    const isNew = this.#keys.find(key.id) === undefined;
    this.#keys.add(key);
    try {
      return Number(await this.#window.ask("secrets", { do: "rotate", keyId: key.id }));
    } catch (error) {
      // From the file the owner takes it, who knows what is sealed with it. After anything but a refusal both keys stay, so
      // that whatever is on disk can be opened.
      if (isUnusable(error) && this.#keys.isGiven && isNew) this.#keys.remove(key);
      throw error;
    }
  }

  #nextKey(given: string | undefined): SecretKey {
    if (given === undefined) return this.#keys.isGiven ? this.#keys.current() : createSecretKey();
    const key = parseSecretKey(given);
    if (key !== undefined) return key;
    throw new StepwellError("SECRET_KEY_UNUSABLE", "A key for secrets must be 32 bytes, in base64 or hex.");
  }
}

function isUnusable(error: unknown): boolean {
  return error instanceof StepwellError && error.code === "SECRET_KEY_UNUSABLE";
}

function checkSecret(name: string, value: string): void {
  if (!namePattern.test(name))
    throw new StepwellError(
      "INPUT_INVALID",
      `"${name}" is no name for a secret: letters, digits and _ . -, such as API_KEY.`,
    );
  if (typeof value !== "string" || !value.isWellFormed())
    throw new StepwellError("INPUT_INVALID", `The secret "${name}" must be a text.`);
  if (value.trim().length < secretLengthMin)
    throw new StepwellError(
      "INPUT_INVALID",
      `The secret "${name}" is shorter than ${secretLengthMin} characters; it could not be told from other text.`,
    );
  if (value.length > secretLengthMax)
    throw new StepwellError("INPUT_INVALID", `The secret "${name}" has more than ${secretLengthMax} characters.`);
}
