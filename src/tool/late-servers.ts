// Servers of an engine that has none so far: what speaks to them is loaded when somebody adds the first, or tries one out.

import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import { noServers, notOwner } from "./server-refusals.ts";
import type { ChangedTool, LockView, ServerMeans, ServerView, ToolServers, TriedServer } from "./servers.ts";

export type LateServersParts = {
  readonly create: () => Promise<ToolServers>;
  /** There are some by now: another process has added them. */
  readonly isWanted: () => boolean;
};

/** What is loaded is open exactly as long as this is. */
export class LateServers implements ToolServers {
  readonly #parts: LateServersParts;
  #creating: Promise<ToolServers> | null = null;
  #inner: ToolServers | null = null;
  #means: ServerMeans | null = null;
  /** With which what is loaded was opened last. */
  #opening: { readonly means: ServerMeans; readonly done: Promise<void> } | null = null;

  constructor(parts: LateServersParts) {
    this.#parts = parts;
  }

  async open(means: ServerMeans): Promise<void> {
    this.#means = means;
    if (this.#creating === null && !this.#parts.isWanted()) return;
    const inner = await this.#create().catch((error: unknown) => {
      if (!(error instanceof StepwellError)) throw error;
      // The rest of the store is to go on without them; who adds one tries again.
      means.problem(error);
      return null;
    });
    if (inner !== null) await this.#openWith(inner, means);
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
    return (await this.#load(key)).add(key, settings);
  }

  async remove(key: string): Promise<void> {
    // Also where there are none: one may have to be removed again that the last owner has died over.
    await (await this.#load(key)).remove(key);
  }

  async tryOut(key: string, settings: JsonObject): Promise<TriedServer> {
    return (await this.#load(key)).tryOut(key, settings);
  }

  /** Open, for as long as this process owns the store. */
  async #load(key: string): Promise<ToolServers> {
    const means = this.#means;
    if (means === null) throw notOwner(key);
    const inner = await this.#create();
    await this.#openWith(inner, means);
    return inner;
  }

  /** Once for each ownership; what was given up meanwhile is not opened. */
  async #openWith(inner: ToolServers, means: ServerMeans): Promise<void> {
    if (this.#means !== means) return;
    if (this.#opening?.means !== means) this.#opening = { means, done: inner.open(means) };
    await this.#opening.done;
  }

  #create(): Promise<ToolServers> {
    this.#creating ??= this.#make().catch((error: unknown) => {
      this.#creating = null;
      throw error;
    });
    return this.#creating;
  }

  async #make(): Promise<ToolServers> {
    this.#inner = await this.#parts.create();
    return this.#inner;
  }

  #get(): ToolServers {
    if (this.#inner !== null) return this.#inner;
    throw noServers();
  }
}
