// Servers of an engine that has none so far: what speaks to them is loaded when somebody adds the first, or tries one out.

import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import type { ChangedTool, LockView, ServerMeans, ServerView, ToolServers, TriedServer } from "./servers.ts";

export class LateServers implements ToolServers {
  readonly #create: () => Promise<ToolServers>;
  #creating: Promise<ToolServers> | null = null;
  #inner: ToolServers | null = null;
  #means: ServerMeans | null = null;

  constructor(create: () => Promise<ToolServers>) {
    this.#create = create;
  }

  async open(means: ServerMeans): Promise<void> {
    this.#means = means;
    await this.#inner?.open(means);
  }

  async close(): Promise<void> {
    this.#means = null;
    const inner = await this.#creating?.catch(() => null);
    await inner?.close();
  }

  list(): readonly ServerView[] {
    return this.#inner?.list() ?? [];
  }

  get lock(): LockView {
    return this.#inner?.lock ?? { file: null, servers: [] };
  }

  get changes(): readonly ChangedTool[] {
    return this.#inner?.changes ?? [];
  }

  async restart(key: string): Promise<ServerView> {
    return this.#get().restart(key);
  }

  async test(key: string): Promise<ServerView> {
    return this.#get().test(key);
  }

  async approve(...given: Parameters<ToolServers["approve"]>): Promise<readonly ChangedTool[]> {
    return this.#get().approve(...given);
  }

  async add(key: string, settings: JsonObject): Promise<ServerView> {
    return (await this.#load()).add(key, settings);
  }

  async remove(key: string): Promise<void> {
    await this.#get().remove(key);
  }

  async tryOut(key: string, settings: JsonObject): Promise<TriedServer> {
    return (await this.#load()).tryOut(key, settings);
  }

  #load(): Promise<ToolServers> {
    this.#creating ??= this.#make().catch((error: unknown) => {
      this.#creating = null;
      throw error;
    });
    return this.#creating;
  }

  async #make(): Promise<ToolServers> {
    const inner = await this.#create();
    if (this.#means !== null) await inner.open(this.#means);
    this.#inner = inner;
    return inner;
  }

  #get(): ToolServers {
    if (this.#inner !== null) return this.#inner;
    throw noServers();
  }
}

export function noServers(): StepwellError {
  return new StepwellError("TOOL_SERVER_NOT_FOUND", "The process that owns the store has no servers with tools.", {
    hint: "stepwell server add, mcpServers in stepwell.config.json, or --mcp FILE",
  });
}
