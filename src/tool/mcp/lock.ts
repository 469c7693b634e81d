// What somebody has agreed to about the tools of servers, kept in a file beside the store. What was never seen is taken as
// it is; what differs later is told, and stays as it was agreed until somebody says so. Only the process that owns the store
// writes it; before each change it is read again, since another store may lie in the same folder, or somebody may have
// brought a newer one.

import { readFile } from "node:fs/promises";
import { StepwellError } from "../../error.ts";
import type { Pins, ServerEntry, ToolChange, ToolDefinition } from "./contract.ts";
import { hashOf } from "../../flow/hash.ts";
import { findDrift, findReturn, toCanonical, withServerChange } from "./drift.ts";
import { parseLock, writeLock, type LockedServer, type LockedServers } from "./lock-text.ts";
import { OneByOne } from "./one-by-one.ts";
import { replaceFile } from "./replace-file.ts";
import { describeTarget } from "./target-text.ts";

export type LockParts = {
  /** null: it is kept in memory, as long as the process lives. */
  readonly path: string | null;
  /** As they are configured now. */
  readonly entries: readonly ServerEntry[];
  readonly now: () => number;
  readonly onProblem: (error: StepwellError) => void;
  /** A server has gone back, and these of its tools are as agreed again. */
  readonly onAgreed: (tools: readonly string[]) => void;
};

export type FoundChange = ToolChange & {
  readonly since: number;
  /** Of the tool as it is now, and of what stands behind it. */
  readonly hash: string;
};

export type Approval = {
  /** null: the whole server. */
  readonly tool: string | null;
  /** The hash of what somebody was shown, of one tool; null: they were shown that nothing has changed; undefined: they
   *  take whatever there is. */
  readonly expected?: string | null | undefined;
};

export class ServerLock implements Pins {
  readonly #parts: LockParts;
  readonly #targets: Map<string, string>;
  #agreed: LockedServers = new Map();
  #isLoaded = false;
  /** By server, then by tool. */
  readonly #changes = new Map<string, ReadonlyMap<string, FoundChange>>();
  /** As each server has described its tools last. */
  readonly #found = new Map<string, readonly ToolDefinition[]>();
  readonly #writing = new OneByOne();

  constructor(parts: LockParts) {
    this.#parts = parts;
    this.#targets = new Map(parts.entries.map((entry) => [entry.key, describeTarget(entry)]));
  }

  /** Also again, when another process may have written it. Throws when there is a file that cannot be used: whoever went
   *  on without it would agree to everything. Whoever has read it before goes on with that. */
  async load(): Promise<void> {
    await this.#writing.do(async () => {
      try {
        this.#agreed = await this.#read();
        this.#isLoaded = true;
      } catch (error) {
        if (!this.#isLoaded) throw error;
        this.#parts.onProblem(toProblem(error));
      }
    });
    for (const [server, found] of this.#found) this.#note(server, found);
  }

  /** One more is configured. */
  expect(entry: ServerEntry): void {
    this.#targets.set(entry.key, describeTarget(entry));
  }

  /** It is configured no more; what is agreed on about it stays. */
  leave(server: string): void {
    this.#targets.delete(server);
    this.#changes.delete(server);
    this.#found.delete(server);
  }

  /** It was removed: what was agreed on about it goes with it. Another store in the same folder may have one of that name,
   *  with another program behind it: what was agreed on about that one is not ours to forget. */
  async forget(server: string, target: string | undefined = this.#targets.get(server)): Promise<void> {
    this.leave(server);
    const isOurs = ([key, locked]: readonly [string, LockedServer]): boolean =>
      key === server && locked.target === target;
    await this.#change((agreed) => new Map([...agreed].filter((one) => !isOurs(one))));
  }

