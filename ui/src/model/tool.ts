// Tools and the servers that bring them, as the page holds them.

import type { Json } from "./json.ts";
import type { Shown } from "./status.ts";
import { showDuration } from "./time.ts";

export type Tool = {
  readonly name: string;
  readonly description: string | null;
  readonly effect: string;
  /** JSON Schema of its arguments; null: anything. */
  readonly input: Json;
  readonly output: Json;
  readonly outcomes: readonly string[];
  readonly server: string | null;
};

export type ToolServer = {
  readonly key: string;
  readonly status: "idle" | "starting" | "ready" | "waiting" | "refused" | "disabled";
  readonly problem: string | null;
  /** A program, or an address; null: it cannot be made out of what is written. */
  readonly transport: "stdio" | "http" | null;
  readonly target: string;
  /** The same as people know it; null: they may not see it. */
  readonly command: string | null;
  /** It was added through this program, and can be removed so. */
  readonly isAdded: boolean;
  /** The revision of the protocol. */
  readonly protocol: string | null;
  /** How long its newest answer took, but for calls. */
  readonly latencyMs: number | null;
  /** The end of what its program writes on its standard error. */
  readonly lastWords: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly toolCount: number;
  readonly changedCount: number;
  readonly restarts: number;
  readonly callsUnderWay: number;
  readonly strayLines: number;
};

export type Breaker = {
  readonly tool: string;
  readonly state: "closed" | "open" | "half_open";
  readonly count: number;
  readonly lastError: string | null;
  readonly openUntil: number | null;
};

export type ToolFigures = {
  readonly total: number;
  readonly failed: number;
  /** Names of saved workflows that have called it. */
  readonly workflows: readonly string[];
};

export type ChangedTool = {
  readonly server: string;
  readonly tool: string;
  readonly kind: string;
  readonly lines: readonly string[];
  readonly hash: string;
  readonly since: number;
};

/** One whose program has ended is started again as soon as it is called: until then it is not there. */
export function showServer({ status, problem }: Pick<ToolServer, "status" | "problem">): Shown {
  switch (status) {
    case "ready":
      return { token: "done", word: "connected" };
    case "starting":
      return { token: "running", word: "starting" };
    case "idle":
      return problem === null ? { token: "pending", word: "not started" } : { token: "failed", word: "ended" };
    case "waiting":
      return { token: "failed", word: "not connected" };
    case "refused":
      return { token: "failed", word: "refused" };
    case "disabled":
      return { token: "skipped", word: "disabled" };
  }
}

