// Servers for tests, with pins that are kept in memory.

import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/engine/clock.ts";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { createContext } from "../../src/testing/call-context.ts";
import type { Pins, ServerEntry, ToolChange, ToolDefinition } from "../../src/tool/mcp/contract.ts";
import { McpServers, type McpServersParts } from "../../src/tool/mcp/server-pool.ts";
import type { CallContext, ToolAnswer } from "../../src/tool/tool.ts";

const badtool = fileURLToPath(new URL("badtool.ts", import.meta.url));

const cache = process.env["NODE_COMPILE_CACHE"];

/** Servers get a small environment, which says nothing of the cache in which the tests keep compiled code. */
export const compiled: Readonly<Record<string, string>> = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };

export function entryOf(key: string, target: ServerEntry["target"], more: Partial<ServerEntry> = {}): ServerEntry {
  return {
    key,
    target,
    isDisabled: false,
    timeoutMs: null,
    era: "auto",
    callsMax: null,
    effects: {},
    file: null,
    ...more,
  };
}

export function programOf(key: string, args: readonly string[], more: Partial<ServerEntry> = {}): ServerEntry {
  return entryOf(key, { kind: "stdio", command: process.execPath, args, env: compiled, cwd: null }, more);
}

/** `badEntry("a", "huge")` */
export function badEntry(key: string, ...args: readonly string[]): ServerEntry {
  return programOf(key, [badtool, ...args]);
}

/** As a configuration has it. */
export const configured = (...args: readonly string[]): Configured => ({
  command: process.execPath,
  args: [badtool, ...args],
  env: compiled,
});

type Configured = {
  readonly command: string;
  readonly args: string[];
  readonly env: Readonly<Record<string, string>>;
};

/** What differs at all is a change; what is agreed to is not asked about here. */
export function createPins(): Pins {
  const agreed = new Map<string, readonly ToolDefinition[]>();
  const changes = new Map<string, ToolChange>();
  return {
    known: (server) => agreed.get(server) ?? [],
    changeOf: (server, tool) => changes.get(`${server}.${tool}`),
    compare: (server, found) => {
      if (!agreed.has(server)) agreed.set(server, found);
      for (const one of agreed.get(server) ?? []) {
        const now = found.find(({ name }) => name === one.name) ?? null;
        const place = `${server}.${one.name}`;
        if (JSON.stringify(now) === JSON.stringify(one)) changes.delete(place);
        else
          changes.set(place, {
            server,
            tool: one.name,
            agreed: one,
            found: now,
            kind: "description",
            lines: ["- old", "+ new"],
          });
      }
      return Promise.resolve([...changes.values()]);
    },
  };
}

export type Told = { readonly problems: string[] };

export function createServers(entries: readonly ServerEntry[], more: Partial<McpServersParts> = {}): McpServers & Told {
  const problems: string[] = [];
  const servers = new McpServers({
    entries,
    resolve: ({ target }) => Promise.resolve({ ok: true, target }),
    pins: createPins(),
    clock: systemClock,
    ownStore: "our-store",
    version: "0.0.0",
    random: () => 0,
    onTools: () => {},
    onProblem: (key, problem) => void problems.push(`${key ?? "engine"}: ${problem}`),
    ...more,
  });
  return Object.assign(servers, { problems });
}

export async function call(
  servers: McpServers,
  name: string,
  { input = {}, ...more }: Partial<CallContext> & { readonly input?: Json } = {},
): Promise<ToolAnswer> {
  const tool = servers.tools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}: ${JSON.stringify(servers.health())}`);
  return await tool.call(createContext(input, more));
}

export function resultOf(answer: ToolAnswer): Json {
  if (answer.kind !== "done") throw new Error(JSON.stringify(answer));
  return answer.result;
}

export const done = (result: Json): JsonObject => ({ kind: "done", result, outcome: null });

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
