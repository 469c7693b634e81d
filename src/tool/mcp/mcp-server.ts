// One configured server and its connection, which all calls share.
//
// idle → starting → ready, and back to idle when it ends; after trouble it waits longer and longer before it starts
// again. Whoever needs it starts it, or waits with the others. Ready means: its tools were listed and held against what
// was agreed on, so that nothing is called that has changed in the meantime. After `stop` nothing starts any more.

import type {
  Era,
  HttpTarget,
  Pins,
  ServerEntry,
  ServerHealth,
  StdioTarget,
  ToolChange,
  ToolDefinition,
} from "./contract.ts";
import type { Connection, ConnectionParts } from "./connection.ts";
import { initialiseMs, pause, unlessAborted, type LinkClock } from "./link-clock.ts";
import { LastWords } from "./last-words.ts";
import { LinkProblem, refusesEra } from "./link-problem.ts";
import { createVeil, hideNothing, withoutInvisible, withoutValues, type Hide } from "./shown-text.ts";
import { Turnstile } from "./turnstile.ts";
import { messageOfThrown } from "../thrown.ts";

const backOffMs = 1000;
const backOffMaxMs = 60_000;
/** For listing its tools, unless the configuration says otherwise. */
const listMs = 30_000;
/** A server that says all the time that its tools have changed is asked this often. */
const listAgainMs = 1000;

const unknownServer = { era: null, protocol: null, name: null, version: null, latencyMs: null };

/** An entry with everything filled in; or why that is not possible, without any value. */
type Resolved = ({ readonly ok: true } & Filled) | { readonly ok: false; readonly problem: string };

type Filled = {
  readonly target: StdioTarget | HttpTarget;
  readonly filled?: readonly string[];
  readonly secrets?: readonly string[];
};

/** How servers were found to speak. */
export interface EraMemory {
  recall(key: string): Era | undefined;
  remember(key: string, era: Era | undefined): void;
}

/** Which servers have asked without saying for which call. */
export interface AskMemory {
  recall(key: string): boolean;
  remember(key: string): void;
}

export type ServerParts = {
  readonly resolve: (entry: ServerEntry) => Promise<Resolved>;
  readonly pins: Pins;
  readonly clock: LinkClock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly groups: ConnectionParts["groups"];
  /** Hides secrets that calls are given, in what programs write. */
  readonly mask?: Hide;
  readonly eras: EraMemory;
  readonly asks: AskMemory;
  /** Which store this program works on; null: none that anybody could know. */
  readonly ownStore: string | null;
  readonly version: string;
  readonly onTools: (key: string, definitions: readonly ToolDefinition[]) => void;
  readonly onProblem: (key: string, problem: string) => void;
};

export class McpServer {
  readonly #entry: ServerEntry;
  readonly #parts: ServerParts;
  readonly #turnstile: Turnstile;
  #connection: Connection | null = null;
  /** Of no use for new calls; each is closed when those that it has are over. */
  readonly #retired = new Set<Connection>();
  /** Hides what was filled in for the newest connection. */
  #hide: Hide = hideNothing;
  /** Of that, what surely is secret. */
  #hideSecrets: Hide = hideNothing;
  #opening: Promise<Connection> | null = null;
  /** The tools are being listed again. */
  #listing: Promise<void> | null = null;
  #isListStale = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Ends pauses. */
  #wake = new AbortController();
  readonly #life = new AbortController();
  #isStopped = false;
  #isRefused = false;
  #problem: string | null = null;
  #troubles = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #starts = 0;
  #callsUnderWay = 0;
  #last: Pick<ServerHealth, "era" | "protocol" | "name" | "version" | "latencyMs"> = unknownServer;
  /** Of its newest program. */
  #words: LastWords | null = null;
  #strayLines = 0;

  constructor(entry: ServerEntry, parts: ServerParts) {
    this.#entry = entry;
    this.#parts = parts;
    this.#turnstile = new Turnstile(entry.callsMax, parts.clock);
  }

  get key(): string {
    return this.#entry.key;
  }

  get clock(): LinkClock {
    return this.#parts.clock;
  }

  /** Its connection, if there is nothing to wait for. */
  get ready(): Connection | null {
    return this.#isStopped || this.#entry.isDisabled || this.#listing !== null ? null : this.#connection;
  }

