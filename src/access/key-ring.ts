// The keys that secrets are sealed with. The first seals; any others only open what was sealed before. They come from the
// environment, or from a file that nobody else may read: beside the database, or, when that is on a server, in the user's
// folder for such things; of a store in memory they live as long. Any process may add to the file; only the owner of the
// store, who knows what is sealed with what, takes from it.

import { linkSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StepwellError } from "../error.ts";
import { isServerAddress } from "../store/address.ts";
import { serverKeyPath } from "./key-folder.ts";
import {
  codeOf,
  readPrivateFile,
  replacePrivateFile,
  syncFolder,
  writeDraft,
  type PrivateFile,
} from "./private-file.ts";
import { createSecretKey, parseSecretKey, type SecretKey } from "./seal.ts";

export type KeyPlace = {
  /** One or more keys, apart by spaces or commas; undefined: the file has them. */
  readonly given: string | undefined;
  /** null: there is no file, and keys are made up. */
  readonly path: string | null;
  /** Its folder is made when it is not there. */
  readonly makesFolder?: boolean;
};

/** On file, unless the program or the environment gives the key. */
export function keyPlaceOf(store: string, key: string | undefined): KeyPlace {
  const given = key ?? process.env["STEPWELL_SECRET_KEY"];
  const folder = isServerAddress(store) ? { makesFolder: true } : {};
  return { given: given === "" ? undefined : given, path: keyPathOf(store), ...folder };
}

/** Two names of one database have one key. */
function keyPathOf(store: string): string | null {
  if (store === ":memory:") return null;
  return isServerAddress(store) ? serverKeyPath(store, process.env) : `${realpathSync(store)}-key`;
}

export class KeyRing {
  readonly #place: KeyPlace;
  #keys: readonly SecretKey[] | null = null;

  constructor(place: KeyPlace) {
    this.#place = place;
  }

  /** The key that seals now, whoever has put it there; made when there is none. */
  current(): SecretKey {
    const [first] = this.list();
    if (first !== undefined) return first;
    const { path } = this.#place;
    if (path === null) {
      const made = createSecretKey();
      this.#keys = [made];
      return made;
    }
    this.#makeFolder(path);
    makeKeyFile(path);
    const [kept] = this.list();
    if (kept !== undefined) return kept;
    throw new StepwellError("SECRET_KEY_UNUSABLE", `${path} was taken away while the key in it was made.`);
  }

  /** As they are on file at this moment. */
  list(): readonly SecretKey[] {
    if (this.#isOnFile) this.#keys = null;
    return this.#known();
  }

  /** Another process may have made it since the file was read. */
  find(id: string): SecretKey | undefined {
    const known = this.#known().find((key) => key.id === id);
    if (known !== undefined || !this.#isOnFile) return known;
    return this.list().find((key) => key.id === id);
  }

  /** From now on `key` seals; the others go on opening until `retire`. */
  add(key: SecretKey): void {
    this.#replace([key, ...this.list().filter(({ id }) => id !== key.id)]);
  }

  /** Nothing is sealed with these any more. The one that seals stays in any case. */
  retire(ids: readonly string[]): void {
    const keys = this.list();
    const kept = keys.filter(({ id }, index) => index === 0 || !ids.includes(id));
    if (kept.length < keys.length) this.#replace(kept);
  }

  /** Nothing was sealed with it. The one that sealed before it does so again. */
  remove(key: SecretKey): void {
    const others = this.list().filter(({ id }) => id !== key.id);
    if (others.length > 0) this.#replace(others);
  }

  /** By the environment or the program, which alone can change it for good. */
  get isGiven(): boolean {
    return this.#place.given !== undefined;
  }

  get #isOnFile(): boolean {
    return this.#place.given === undefined && this.#place.path !== null;
  }

  #replace(keys: readonly SecretKey[]): void {
    const { path } = this.#place;
    if (this.#isOnFile && path !== null) {
      this.#makeFolder(path);
      replaceKeyFile(path, keys);
    }
    this.#keys = keys;
  }

  #makeFolder(path: string): void {
    try {
      if (this.#place.makesFolder === true) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw unusable(path, error);
    }
  }

  #known(): readonly SecretKey[] {
    const { given, path } = this.#place;
    if (given !== undefined) this.#keys ??= parseKeys(given, "STEPWELL_SECRET_KEY");
    else if (path !== null) this.#keys ??= readKeyFile(path);
    return this.#keys ?? [];
  }
}

function parseKeys(text: string, from: string): readonly SecretKey[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const hint = "Make one with: openssl rand -base64 32";
  if (words.length === 0)
    throw new StepwellError("SECRET_KEY_UNUSABLE", `${from} holds no key for secrets: it is empty.`, { hint });
  return words.map((word) => {
    const key = parseSecretKey(word);
    if (key !== undefined) return key;
    const message = `${from} is no key for secrets: it must be 32 bytes, in base64 or hex.`;
    throw new StepwellError("SECRET_KEY_UNUSABLE", message, { hint });
  });
}

function readKeyFile(path: string): readonly SecretKey[] | null {
  const file = find(path);
  switch (file.kind) {
    case "none":
      return null;
    case "open": {
      const shown = file.mode.toString(8).padStart(4, "0");
      const message = `${path} can be read by others (its mode is ${shown}), so the key in it is not used.`;
      const hint = `If nobody has read it: chmod 600 ${path}. Else make a new key and set the secrets again.`;
      throw new StepwellError("SECRET_KEY_UNUSABLE", message, { hint });
    }
    case "private":
      return parseKeys(file.text, path);
  }
}

function find(path: string): PrivateFile {
  try {
    return readPrivateFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Only if there is none: of two processes that make one, both use the first. */
function makeKeyFile(path: string): void {
  let draft: string | null = null;
  try {
    draft = writeDraft(path, textOf([createSecretKey()]));
    linkSync(draft, path);
    // A secret that outlives its key in a power cut would be lost.
    syncFolder(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw unusable(path, error);
  } finally {
    if (draft !== null) rmSync(draft, { force: true });
  }
}

function replaceKeyFile(path: string, keys: readonly SecretKey[]): void {
  try {
    replacePrivateFile(path, textOf(keys));
  } catch (error) {
    throw unusable(path, error);
  }
}

function textOf(keys: readonly SecretKey[]): string {
  return keys.map(({ bytes }) => `${bytes.toString("base64")}\n`).join("");
}

function unusable(path: string, cause: unknown): StepwellError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StepwellError("SECRET_KEY_UNUSABLE", `The key for secrets in ${path} cannot be used: ${told}`, { cause });
}
