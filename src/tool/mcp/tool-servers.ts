// The servers of an engine, from their configuration to tools in its box. What is agreed on is there at once; connected to
// they are only while this process owns the store, by a pool that lives as long as that.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { StepwellError } from "../../error.ts";
import { hashOf } from "../../flow/hash.ts";
import type { JsonObject } from "../../flow/json.ts";
import { nearest } from "../../flow/suggest.ts";
import type { OpenToolBox } from "../registry.ts";
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
import type { Tool } from "../tool.ts";
import { AddedFile } from "./added-file.ts";
import { folderOf, type RefusedServer, type ServersReading } from "./config.ts";
import type { Era, ServerHealth } from "./contract.ts";
import { createAskNotes } from "./ask-notes.ts";
import { toCanonical } from "./drift.ts";
import { resolveServer, type ResolvedServer } from "./expand.ts";
import { LeftPrograms } from "./left-programs.ts";
import { ServerLock, type FoundChange } from "./lock.ts";
import type { AskMemory, EraMemory } from "./mcp-server.ts";
import { parseServers, type ConfiguredServer } from "./parse-servers.ts";
import { toRefusedView } from "./refused-view.ts";
import { McpServers, type McpServersParts } from "./server-pool.ts";
import { describeTarget } from "./target-text.ts";
import { tryOut } from "./try-out.ts";

