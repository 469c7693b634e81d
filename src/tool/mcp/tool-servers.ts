// The servers of an engine, from their configuration to tools in its box. What is agreed on is there at once; connected to
// they are only while this process owns the store, by a pool that lives as long as that.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { StepwellError } from "../../error.ts";
import { hashOf } from "../../flow/hash.ts";
import type { JsonObject } from "../../flow/json.ts";
import type { OpenToolBox } from "../registry.ts";
import { notOwner } from "../server-refusals.ts";
import type {
  ApproveOptions,
  ChangedTool,
  LockView,
  ServerMeans,
  ServerNotes,
  ServerView,
  ToolServers,
  TriedServer,
} from "../servers.ts";
import { isSameAdded, parseAdded, type AddedSettings } from "./added-settings.ts";
import { BroughtTools } from "./brought-tools.ts";
import type { ServersReading } from "./config.ts";
import type { ServerHealth } from "./contract.ts";
import { createAskNotes } from "./ask-notes.ts";
import { createEraNotes } from "./era-notes.ts";
import { resolveServer, type ResolvedServer } from "./expand.ts";
import { KnownServers } from "./known-servers.ts";
import { LeftPrograms } from "./left-programs.ts";
import { ServerLock } from "./lock.ts";
import type { AskMemory, EraMemory } from "./mcp-server.ts";
import { OneByOne } from "./one-by-one.ts";
import type { ConfiguredServer } from "./parse-servers.ts";
import { RemovalNotes } from "./removal-notes.ts";
import { McpServers, type McpServersParts } from "./server-pool.ts";
import { toChanged, toLockView } from "./server-views.ts";
import { tryOut } from "./try-out.ts";

export type ToolServersParts = Pick<McpServersParts, "ownStore" | "version"> & {
  /** Those that somebody has named; those that were added are read here. */
  readonly reading: ServersReading;
  /** null: in memory. */
  readonly lockPath: string | null;
  /** Where those are kept that are added; null: in memory. */
  readonly addedPath: string | null;
  readonly tools: OpenToolBox;
  readonly clock: McpServersParts["clock"] & { readonly now: () => number };
  readonly onProblem: (error: StepwellError) => void;
};

/** Throws when the lock file cannot be used. */
export async function createToolServers(parts: ToolServersParts): Promise<ToolServers> {
  const servers = new ConfiguredServers(parts);
  await servers.load();
  return servers;
}

