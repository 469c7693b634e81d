// The servers that were added through this program, in a file of our own: other programs' files have comments and an
// order that are not ours to change. It may hold secrets that somebody has typed, so nobody else may read it. What stands
// in it is what was given: nothing is filled in. Only the process that owns the store writes it.

import { readFile } from "node:fs/promises";
import { StepwellError } from "../../error.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { bytesMax } from "./config.ts";
import { toPlainJson } from "./jsonc.ts";
import { serversMax } from "./parse-servers.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

export class AddedFile {
  /** null: they are kept as long as the process lives. */
  readonly path: string | null;
  #inMemory: JsonObject = {};

  constructor(path: string | null) {
    this.path = path;
  }

  /** As it was given; undefined: it was not added. */
  async find(key: string): Promise<Json | undefined> {
    return own(await this.#read(), key);
  }

  /** Refuses what could not be read again. */
  put(key: string, settings: JsonObject): Promise<void> {
    return this.#change((servers) => {
      const all = { ...servers, [key]: settings };
      this.#checkReadable(key, all);
      return all;
    });
  }

  remove(key: string): Promise<void> {
    return this.#change((servers) => Object.fromEntries(Object.entries(servers).filter(([name]) => name !== key)));
  }

  /** Read again each time, since somebody may have mended it by hand. Whoever asks does so one by one. */
  async #change(change: (servers: JsonObject) => JsonObject): Promise<void> {
    await this.#write(change(await this.#read()));
  }

  async #write(servers: JsonObject): Promise<void> {
    const { path } = this;
    if (path === null) this.#inMemory = servers;
    else if (Object.keys(servers).length === 0) await removeFile(path);
    else await replaceFile(path, toText(servers));
  }

  #checkReadable(key: string, servers: JsonObject): void {
    const isTooMany = Object.keys(servers).length > serversMax;
    if (!isTooMany && Buffer.byteLength(toText(servers)) <= bytesMax) return;
    const limit = isTooMany ? `${serversMax} servers` : "1 MB";
    const where = this.path ?? "A store in memory";
    throw new StepwellError("REFUSED", `The server "${key}" cannot be added: ${where} holds ${limit} at most.`, {
      hint: "Remove one that is not needed, or write it in a file of your own that --mcp names",
      details: { code: "too_many_servers" },
    });
  }

  async #read(): Promise<JsonObject> {
    const { path } = this;
    if (path === null) return this.#inMemory;
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw unusable(path, error);
    });
    if (text === null) return {};
    const document = parse(text, path);
    const servers = isObject(document) ? own(document, "mcpServers") : undefined;
    return isObject(servers) ? servers : {};
  }
}

function toText(servers: JsonObject): string {
  return `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
}

function parse(text: string, path: string): Json {
  try {
    return JSON.parse(toPlainJson(text)) as Json;
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): StepwellError {
  const told = error instanceof Error ? error.message : String(error);
  return new StepwellError("TOOL_SERVER_TROUBLE", `${path} cannot be read: ${told}`, { cause: error });
}
