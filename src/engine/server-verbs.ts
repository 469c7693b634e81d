// What a program asks about the servers that bring tools, and about what was agreed on of these tools.

import type { Json, JsonObject } from "../flow/json.ts";
import type { ApproveOptions, ChangedTool, LockView, ServerView, TriedServer } from "../tool/servers.ts";
import type { ClerkWindow } from "./clerk-window.ts";

/** Under which name what is said of a server is sealed. */
export function sealedName(key: string): string {
  return `server ${key}`;
}

export class ServerVerbs {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** Of the process that owns the store, in the order in which they are configured. */
  async list(): Promise<readonly ServerView[]> {
    const found = (await this.#window.ask("servers", { do: "list" })) as readonly ServerView[];
    return await this.#shown(found);
  }

  /** Connects anew. Calls under way are cut off. */
  async restart(key: string): Promise<ServerView> {
    return this.#ask("restart", key);
  }

  /** Connects if that has not been done, and asks which tools there are now. */
  async test(key: string): Promise<ServerView> {
    return this.#ask("test", key);
  }

  /** `await engine.servers.add("files", { command: "npx", args: [ … ] })`: as it would stand in a file of servers. It is
   *  written down as it is given, beside the store, and its tools are there at once. */
  async add(key: string, settings: JsonObject): Promise<ServerView> {
    await this.#window.allow("admin");
    return (await this.#window.ask("servers", { do: "add", id: key, sealed: this.#seal(key, settings) })) as ServerView;
  }

  /** One that was added so. What was started ends, and its tools go. */
  async remove(key: string): Promise<void> {
    await this.#window.ask("servers", { do: "remove", id: key });
  }

  /** Starts it or connects, asks for its tools and ends it again. Nothing of it is kept. */
  async tryOut(key: string, settings: JsonObject): Promise<TriedServer> {
    await this.#window.allow("admin");
    const ask = { do: "try_out", id: key, sealed: this.#seal(key, settings) };
    return (await this.#window.ask("servers", ask)) as TriedServer;
  }

  async #ask(what: "restart" | "test", key: string): Promise<ServerView> {
    const found = (await this.#window.ask("servers", { do: what, id: key })) as ServerView;
    const [shown = found] = await this.#shown([found]);
    return shown;
  }

  /** What a program writes is for who may start programs: nobody knows what stands in it. So are paths of this machine. */
  async #shown(servers: readonly ServerView[]): Promise<readonly ServerView[]> {
    if (servers.every(({ lastWords, command }) => lastWords === null && command === null)) return servers;
    const mayRead = await this.#window.allow("admin").then(
      () => true,
      () => false,
    );
    return mayRead ? servers : servers.map((server) => ({ ...server, lastWords: null, command: null }));
  }

  /** What is said of a server may hold secrets. */
  #seal(key: string, settings: JsonObject): Json {
    return this.#window.seal?.(JSON.stringify(settings), sealedName(key)) ?? null;
  }
}

export class LockVerbs {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** What is agreed on. */
  async show(): Promise<LockView> {
    return (await this.#window.ask("servers", { do: "show_lock" })) as LockView;
  }

  /** Tools that are not what was agreed on, as far as their servers have been asked since. */
  async changes(): Promise<readonly ChangedTool[]> {
    return (await this.#window.ask("servers", { do: "list_changes" })) as readonly ChangedTool[];
  }

  /** `server.tool`, or a whole server: as it is now, it is agreed on, and steps that wait for it go on. Those that had
   *  changed. */
  async approve(name: string, { expected }: ApproveOptions = {}): Promise<readonly ChangedTool[]> {
    const hash = expected === undefined ? {} : { hash: expected };
    return (await this.#window.ask("servers", { do: "approve", tool: name, ...hash })) as readonly ChangedTool[];
  }
}