class ConfiguredServers implements ToolServers {
  readonly #parts: ToolServersParts;
  readonly #known: KnownServers;
  readonly #tried = new Set<McpServers>();
  readonly #lock: ServerLock;
  readonly #brought: BroughtTools;
  /** What changes which servers there are. */
  readonly #turns = new OneByOne();
  #pool: McpServers;
  #means: ServerMeans | null = null;
  /** Of the last ownership: programs that end after it are still crossed out. */
  #notes: ServerNotes | null = null;
  #left: LeftPrograms | null = null;
  #removals: RemovalNotes | null = null;
  readonly #eras: EraMemory = createEraNotes(() => this.#notes);
  readonly #asks: AskMemory = createAskNotes({
    notes: () => this.#notes,
    targetOf: (key) => hashOf(this.#known.targetOf(key)),
    now: () => this.#parts.clock.now(),
  });

  constructor(parts: ToolServersParts) {
    this.#parts = parts;
    this.#known = new KnownServers(parts.reading, parts.addedPath);
    this.#lock = new ServerLock({
      path: parts.lockPath,
      entries: this.#known.entries,
      now: parts.clock.now,
      onProblem: (error) => this.#tell(error),
      onAgreed: (tools) => this.#means?.onAgreed(tools),
    });
    this.#brought = new BroughtTools(parts.tools, (error) => this.#tell(error));
    this.#pool = this.#createPool();
  }

  /** As the files are now: whoever owned the store before may have added, removed and agreed. */
  async load(): Promise<void> {
    const servers = await this.#known.read();
    await this.#lock.load();
    const gone = this.#known.list().filter((server) => !isDeepStrictEqual(servers.get(server.entry.key), server));
    const ended = gone.map(({ entry }) => {
      this.#lock.leave(entry.key);
      return this.#leave(entry.key);
    });
    for (const [key, server] of servers) if (this.#known.find(key) === undefined) this.#expect(server);
    for (const { key, isDisabled } of this.#known.entries) if (!isDisabled) this.#pool.renew(key);
    await Promise.all(ended);
  }

  /** It is not started. */
  #expect(server: ConfiguredServer): void {
    this.#known.put(server);
    this.#lock.expect(server.entry);
    this.#pool.add(server.entry);
  }

  /** Its tools are gone at once. Resolves when it has ended. */
  #leave(key: string): Promise<void> {
    this.#known.drop(key);
    const ended = this.#pool.remove(key);
    this.#brought.drop(key);
    return ended;
  }

  async open(means: ServerMeans): Promise<void> {
    this.#means = means;
    const { clock } = this.#parts;
    const left = new LeftPrograms(means.notes, clock);
    this.#notes = means.notes;
    this.#left = left;
    this.#removals = new RemovalNotes(means.notes, clock.now());
    await this.#turns.do(async () => {
      await left.end(clock.now());
      await this.load();
    });
    if (this.#means !== means) return;
    for (const told of this.#known.troubles) this.#tell(new StepwellError("TOOL_SERVER_TROUBLE", told));
    await this.#pool.open();
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#means = null;
    // One that has stopped stays so; the store may be owned again later.
    this.#pool = this.#createPool();
    await Promise.all([pool, ...this.#tried].map((each) => each.stop()));
    // What is being written is written as long as the store is ours.
    await this.#turns.idle();
  }

  list(): readonly ServerView[] {
    return [...this.#pool.health().map((health) => this.#toView(health)), ...this.#known.refusedViews()];
  }

  async restart(key: string): Promise<ServerView> {
    this.#owning(key);
    return this.#refusedView(key) ?? this.#toView(await this.#pool.restart(this.#known.check(key)));
  }

  async test(key: string): Promise<ServerView> {
    this.#owning(key);
    return this.#refusedView(key) ?? this.#toView(await this.#pool.test(this.#known.check(key)));
  }

  async add(key: string, settings: JsonObject): Promise<ServerView> {
    const means = this.#owning(key);
    const added = parseAdded(key, settings, this.#known.added.path);
    // It is waited for outside of the row: the next one need not wait until this one has begun to speak.
    const { begun } = await this.#turns.do(async () => ({ begun: await this.#take(added, means) }));
    await begun();
    const view = this.list().find((server) => server.key === key);
    // Somebody has removed it in the meantime.
    if (view === undefined) throw this.#known.unknown(key);
    return view;
  }

  /** From the moment on at which it is written it is there, also for whoever owns the store next. */
  async #take(added: AddedSettings, means: ServerMeans): Promise<() => Promise<void>> {
    const { key } = added.configured.entry;
    const before = await this.#known.added.find(key);
    const live = this.list().find((server) => server.key === key);
    // What a guest asks for is done again where the owner has died over it.
    const isThere = live?.isAdded === true && isSameAdded(before, added);
    if (!isThere && (live !== undefined || before !== undefined)) throw taken(key, live);
    if (!isThere) await this.#checkFilled(added.configured);
    if (this.#means !== means) throw notOwner(key);
    if (!isThere) {
      await this.#known.added.put(key, added.written);
      this.#known.noteAdded(key);
      this.#expect(added.configured);
    }
    const beginning = this.#means === means ? this.#pool.begin(key) : Promise.resolve();
    return () => beginning;
  }

  async remove(key: string): Promise<void> {
    const means = this.#owning(key);
    await this.#turns.do(() => this.#drop(key, means));
  }

  async #drop(key: string, means: ServerMeans): Promise<void> {
    const isWritten = (await this.#known.added.find(key)) !== undefined;
    const live = this.list().find((server) => server.key === key);
    const removed = isWritten ? undefined : this.#removals?.find(key);
    if (removed !== undefined && live === undefined) return this.#dropAgain(key, removed);
    if (!isWritten && live === undefined) throw this.#known.unknown(key);
    if (!isWritten)
      throw new StepwellError("REFUSED", `The server "${key}" stands in ${live?.file ?? "the program itself"}.`, {
        hint: "Remove it there, and start anew; here only those go that were added here",
        details: { code: "not_added" },
      });
    if (this.#means !== means) throw notOwner(key);
    if (live?.isAdded === true) this.#removals?.begin(key, this.#known.targetOf(key));
    await this.#known.added.remove(key);
    this.#known.noteRemoved(key);
    // One of the same name that stands elsewhere goes before it, and stays.
    if (live === undefined || !live.isAdded) return;
    // Until it has ended it may still say what its tools are. Whoever gives the store up waits for this.
    await this.#leave(key);
    this.#eras.remember(key, undefined);
    await this.#lock.forget(key);
  }

  /** The last owner has come no further than to write it down, or to be asked again. */
  async #dropAgain(key: string, target: string): Promise<void> {
    this.#eras.remember(key, undefined);
    await this.#lock.forget(key, target);
    this.#removals?.end(key);
  }

  async tryOut(key: string, settings: JsonObject): Promise<TriedServer> {
    this.#owning(key);
    if (this.#tried.size >= triedMax)
      throw new StepwellError("REFUSED", `The server "${key}" was not tried out: ${triedMax} others are being tried.`, {
        hint: "Wait until one of them is done, and try again",
        details: { code: "too_many_try_outs" },
      });
    const { configured } = parseAdded(key, settings, this.#known.added.path);
    const { ownStore, version, clock } = this.#parts;
    let opened: McpServers | null = null;
    const tried = tryOut(configured.entry, {
      ownStore,
      version,
      clock,
      now: clock.now,
      mask: this.#mask,
      left: { add: (group) => this.#left?.add(group), remove: (group) => this.#left?.remove(group) },
      resolve: () => this.#fill(configured),
      onOpen: (pool) => this.#tried.add((opened = pool)),
    });
    return tried.finally(() => opened !== null && this.#tried.delete(opened));
  }

  /** Only who owns the store writes and starts anything. */
  #owning(key: string): ServerMeans {
    if (this.#means !== null) return this.#means;
    throw notOwner(key);
  }

  /** What is missing is said before anything is written. */
  async #checkFilled(configured: ConfiguredServer): Promise<void> {
    const filled = await this.#fill(configured);
    if (filled.ok) return;
    const message = `The server "${configured.entry.key}" cannot be added: ${filled.problem}`;
    throw new StepwellError("INPUT_INVALID", message, { details: { code: "placeholder_unresolved" } });
  }

  get lock(): LockView {
    return toLockView(this.#lock.path, this.#lock.servers);
  }

  get changes(): readonly ChangedTool[] {
    return this.#lock.changes.map(toChanged);
  }

  async approve(name: string, { expected }: ApproveOptions = {}): Promise<readonly ChangedTool[]> {
    const dot = name.indexOf(".");
    const key = this.#known.check(dot === -1 ? name : name.slice(0, dot));
    this.#owning(key);
    const tool = dot === -1 ? null : name.slice(dot + 1);
    if (tool !== null && !this.#lock.knows(key, tool))
      throw new StepwellError("TOOL_NOT_FOUND", `Nothing is agreed on about a tool "${name}", so nothing has changed.`);
    const asked = tool === null ? this.#lock.known(key).map((one) => one.name) : [tool];
    const approved = await this.#lock.approve(key, { tool, expected });
    this.#pool.renew(key);
    // Also where nothing had changed: somebody may have agreed in another copy of the lock file.
    const agreed = new Set([...asked, ...approved.map((change) => change.tool)]);
    const released = [...agreed].filter((one) => this.#lock.changeOf(key, one) === undefined);
    this.#means?.onAgreed(released.map((one) => `${key}.${one}`));
    return approved.map(toChanged);
  }

  #createPool(): McpServers {
    const { ownStore, version, clock } = this.#parts;
    const pool: McpServers = new McpServers({
      entries: this.#known.entries,
      pins: this.#lock,
      ownStore,
      version,
      clock,
      mask: this.#mask,
      eras: this.#eras,
      asks: this.#asks,
      left: { add: (group) => this.#left?.add(group), remove: (group) => this.#left?.remove(group) },
      resolve: ({ key }) => this.#resolve(key),
      onTools: (key, tools) => this.#brought.bring(key, tools),
      onProblem: (key, problem) => {
        // Of one that has stopped, nobody wants to know what did not come about.
        if (pool !== this.#pool) return;
        const told = key === null ? problem : `Server "${key}": ${problem}`;
        this.#tell(new StepwellError("TOOL_SERVER_TROUBLE", told));
      },
    });
    return pool;
  }

  async #resolve(key: string): Promise<ResolvedServer> {
    const configured = this.#known.find(key);
    if (configured === undefined) return { ok: false, problem: `There is no server "${key}".` };
    return this.#fill(configured);
  }

  #fill(configured: ConfiguredServer): Promise<ResolvedServer> {
    return resolveServer(configured, {
      environment: process.env,
      findSecret: (name) => this.#means?.findSecret(name),
      home: homedir(),
      readFile: (path) => readFile(path, "utf8").catch(() => null),
    });
  }

  readonly #mask = (text: string): string => this.#means?.mask(text) ?? text;

  #tell(error: StepwellError): void {
    (this.#means?.problem ?? this.#parts.onProblem)(error);
  }

  #toView(health: ServerHealth): ServerView {
    const changed = this.#lock.changes.filter(({ server }) => server === health.key);
    return this.#known.toView(health, changed.length);
  }

  #refusedView(key: string): ServerView | undefined {
    return this.#known.refusedViews().find((server) => server.key === key);
  }
}

/** Each is a program that runs beside all others. */
const triedMax = 4;

function taken(key: string, live: ServerView | undefined): StepwellError {
  const isNamed = live?.isAdded === false;
  const place = isNamed ? `stands in ${live.file ?? "the program itself"}` : "was added already, and differs";
  const cure = isNamed ? "another name" : `another name, or remove that one first: stepwell server remove ${key}`;
  return new StepwellError("REFUSED", `There is a server "${key}": it ${place}. Give this one ${cure}.`, {
    details: { code: "server_exists" },
  });
}
