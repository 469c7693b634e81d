// The servers of an engine: what they offer as tools, and how they are. Tools that are known from before are there at
// once, and their servers are started when first needed; a server of which nothing is known is started to find out.

import { deepFreeze, isObject } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";
import { asChecked } from "../answer.ts";
import { refuseArguments } from "../arguments.ts";
import { compileToolSchema } from "../schema.ts";
import { messageOfThrown } from "../thrown.ts";
import type { InnerContext, Tool, ToolAnswer } from "../tool.ts";
import { StepwellError } from "../../error.ts";
import type { Era, ServerEntry, ServerHealth, ToolDefinition } from "./contract.ts";
import { initialiseMs, within } from "./link-clock.ts";
import { McpServer, type AskMemory, type EraMemory, type ServerParts } from "./mcp-server.ts";
import { Reaper } from "./reaper.ts";
import type { ServerCall } from "./server-call.ts";
import { withoutInvisible } from "./shown-text.ts";

/** A server that does not begin to speak has been given up by then; one that may take longer, or takes long to list its
 *  tools, goes on, and its tools are there when it has. */
const openMs = initialiseMs + 500;

export type McpServersParts = Pick<ServerParts, "resolve" | "pins" | "clock" | "mask" | "ownStore" | "version"> & {
  readonly entries: readonly ServerEntry[];
  /** All tools of a server, each time that they have changed. */
  readonly onTools: (key: string, tools: readonly Tool[]) => void;
  /** For people; never with a value that was filled in. */
  readonly onProblem: (key: string | null, problem: string) => void;
  readonly random?: () => number;
  readonly eras?: EraMemory;
  readonly asks?: AskMemory;
  /** Is told of the process groups of programs as well. */
  readonly left?: ServerParts["groups"];
};

/** `const servers = new McpServers({ entries, … }); await servers.open(); … await servers.stop();` */
export class McpServers {
  readonly #parts: McpServersParts;
  readonly #servers: Map<string, { readonly entry: ServerEntry; readonly server: McpServer }>;
  readonly #shared: ServerParts;
  readonly #tools = new Map<string, readonly Tool[]>();
  readonly #reaper: Reaper;