/** What its card says below, in the order in which one looks for it. */
export function sayFacts(server: ToolServer): readonly string[] {
  const { status, problem, transport, name, version, protocol, toolCount, latencyMs } = server;
  const { callsUnderWay, restarts, strayLines } = server;
  const facts = [
    transport === null ? null : transport === "stdio" ? "Program" : "Address",
    name === null ? null : `${name} ${version ?? ""}`.trim(),
    protocol === null ? null : `MCP ${protocol}`,
    count(toolCount, "tool"),
    latencyMs === null || status !== "ready" ? null : `answers in ${showDuration(Math.max(1, latencyMs))}`,
    callsUnderWay === 0 ? null : `${callsUnderWay} under way`,
    restarts === 0 ? null : count(restarts, "restart"),
    strayLines === 0 ? null : count(strayLines, "stray line"),
    status === "idle" && problem !== null ? "the next call starts it again" : null,
  ];
  return facts.filter((each) => each !== null);
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** `problem`: why it does not work as yet. */
export type AddedServer = Pick<ToolServer, "toolCount" | "problem">;

export function sayAdded(key: string, { toolCount, problem }: AddedServer): string {
  return problem === null
    ? `${key} is added, with ${count(toolCount, "tool")}.`
    : `${key} is added; it does not start: ${problem}`;
}

/** Where a program that is added runs: of a store in a file, in its folder, or in the one around ours. */
export function sayProgramsFolder(store: { readonly kind: string; readonly place: string } | undefined): string {
  const found = store?.kind === "sqlite" ? /^(.*?)(?:\/\.stepwell)?\/[^/]+$/u.exec(store.place)?.[1] : undefined;
  const started = "the folder in which the engine was started";
  if (found === undefined || found === ".stepwell") return started;
  return found.startsWith("/") ? found : `${found}, below ${started}`;
}

/** Another one when their tools may be others. */
export function markOf(servers: readonly ToolServer[]): string {
  return JSON.stringify(
    servers.map(({ key, status, toolCount, changedCount }) => [key, status, toolCount, changedCount]),
  );
}

/** Codes of a call that never came to its server, or was cut off with it. */
const goneCodes: ReadonlySet<string> = new Set(["tool_server_exited", "tool_server_unavailable"]);

export function isServerGone(code: string): boolean {
  return goneCodes.has(code);
}

/** The server that a call went to: known of its tool, else by what the tool is called. null: none of these. */
export function serverOfTool(
  tool: string,
  tools: readonly Pick<Tool, "name" | "server">[],
  servers: readonly ToolServer[],
): ToolServer | null {
  const key = tools.find(({ name }) => name === tool)?.server ?? null;
  const isItsOwn = (server: ToolServer): boolean => tool.startsWith(`${server.key}.`);
  return servers.find((server) => server.key === key) ?? servers.find(isItsOwn) ?? null;
}

/** Saved workflows that have called a tool of this server, by name. */
export function callersOf(
  server: string,
  tools: readonly Pick<Tool, "name" | "server">[],
  figures: ReadonlyMap<string, ToolFigures>,
): readonly string[] {
  const own = tools.filter((tool) => tool.server === server);
  return [...new Set(own.flatMap(({ name }) => figures.get(name)?.workflows ?? []))].toSorted();
}

/** What is told of them before their server is taken away. */
export function sayCallers(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "No saved workflow has called its tools.";
  if (names.length === 1) return `The saved workflow ${first} has called its tools; from now on that fails.`;
  const some = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? `, and ${names.length - 5} more` : "";
  return `${names.length} saved workflows have called its tools: ${some}${more}. From now on that fails.`;
}

/** What becomes of the next call, as the server is now. Why it is so stands with the step already, and may be long. */
export function sayServer({ status }: Pick<ToolServer, "status">): string {
  switch (status) {
    case "ready":
      return "It is connected again: the next call goes to it.";
    case "starting":
      return "It is being connected to.";
    case "idle":
      return "It is started again by the next call.";
    case "waiting":
      return "It is left alone for a moment; the next call waits, then starts it.";
    case "refused":
      return "It was refused. Mend what its card under Tools says, then reconnect.";
    case "disabled":
      return "It is switched off where the servers are written down.";
  }
}

/** `open`: it failed so often that it is not called for a while; `half-open`: one call finds out whether it is well. */
export function showBreaker({ state }: Pick<Breaker, "state">): Shown {
  switch (state) {
    case "closed":
      return { token: "done", word: "closed" };
    case "open":
      return { token: "failed", word: "open" };
    case "half_open":
      return { token: "waiting", word: "half-open" };
  }
}

/** The step that calls it, as one pastes it into a flow. */
export function toStepText(tool: string, args: Json): string {
  const name = tool.replace(/^.*\./, "").replace(/[^A-Za-z0-9_]+/g, "_") || "call";
  return `${name}:\n  tool: ${tool}\n  args: ${JSON.stringify(args)}\n`;
}

/** Words anywhere in the name or the description. */
export function filterTools(tools: readonly Tool[], text: string): readonly Tool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, description }) => {
    const said = `${name} ${description ?? ""}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** A frame of a stack as programs write them: ` at open (node:fs:560:18)`, ` at file:///srv/index.js:3:1`. */
const frame = /\s+at (?:[^\s()]+ ){0,4}\(?[^\s()]+:\d+:\d+\)?/g;

/** What went wrong, without where in a program it did: that stands in its logs. */
export function withoutFrames(problem: string): string {
  return problem.replaceAll(frame, "");
}