  /** Throws a `LinkProblem`; nothing was asked of the server then. */
  async connected(signal?: AbortSignal): Promise<Connection> {
    if (this.#isStopped || this.#entry.isDisabled) throw new LinkProblem("tool_server_refused", this.#idleReason());
    if (this.ready !== null) return this.ready;
    const ready = this.#connection === null ? this.#start() : this.#listed(this.#connection);
    return signal === undefined ? await ready : await unlessAborted(ready, signal);
  }

  get hide(): Hide {
    return this.#hide;
  }

  get hideSecrets(): Hide {
    return this.#hideSecrets;
  }

  changeOf(tool: string): ToolChange | undefined {
    return this.#parts.pins.changeOf(this.key, tool);
  }

  /** A call begins; `end` when it is over. */
  begin(): void {
    this.#callsUnderWay += 1;
  }

  end(): void {
    this.#callsUnderWay -= 1;
  }

  /** It has answered: whatever troubles there were are over. */
  proved(): void {
    this.#troubles = 0;
  }

  /** Nothing new is asked on this connection, and what is under way may end; null: and that is no trouble. */
  drop(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    if (error !== null) this.#trouble(error);
    this.#retired.add(connection);
    connection.retire();
  }

  /** Lists its tools again; the connection is opened if need be. */
  async refresh(): Promise<void> {
    const connection = await this.connected();
    // It was listed on the way here.
    if (this.clock.elapsed() - this.#listedAt < listAgainMs) return;
    await this.#list(connection);
  }

  /** At once, whatever happened before. */
  async restart(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await this.#closeAll(connection);
    this.#troubles = 0;
    this.#notBefore = Number.NEGATIVE_INFINITY;
    this.#wake.abort();
    await this.connected();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#life.abort();
    this.#wake.abort();
    const connection = this.#connection;
    this.#connection = null;
    await this.#closeAll(connection);
    // It does not come to anything any more.
    await this.#opening?.catch(() => null);
  }

  async #closeAll(connection: Connection | null): Promise<void> {
    const open = connection === null ? [...this.#retired] : [connection, ...this.#retired];
    await Promise.all(open.map((each) => each.close()));
  }

  health(): ServerHealth {
    const { key, isDisabled } = this.#entry;
    return {
      key,
      status: isDisabled ? "disabled" : this.#status(),
      problem: this.#problem,
      ...this.#last,
      latencyMs: this.#connection?.latencyMs ?? this.#last.latencyMs,
      lastWords: this.#words?.text ?? null,
      toolCount: this.#parts.pins.known(key).length,
      restarts: Math.max(0, this.#starts - 1),
      callsUnderWay: this.#callsUnderWay,
      strayLines: this.#strayLines + (this.#connection?.strayLines ?? 0),
    };
  }

  #status(): ServerHealth["status"] {
    if (this.#connection !== null) return "ready";
    if (this.clock.elapsed() < this.#notBefore) return "waiting";
    if (this.#opening !== null) return "starting";
    return this.#isRefused ? "refused" : "idle";
  }

  #idleReason(): string {
    return this.#isStopped ? "The engine stops." : "It is disabled in the configuration.";
  }

  #start(): Promise<Connection> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Two rounds see every change that was told before; a server that tells of them without an end keeps nobody waiting. */
  async #listed(connection: Connection): Promise<Connection> {
    await this.#listing;
    await this.#listing;
    return this.#connection === connection ? connection : await this.#start();
  }

  async #open(): Promise<Connection> {
    this.#wake = new AbortController();
    await pause(this.clock, this.#notBefore - this.clock.elapsed(), this.#wake.signal);
    if (this.#isStopped) throw new LinkProblem("tool_server_refused", this.#idleReason());
    try {
      const connection = await this.#connect();
      const close = (): void => void connection.close().catch(() => {});
      if (this.#isStopped) close();
      else this.#life.signal.addEventListener("abort", close, { once: true });
      this.#isListStale = false;
      try {
        await this.#agree(connection);
      } catch (error) {
        const why = connection.explain(error);
        await connection.close();
        throw why;
      } finally {
        this.#life.signal.removeEventListener("abort", close);
      }
      if (this.#isStopped) await connection.close();
      if (connection.isOver) throw connection.problem ?? new LinkProblem("tool_server_unavailable", "It has hung up.");
      this.#connection = connection;
      this.#problem = null;
      this.#isRefused = false;
      // Told while they were being listed.
      if (this.#isListStale) void this.#list(connection);
      return connection;
    } catch (error) {
      this.#trouble(error);
      throw error;
    }
  }

  /** In the way that it is known to speak, or one that is found out. A program is not started twice to find out: most are
   *  spoken to in the old way, and those that are not refuse the handshake. */
  async #connect(): Promise<Connection> {
    const resolved = await this.#parts.resolve(this.#entry);
    if (!resolved.ok) throw new LinkProblem("tool_server_refused", resolved.problem);
    const { key, era } = this.#entry;
    const { eras } = this.#parts;
    this.#hide = createVeil(resolved.filled ?? []);
    this.#hideSecrets = createVeil(resolved.secrets ?? []);
    const usual = resolved.target.kind === "stdio" ? "legacy" : "auto";
    const first = era === "auto" ? (eras.recall(key) ?? usual) : era;
    this.#starts += 1;
    try {
      const connection = await this.#try(resolved, first);
      if (era === "auto") eras.remember(key, connection.era);
      return connection;
    } catch (error) {
      if (era !== "auto" || first === "auto" || !refusesEra(error)) throw error;
      eras.remember(key, undefined);
      const connection = await this.#try(resolved, first === "legacy" ? "modern" : "legacy");
      eras.remember(key, connection.era);
      return connection;
    }
  }

  async #try({ target, filled = [] }: Filled, era: Era | "auto"): Promise<Connection> {
    const { clock, groups, version, asks, onProblem } = this.#parts;
    const { key, timeoutMs } = this.#entry;
    // Loaded when the first server is needed: the SDK takes a good part of a second, and most commands call nobody.
    const link = await import("./connection.ts");
    const words = (this.#words = new LastWords(filled, this.#parts.mask));
    let opened: Connection | null = null;
    opened = await link.Connection.open({
      target,
      era,
      clock,
      groups,
      version,
      turnstile: this.#turnstile,
      beginMs: timeoutMs ?? initialiseMs,
      signal: this.#life.signal,
      hide: this.#hide,
      words,
      onStray: (line) => onProblem(key, `It writes on its standard output what is no message: ${line}`),
      takesTurns: asks.recall(key),
      onAsked: () => asks.remember(key),
      onListChanged: () => this.#changed(),
      onClosed: (problem) => {
        if (opened !== null) this.#closed(opened, problem);
      },
    });
    return opened;
  }

  /** Lists its tools and holds them against what was agreed on. */
  async #agree(connection: Connection): Promise<void> {
    const { ownStore, pins, onTools, onProblem } = this.#parts;
    const { key, timeoutMs } = this.#entry;
    if (ownStore !== null && connection.store === ownStore) {
      const said = "It is this very engine: its workflows would call themselves. Remove it from the configuration.";
      throw new LinkProblem("tool_server_refused", said);
    }
    const { definitions, problems } = await connection.list(timeoutMs ?? listMs);
    const { era, protocol, latencyMs, server } = connection;
    const [name, version] = [this.#shown(server.name), this.#shown(server.version)];
    this.#last = { era, protocol, latencyMs, name, version };
    for (const problem of problems) onProblem(key, this.#hide(withoutInvisible(problem)));
    // What is agreed on lies in a file that others read, and is the same with whatever value.
    await pins.compare(
      key,
      definitions.map((definition) => withoutValues(definition, this.#hide)),
    );
    this.#listedAt = this.clock.elapsed();
    onTools(key, pins.known(key));
  }

  #shown(text: string | null): string | null {
    return text === null ? null : this.#hide(withoutInvisible(text));
  }

  /** However often it is told while it is being looked at, it is looked at once more. */
  #changed(): void {
    this.#isListStale = true;
    if (this.#connection !== null && this.#listing === null) void this.#list(this.#connection);
  }

  #list(connection: Connection): Promise<void> {
    this.#listing ??= this.#listAgain(connection).finally(() => {
      this.#listing = null;
      if (this.#isListStale && this.#connection === connection) void this.#list(connection);
    });
    return this.#listing;
  }

  async #listAgain(connection: Connection): Promise<void> {
    await pause(this.clock, this.#listedAt + listAgainMs - this.clock.elapsed(), this.#wake.signal);
    this.#isListStale = false;
    if (this.#connection !== connection) return;
    try {
      await this.#agree(connection);
    } catch (error) {
      // What its tools are now nobody knows: so none is called.
      this.drop(connection, connection.explain(error));
    }
  }

  #closed(connection: Connection, problem: LinkProblem | null): void {
    this.#strayLines += connection.strayLines;
    this.#retired.delete(connection);
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#trouble(problem ?? new LinkProblem("tool_server_unavailable", "It has hung up."));
  }

  #trouble(error: unknown): void {
    this.#problem = this.#hide(withoutInvisible(messageOfThrown(error))).slice(0, 4096);
    this.#isRefused = error instanceof LinkProblem && error.code === "tool_server_refused";
    // What was never tried costs nothing to try again.
    if (this.#isRefused && this.#connection === null && this.#starts === 0) return;
    const longest = Math.min(backOffMs * 2 ** this.#troubles, backOffMaxMs);
    this.#troubles += 1;
    // Half of it by chance, so that many that fell together do not come back together.
    this.#notBefore = this.clock.elapsed() + longest * (0.5 + this.#parts.random() / 2);
  }
}
