// The servers that were added through this program, in a file of our own: other programs' files have comments and an
// order that are not ours to change. It may hold secrets that somebody has typed, so nobody else may read it. What stands
// in it is what was given: nothing is filled in. Only the process that owns the store writes it, one change after the other;
// it is read again each time, since somebody may have mended it by hand.

import { readFile } from "node:fs/promises";
import { StepwellError } from "../../error.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { bytesMax } from "./config.ts";
import { toPlainJson } from "./jsonc.ts";
import { serversMax } from "./parse-servers.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

/** The whole file, and the servers in it. */
type Content = { readonly document: JsonObject; readonly servers: JsonObject };

export class AddedFile {
  /** null: they are kept as long as the process lives. */
  readonly path: string | null;
  #inMemory: JsonObject = {};

  constructor(path: string | null) {
    this.path = path;
  }

  /** As it was given; undefined: it was not added. */
  async find(key: string): Promise<Json | undefined> {
    const { servers } = await this.#read();
    const name = nameIn(servers, key);
    return name === undefined ? undefined : own(servers, name);
  }

  /** Refuses what could not be read again. */
  async put(key: string, settings: JsonObject): Promise<void> {
    const { document, servers } = await this.#read();
    if (own(servers, key) !== undefined) throw this.#occupied(key);
    const changed = { ...document, mcpServers: { ...servers, [key]: settings } };
    this.#checkReadable(key, changed);
    await this.#write(changed, `The server "${key}" was not added`);
  }

  async remove(key: string): Promise<void> {
    const { document, servers } = await this.#read();
    const name = nameIn(servers, key);
    const mcpServers = Object.fromEntries(Object.entries(servers).filter(([each]) => each !== name));
    await this.#write({ ...document, mcpServers }, `The server "${key}" was not removed`);
  }

  async #write(document: Changed, otherwise: string): Promise<void> {
    const { path } = this;
    if (path === null) {
      this.#inMemory = document;
      return;
    }
    const isEmpty = Object.keys(document).length === 1 && Object.keys(document.mcpServers).length === 0;
    try {
      await (isEmpty ? removeFile(path) : replaceFile(path, toText(document)));
    } catch (error) {
      throw new StepwellError("TOOL_SERVER_TROUBLE", `${otherwise}: ${path} cannot be written (${reasonOf(error)}).`, {
        hint: "Let the user who runs the engine write there, or make room, and try again",
        cause: error,
      });
    }
  }

  #checkReadable(key: string, document: Changed): void {
    const isTooMany = Object.keys(document.mcpServers).length > serversMax;
    if (!isTooMany && Buffer.byteLength(toText(document)) <= bytesMax) return;
    const limit = isTooMany ? `${serversMax} servers` : "1 MB";
    const where = this.path ?? "A store in memory";
    throw new StepwellError("REFUSED", `The server "${key}" cannot be added: ${where} holds ${limit} at most.`, {
      hint: "Remove one that is not needed, or write it in a file of your own that --mcp names",
      details: { code: "too_many_servers" },
    });
  }

  #occupied(key: string): StepwellError {
    const message = `The server "${key}" cannot be added: ${this.path ?? "the store"} has one there that is called otherwise ("as").`;
    return new StepwellError("REFUSED", message, {
      hint: "Give this one another name",
      details: { code: "server_exists" },
    });
  }

  async #read(): Promise<Content> {
    const document = await this.#readDocument();
    const servers = isObject(document) ? own(document, "mcpServers") : undefined;
    if (isObject(document) && isObject(servers)) return { document, servers };
    const isElsewhere = isObject(document) && elsewhere.some((key) => own(document, key) !== undefined);
    if (isObject(document) && servers === undefined && !isElsewhere) return { document, servers: {} };
    // Whoever wrote over it would throw away what somebody has written there.
    const message = `${this.path ?? "It"} was changed by hand: its servers do not stand in a map under "mcpServers". Nothing was changed.`;
    throw new StepwellError("TOOL_SERVER_TROUBLE", message, { hint: "Move them there, and try again" });
  }

  async #readDocument(): Promise<Json> {
    const { path } = this;
    if (path === null) return this.#inMemory;
    try {
      return JSON.parse(toPlainJson(await readFile(path, "utf8"))) as Json;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return {};
      // What the parser says quotes the place, and a secret may stand there.
      const told = error instanceof SyntaxError ? "it is no JSON" : reasonOf(error);
      const message = `${path} cannot be read: ${told}. Nothing was changed.`;
      throw new StepwellError("TOOL_SERVER_TROUBLE", message, { hint: "Mend it, or take it away, and try again" });
    }
  }
}

type Changed = JsonObject & { readonly mcpServers: JsonObject };

/** Where other programs have theirs, and where they are read as well. */
const elsewhere = ["servers", "mcp", "mcp.servers", "projects"];

/** What steps call `key` may stand under another name, with `as`. */
function nameIn(servers: JsonObject, key: string): string | undefined {
  return Object.entries(servers).find(([name, server]) => {
    const given = isObject(server) ? own(server, "as") : undefined;
    return (typeof given === "string" ? given : name) === key;
  })?.[0];
}

function toText(document: Changed): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return typeof code === "string" ? code : error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