  constructor(parts: McpServersParts) {
    this.#parts = parts;
    this.#reaper = new Reaper((problem) => parts.onProblem(null, problem));
    this.#shared = {
      ...parts,
      random: parts.random ?? Math.random,
      eras: parts.eras ?? createEraMemory(),
      asks: parts.asks ?? createAskMemory(),
      groups: this.#groups(),
      onTools: (key, definitions) => this.#offer(key, definitions),
      onProblem: parts.onProblem,
    };
    this.#servers = new Map(
      parts.entries.map((entry) => [entry.key, { entry, server: new McpServer(entry, this.#shared) }] as const),
    );
  }

  #groups(): ServerParts["groups"] {
    const { left } = this.#parts;
    return {
      add: (group) => {
        this.#reaper.add(group);
        left?.add(group);
      },
      remove: (group) => {
        this.#reaper.remove(group);
        left?.remove(group);
      },
    };
  }

  /** Never throws: an engine opens with whatever servers there are. */
  async open(): Promise<void> {
    const unknown: Promise<void>[] = [];
    for (const { entry, server } of this.#servers.values()) {
      if (entry.isDisabled) continue;
      const known = this.#parts.pins.known(entry.key);
      if (known.length > 0) this.#offer(entry.key, known);
      else unknown.push(this.#discover(server));
    }
    await within(this.#parts.clock, openMs, Promise.all(unknown));
  }

  /** One more, whose tools are there if they are known from before. It is not started. */
  add(entry: ServerEntry): void {
    const { key, isDisabled } = entry;
    // The one that is there would go on with nobody who could end it.
    if (this.#servers.has(key))
      throw new StepwellError("REFUSED", `There is a server "${key}" already; remove it first.`);
    this.#servers.set(key, { entry, server: new McpServer(entry, this.#shared) });
    const known = this.#parts.pins.known(key);
    if (!isDisabled && known.length > 0) this.#offer(key, known);
  }

  /** Starts it as those are that are there from the beginning, unless it rests. Never throws. */
  async begin(key: string): Promise<void> {
    const found = this.#servers.get(key);
    if (found === undefined || found.entry.isDisabled) return;
    await within(this.#parts.clock, openMs, this.#discover(found.server));
  }

  /** Calls under way are cut off, and what was started ends. */
  async remove(key: string): Promise<void> {
    const found = this.#servers.get(key);
    this.#servers.delete(key);
    this.#tools.delete(key);
    await found?.server.stop();
  }

  health(): readonly ServerHealth[] {
    return [...this.#servers.values()].map(({ server }) => server.health());
  }

  async restart(key: string): Promise<ServerHealth> {
    const server = this.#get(key);
    // What went wrong stands in its health.
    await server.restart().catch(() => {});
    return server.health();
  }

  /** Connects to it, if need be, and lists its tools. */
  async test(key: string): Promise<ServerHealth> {
    const server = this.#get(key);
    await server.refresh().catch(() => {});
    return server.health();
  }

  tools(): readonly Tool[] {
    return [...this.#tools.values()].flat();
  }

  /** Somebody has agreed to what had changed. */
  renew(key: string): void {
    this.#offer(key, this.#parts.pins.known(key));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ server }) => server.stop()));
    this.#reaper.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #get(key: string): McpServer {
    const found = this.#servers.get(key);
    if (found !== undefined) return found.server;
    throw new StepwellError("USAGE", `There is no server "${key}" in the configuration.`);
  }

  async #discover(server: McpServer): Promise<void> {
    try {
      await server.connected();
    } catch (error) {
      this.#parts.onProblem(server.key, withoutInvisible(messageOfThrown(error)));
    }
  }

  #offer(key: string, definitions: readonly ToolDefinition[]): void {
    const found = this.#servers.get(key);
    if (found === undefined) return;
    const { entry, server } = found;
    const tools = definitions.map((definition) => toTool(entry, server, definition));
    this.#tools.set(key, tools);
    this.#parts.onTools(key, tools);
  }
}

function createEraMemory(): EraMemory {
  const known = new Map<string, Era>();
  return {
    recall: (key) => known.get(key),
    remember: (key, era) => void (era === undefined ? known.delete(key) : known.set(key, era)),
  };
}

function createAskMemory(): AskMemory {
  const known = new Set<string>();
  return { recall: (key) => known.has(key), remember: (key) => void known.add(key) };
}

function toTool(entry: ServerEntry, server: McpServer, definition: ToolDefinition): Tool {
  const { description, input, output } = definition;
  const tool: Omit<Tool, "call"> = {
    name: `${entry.key}.${definition.name}`,
    description: description === null ? null : withoutInvisible(description),
    effect: effectOf(entry, definition),
    // What can no longer change is known again without being read again, at each call.
    input: deepFreeze(input),
    output: deepFreeze(output),
    outcomes: [],
    server: entry.key,
  };
  let checked: Omit<Tool, "call"> | null = null;
  const call = (context: InnerContext): ToolAnswer | Promise<ToolAnswer> =>
    refuse((checked ??= checkable(tool)), context) ?? make({ server, definition, tool }, context);
  return asChecked({ ...tool, call });
}

let calling: typeof import("./call.ts") | undefined;

/** Loaded with the first call, as the connections are. */
function make(call: ServerCall, context: InnerContext): Promise<ToolAnswer> {
  return calling === undefined ? loadAndMake(call, context) : calling.callServer(call, context);
}

async function loadAndMake(call: ServerCall, context: InnerContext): Promise<ToolAnswer> {
  calling = await import("./call.ts");
  return await calling.callServer(call, context);
}

/** A schema that cannot be used here says nothing about the arguments: the server checks them itself. */
function checkable(tool: Omit<Tool, "call">): Omit<Tool, "call"> {
  return tool.input === null || compileToolSchema(tool.input).ok ? tool : { ...tool, input: null };
}

/** What was begun is followed, whatever its arguments were. */
function refuse(tool: Omit<Tool, "call">, context: InnerContext): ToolAnswer | null {
  if (context.handle !== undefined) return null;
  const input = context.lent ?? context.input;
  if (input !== null && !isObject(input)) {
    const message = `The tool "${tool.name}" takes arguments by their names, and was given something else.`;
    return { kind: "failed", code: "bad_args", message, isFinal: true };
  }
  const { secretPlaces } = context;
  return refuseArguments(tool, { input: input ?? {}, ...(secretPlaces === undefined ? {} : { secretPlaces }) });
}

/** Hints of a server are believed as far as they go; what it does not say counts as the worst. */
function effectOf({ effects }: ServerEntry, { name, annotations }: ToolDefinition): Effect {
  const said = Object.hasOwn(effects, name) ? effects[name] : undefined;
  if (said !== undefined) return said;
  if (annotations["readOnlyHint"] === true) return "read";
  return annotations["idempotentHint"] === true ? "idempotent" : "write";
}