export type ToolServersParts = Pick<McpServersParts, "ownStore" | "version"> & {
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
  readonly #configured: Map<string, ConfiguredServer>;
  #refused: readonly RefusedServer[];
  readonly #added: AddedFile;
  /** Added to a store in memory, which has no file. */
  readonly #addedHere = new Set<string>();
  readonly #tried = new Set<McpServers>();
  readonly #lock: ServerLock;
  /** Names in the box that each server has brought. */
  readonly #brought = new Map<string, ReadonlySet<string>>();
  /** Tools whose names were taken. */
  readonly #told = new Set<string>();
  #pool: McpServers;
  #means: ServerMeans | null = null;
  /** Of the last ownership: programs that end after it are still crossed out. */
  #notes: ServerNotes | null = null;
  #left: LeftPrograms | null = null;
  readonly #eras: EraMemory = createEras(() => this.#notes);
  readonly #asks: AskMemory = createAskNotes({
    notes: () => this.#notes,
    targetOf: (key) => hashOf(this.#targetOf(key)),
    now: () => this.#parts.clock.now(),
  });

  constructor(parts: ToolServersParts) {
    this.#parts = parts;
    this.#configured = new Map(parts.reading.servers.map((server) => [server.entry.key, server]));
    this.#refused = parts.reading.refused;
    this.#added = new AddedFile(parts.addedPath);
    this.#lock = new ServerLock({
      path: parts.lockPath,
      entries: parts.reading.servers.map(({ entry }) => entry),
      now: parts.clock.now,
      onProblem: (error) => this.#tell(error),
      onAgreed: (tools) => this.#means?.onAgreed(tools),
    });
    this.#pool = this.#createPool();
  }

  async load(): Promise<void> {
    await this.#lock.load();
    for (const { entry } of this.#configured.values()) if (!entry.isDisabled) this.#pool.renew(entry.key);
  }

  async open(means: ServerMeans): Promise<void> {
    this.#means = means;
    const { warnings } = this.#parts.reading;
    for (const told of [...this.#refused.map(({ problem }) => problem), ...warnings])
      this.#tell(new StepwellError("TOOL_SERVER_TROUBLE", told));
    const { clock } = this.#parts;
    this.#notes = means.notes;
    this.#left = new LeftPrograms(means.notes, clock);
    await this.#left.end(clock.now());
    await this.#pool.open();
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#means = null;
    // One that has stopped stays so; the store may be owned again later.
    this.#pool = this.#createPool();
    await Promise.all([pool, ...this.#tried].map((each) => each.stop()));
  }

  list(): readonly ServerView[] {
    const refused = this.#refused.map((server) => this.#toRefusedView(server));
    return [...this.#pool.health().map((health) => this.#toView(health)), ...refused];
  }

  async restart(key: string): Promise<ServerView> {
    return this.#refusedView(key) ?? this.#toView(await this.#pool.restart(this.#check(key)));
  }

  async test(key: string): Promise<ServerView> {
    return this.#refusedView(key) ?? this.#toView(await this.#pool.test(this.#check(key)));
  }

  async add(key: string, settings: JsonObject): Promise<ServerView> {
    const { configured, written } = this.#parse(key, settings);
    await this.#refuseTaken(key);
    await this.#checkFilled(configured);
    await this.#added.put(key, written);
    this.#addedHere.add(key);
    this.#configured.set(key, configured);
    this.#lock.expect(configured.entry);
    await this.#pool.add(configured.entry);
    return this.list().find((server) => server.key === key) ?? this.test(key);
  }

  async remove(key: string): Promise<void> {
    const isWritten = await this.#added.has(key);
    const live = this.list().find((server) => server.key === key);
    if (!isWritten && live === undefined) this.#check(key);
    if (!isWritten)
      throw new StepwellError("REFUSED", `The server "${key}" stands in ${live?.file ?? "the program itself"}.`, {
        hint: "Remove it there, and start anew; here only those go that were added here",
        details: { code: "not_added" },
      });
    await this.#added.remove(key);
    this.#addedHere.delete(key);
    this.#refused = this.#refused.filter((server) => server.key !== key || server.file !== this.#added.path);
    // One of the same name that stands elsewhere goes before it, and stays.
    if (live === undefined || !live.isAdded) return;
    await this.#pool.remove(key);
    this.#configured.delete(key);
    this.#bring(key, []);
    this.#brought.delete(key);
    this.#eras.remember(key, undefined);
    await this.#lock.forget(key);
  }

  async tryOut(key: string, settings: JsonObject): Promise<TriedServer> {
    if (this.#tried.size >= triedMax)
      throw new StepwellError("REFUSED", `${triedMax} servers are being tried out; wait until one of them is done.`);
    const { configured } = this.#parse(key, settings);
    const { ownStore, version, clock } = this.#parts;
    let opened: McpServers | null = null;
    const tried = tryOut(configured.entry, {
      ownStore,
      version,
      clock,
      now: clock.now,
      left: { add: (group) => this.#left?.add(group), remove: (group) => this.#left?.remove(group) },
      resolve: () => this.#fill(configured),
      onOpen: (pool) => this.#tried.add((opened = pool)),
    });
    return tried.finally(() => opened !== null && this.#tried.delete(opened));
  }

  /** By the same rules as what stands in a file. What it is called is said beside it. */
  #parse(key: string, settings: JsonObject): { readonly configured: ConfiguredServer; readonly written: JsonObject } {
    const { as: _, ...written } = settings;
    if (JSON.stringify(written).length > settingsLengthMax)
      throw new StepwellError("INPUT_INVALID", `What is said of the server "${key}" is longer than 64 kB.`);
    const { path } = this.#added;
    const folder = path === null || !isFileOfStore(path) ? process.cwd() : folderOf(path);
    const { servers, findings } = parseServers({ [key]: written }, { file: path, folder });
    const [configured] = servers;
    if (configured !== undefined) return { configured, written };
    const problems = findings.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
    throw new StepwellError("INPUT_INVALID", problems.join(" "));
  }

  async #refuseTaken(key: string): Promise<void> {
    const live = this.list().find((server) => server.key === key);
    if (live === undefined && !(await this.#added.has(key))) return;
    const place = live?.isAdded === false ? `stands in ${live.file ?? "the program itself"}` : "was added already";
    const cure = live?.isAdded === false ? "another name" : `stepwell server remove ${key} first, or another name`;
    throw new StepwellError("REFUSED", `There is a server "${key}": it ${place}. Give this one ${cure}.`, {
      details: { code: "server_exists" },
    });
  }

  /** What is missing is said before anything is written. */
  async #checkFilled(configured: ConfiguredServer): Promise<void> {
    const filled = await this.#fill(configured);
    if (filled.ok) return;
    const message = `The server "${configured.entry.key}" cannot be added: ${filled.problem}`;
    throw new StepwellError("INPUT_INVALID", message, { details: { code: "placeholder_unresolved" } });
  }

  get lock(): LockView {
    const servers = [...this.#lock.servers].map(([key, { target, tools }]) => ({
      key,
      target,
      tools: [...tools.values()].map((tool) => ({ name: `${key}.${tool.name}`, sha256: hashOf(toCanonical(tool)) })),
    }));
    return { file: this.#lock.path, servers };
  }

  get changes(): readonly ChangedTool[] {
    return this.#lock.changes.map(toChanged);
  }

  async approve(name: string, { expected }: ApproveOptions = {}): Promise<readonly ChangedTool[]> {
    const dot = name.indexOf(".");
    const key = this.#check(dot === -1 ? name : name.slice(0, dot));
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
      entries: [...this.#configured.values()].map(({ entry }) => entry),
      pins: this.#lock,
      ownStore,
      version,
      clock,
      eras: this.#eras,
      asks: this.#asks,
      left: { add: (group) => this.#left?.add(group), remove: (group) => this.#left?.remove(group) },
      resolve: ({ key }) => this.#resolve(key),
      onTools: (key, tools) => this.#bring(key, tools),
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
    const configured = this.#configured.get(key);
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

  /** Into the box, but never in the place of a tool that somebody else has put there. */
  #bring(key: string, tools: readonly Tool[]): void {
    const { tools: box } = this.#parts;
    const before = this.#brought.get(key) ?? new Set<string>();
    const own = tools.filter(({ name }) => before.has(name) || !hasExactly(box, name));
    for (const { name } of tools)
      if (!own.some((tool) => tool.name === name) && !this.#told.has(name)) this.#tellTaken(name);
    box.load(own);
    const now = new Set(own.map(({ name }) => name));
    for (const name of before) if (!now.has(name)) box.unload(name);
    this.#brought.set(key, now);
  }

  #tellTaken(name: string): void {
    this.#told.add(name);
    const message = `The program has a tool "${name}" of its own; that of the server is not used.`;
    this.#tell(new StepwellError("TOOL_SERVER_TROUBLE", message));
  }

  #tell(error: StepwellError): void {
    (this.#means?.problem ?? this.#parts.onProblem)(error);
  }

  #check(key: string): string {
    if (this.#configured.has(key)) return key;
    const near = nearest(key, this.#configured.keys());
    const cure = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new StepwellError("TOOL_SERVER_NOT_FOUND", `There is no server "${key}".${cure}`, {
      hint: "stepwell server list shows all of them",
    });
  }

  /** Without secrets. */
  #targetOf(key: string): string {
    const configured = this.#configured.get(key);
    return configured === undefined ? "" : describeTarget(configured.entry);
  }

  #toView(health: ServerHealth): ServerView {
    const entry = this.#configured.get(health.key)?.entry;
    const file = entry?.file ?? null;
    return {
      ...health,
      transport: entry?.target.kind ?? null,
      target: this.#targetOf(health.key),
      file,
      isAdded: this.#isAdded(health.key, file),
      changedCount: this.#lock.changes.filter(({ server }) => server === health.key).length,
    };
  }

  #refusedView(key: string): ServerView | undefined {
    const refused = this.#refused.find((server) => server.key === key);
    return refused === undefined ? undefined : this.#toRefusedView(refused);
  }

  #isAdded(key: string, file: string | null): boolean {
    return file === null ? this.#addedHere.has(key) : file === this.#added.path;
  }

  #toRefusedView(refused: RefusedServer): ServerView {
    return { ...toRefusedView(refused), isAdded: this.#isAdded(refused.key, refused.file) };
  }
}

/** Each is a program that runs beside all others. */
const triedMax = 4;
const settingsLengthMax = 65_536;

/** That of a database on a server lies among what programs keep for themselves, where nobody works. */
function isFileOfStore(path: string): boolean {
  return path.endsWith("-servers.json");
}

/** Kept is only that one speaks in the new way: of the others some may have learnt it since. */
function createEras(notes: () => ServerNotes | null): EraMemory {
  const found = new Map<string, Era>();
  return {
    recall: (key) => found.get(key) ?? (notes()?.find(`era:${key}`) === "modern" ? "modern" : undefined),
    remember: (key, era) => {
      if (era === undefined) found.delete(key);
      else found.set(key, era);
      const kept = era === "modern" ? era : null;
      if ((notes()?.find(`era:${key}`) ?? null) !== kept) notes()?.put(`era:${key}`, kept);
    },
  };
}

function hasExactly(box: OpenToolBox, name: string): boolean {
  return box.find(name)?.name === name;
}

function toChanged({ server, tool, kind, lines, hash, since }: FoundChange): ChangedTool {
  return { server, tool: `${server}.${tool}`, kind, lines, hash, since };
}