  known(server: string): readonly ToolDefinition[] {
    return [...(this.#agreed.get(server)?.tools.values() ?? [])];
  }

  async compare(server: string, found: readonly ToolDefinition[]): Promise<readonly ToolChange[]> {
    const isNew = found.some(({ name }) => !wasSeen(this.#agreed.get(server), name));
    if (isNew || !this.#agreed.has(server)) await this.#keepNew(server, found);
    const before = [...(this.#changes.get(server)?.keys() ?? [])];
    const changes = this.#note(server, found);
    const back = before.filter((tool) => this.changeOf(server, tool) === undefined);
    if (back.length > 0) this.#parts.onAgreed(back.map((tool) => `${server}.${tool}`));
    return changes;
  }

  #note(server: string, found: readonly ToolDefinition[]): readonly ToolChange[] {
    const before = this.#changes.get(server) ?? new Map<string, FoundChange>();
    const now = this.#parts.now();
    const changes = this.#findChanges(server, found).map((change) => ({
      ...change,
      hash: this.#hashOf(server, change.found),
      since: before.get(change.tool)?.since ?? now,
    }));
    this.#found.set(server, found);
    this.#changes.set(server, new Map(changes.map((change) => [change.tool, change])));
    return changes;
  }

  changeOf(server: string, tool: string): ToolChange | undefined {
    return this.#changes.get(server)?.get(tool);
  }

  get changes(): readonly FoundChange[] {
    return [...this.#changes.values()].flatMap((byTool) => [...byTool.values()]);
  }

  /** Whether anything was ever agreed on about it. */
  knows(server: string, tool: string): boolean {
    return wasSeen(this.#agreed.get(server), tool);
  }

  get servers(): LockedServers {
    return this.#agreed;
  }

  get path(): string | null {
    return this.#parts.path;
  }

  /** The tools as they are now are what is agreed on, of a whole server where no tool is named. Those that had changed. A
   *  new program behind one of them is behind all: who agrees to it for one agrees to it for each. */
  async approve(server: string, { tool, expected }: Approval): Promise<readonly FoundChange[]> {
    const changed = [...(this.#changes.get(server)?.values() ?? [])];
    const chosen = changed.filter((change) => tool === null || change.tool === tool);
    this.#refuseOther(server, { tool, expected }, chosen);
    if (chosen.length === 0) return [];
    await this.#change((agreed) => put(agreed, server, this.#withApproved(agreed.get(server), chosen, server)));
    this.#note(server, this.#found.get(server) ?? []);
    return changed.filter((change) => this.changeOf(server, change.tool) === undefined);
  }

  #withApproved(server: LockedServer | undefined, chosen: readonly ToolChange[], key: string): LockedServer {
    const tools = new Map(server?.tools);
    const gone = new Map(server?.gone);
    for (const { tool, agreed, found } of chosen) {
      tools.delete(tool);
      gone.delete(tool);
      if (found === null) gone.set(tool, agreed);
      else tools.set(tool, found);
    }
    const isTarget = chosen.some(({ kind }) => kind === "server" || kind === "gone");
    return { target: (isTarget ? this.#targets.get(key) : server?.target) ?? "", tools, gone };
  }

  /** Nobody agrees to what they have not seen. What is checked here is what is written: nothing happens in between. */
  #refuseOther(server: string, { tool, expected }: Approval, chosen: readonly FoundChange[]): void {
    if (expected === undefined) return;
    const name = tool === null ? server : `${server}.${tool}`;
    if (tool === null && expected !== null)
      throw new StepwellError("INPUT_INVALID", `A hash goes with one tool: "${name}" is a whole server.`);
    const [one] = chosen;
    const now = tool === null || one !== undefined ? (one?.hash ?? null) : this.#hashNow(server, tool, expected);
    if (now === expected) return;
    const message = `"${name}" is by now something else than what was shown; nothing was agreed on.`;
    throw new StepwellError("REFUSED", message, {
      hint: "stepwell lock diff shows what it is now",
      details: { code: "version_changed", hash: now },
    });
  }

  /** Of a tool that has not changed, or does not differ any more since somebody agreed to what stands behind it. */
  #hashNow(server: string, tool: string, expected: string | null): string | null {
    const found = this.#found.get(server)?.find(({ name }) => name === tool) ?? null;
    return expected === null ? null : this.#hashOf(server, found);
  }

  #hashOf(server: string, found: ToolDefinition | null): string {
    const definition = found === null ? null : toCanonical(found);
    return hashOf({ target: this.#targets.get(server) ?? null, definition });
  }

  #findChanges(server: string, found: readonly ToolDefinition[]): readonly ToolChange[] {
    const agreed = this.#agreed.get(server);
    if (agreed === undefined) return [];
    const now = this.#targets.get(server) ?? agreed.target;
    const byName = new Map(found.map((tool) => [tool.name, tool]));
    const isOther = agreed.target !== now;
    const lines = isOther ? ["The server behind it:", `- ${agreed.target}`, `+ ${now}`] : [];
    const changed = [...agreed.tools.values()].flatMap((tool): readonly ToolChange[] => {
      const newest = byName.get(tool.name) ?? null;
      const drift = findDrift(tool, newest);
      const told = isOther ? withServerChange(drift, lines) : drift;
      return told === undefined ? [] : [{ server, tool: tool.name, agreed: tool, found: newest, ...told }];
    });
    const back = [...agreed.gone.values()].flatMap((tool): readonly ToolChange[] => {
      const newest = byName.get(tool.name);
      if (newest === undefined) return [];
      const drift = findReturn(tool, newest);
      const told = isOther ? withServerChange(drift, lines) : drift;
      return [{ server, tool: tool.name, agreed: tool, found: newest, ...told }];
    });
    return [...changed, ...back];
  }

  /** A disk that cannot be written must not keep tools from working: it is told, and known until the process ends. */
  async #keepNew(server: string, found: readonly ToolDefinition[]): Promise<void> {
    const withNew = (agreed: LockedServers): LockedServers => {
      const before = agreed.get(server);
      const target = before?.target ?? this.#targets.get(server) ?? "";
      const fresh = found.filter(({ name }) => !wasSeen(before, name)).map((tool) => [tool.name, tool] as const);
      const tools = new Map([...fresh, ...(before?.tools ?? [])]);
      return put(agreed, server, { target, tools, gone: before?.gone ?? new Map() });
    };
    try {
      await this.#change(withNew);
    } catch (error) {
      this.#agreed = withNew(this.#agreed);
      this.#parts.onProblem(toProblem(error));
    }
  }

  #change(change: (agreed: LockedServers) => LockedServers): Promise<void> {
    return this.#writing.do(() => this.#write(change));
  }

  async #write(change: (agreed: LockedServers) => LockedServers): Promise<void> {
    const before = await this.#read();
    const after = change(before);
    const text = writeLock(after);
    if (this.#parts.path !== null && text !== writeLock(before)) await this.#replace(this.#parts.path, text);
    this.#agreed = after;
  }

  async #replace(path: string, text: string): Promise<void> {
    try {
      await replaceFile(path, text);
    } catch (error) {
      throw toProblem(error, path);
    }
  }

  async #read(): Promise<LockedServers> {
    const { path } = this.#parts;
    if (path === null) return this.#agreed;
    const text = await readIfThere(path);
    if (text === undefined) return new Map();
    const parsed = parseLock(text);
    if (typeof parsed !== "string") return parsed;
    throw new StepwellError("LOCK_UNUSABLE", `The lock file ${path} cannot be used: ${parsed}.`, {
      hint: "Bring back one that is whole; without the file, all tools are taken as they are.",
    });
  }
}

function wasSeen(server: LockedServer | undefined, tool: string): boolean {
  return server !== undefined && (server.tools.has(tool) || server.gone.has(tool));
}

function put(servers: LockedServers, key: string, server: LockedServer): LockedServers {
  return new Map([...servers, [key, server]]);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw toProblem(error);
  }
}

function toProblem(error: unknown, path = "The lock file"): StepwellError {
  if (error instanceof StepwellError) return error;
  const told = error instanceof Error ? error.message : String(error);
  return new StepwellError("LOCK_UNUSABLE", `${path} cannot be written or read: ${told}`, { cause: error });
}
