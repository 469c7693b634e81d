// Tools, the servers that bring them, their breakers, and what is agreed on about them.

import { queryOptions } from "@tanstack/react-query";
import type {
  BreakerDocument,
  CallDocument,
  LockDocument,
  ServerDocument,
  StatisticsDocument,
  ToolDocument,
  TriedServerDocument,
} from "../../../src/server/contract.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AddedServer, Breaker, ChangedTool, Tool, ToolFigures, ToolServer } from "../model/tool.ts";
import { ask, Problem } from "./request.ts";

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: ({ signal }): Promise<readonly Tool[]> => ask<readonly ToolDocument[]>("/api/tools", { signal }),
});

export const serversQuery = queryOptions({
  queryKey: ["servers"],
  queryFn: async ({ signal }): Promise<readonly ToolServer[]> =>
    (await ask<readonly ServerDocument[]>("/api/servers", { signal })).map((found) => ({
      key: found.key,
      status: found.status,
      problem: found.problem,
      transport: found.transport,
      target: found.target,
      command: found.command,
      isAdded: found.is_added,
      protocol: found.protocol,
      latencyMs: found.latency_ms,
      lastWords: found.last_words,
      name: found.name,
      version: found.version,
      toolCount: found.tool_count,
      changedCount: found.changed_count,
      restarts: found.restarts,
      callsUnderWay: found.calls_under_way,
      strayLines: found.stray_lines,
    })),
  // No event tells of a server that has gone.
  meta: { everyMs: 2500 },
});

export const breakersQuery = queryOptions({
  queryKey: ["breakers"],
  queryFn: async ({ signal }): Promise<readonly Breaker[]> =>
    (await ask<readonly BreakerDocument[]>("/api/breakers", { signal })).map((found) => ({
      tool: found.tool,
      state: found.state,
      count: found.count,
      lastError: found.last_error,
      openUntil: found.open_until,
    })),
  meta: { everyMs: 5000 },
});

export const toolFiguresQuery = queryOptions({
  queryKey: ["statistics", "tools"],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, ToolFigures>> => {
    const { groups } = await ask<StatisticsDocument>("/api/statistics", { signal });
    const figures = new Map<string, ToolFigures>();
    for (const { tool, total, failed, workflow, version } of groups) {
      const known = figures.get(tool) ?? { total: 0, failed: 0, workflows: [] };
      const workflows = version === null ? known.workflows : [...new Set([...known.workflows, workflow])];
      figures.set(tool, { total: known.total + total, failed: known.failed + failed, workflows });
    }
    return figures;
  },
});

export const changesQuery = queryOptions({
  queryKey: ["lock"],
  queryFn: async ({ signal }): Promise<readonly ChangedTool[]> =>
    (await ask<LockDocument>("/api/lock", { signal })).changes,
});

export function approveTool(name: string, hash: string): Promise<unknown> {
  return ask("/api/lock/approve", { method: "POST", body: { name, hash } });
}

export function resetBreaker(tool: string): Promise<unknown> {
  return ask(`/api/breakers/${encodeURIComponent(tool)}/reset`, { method: "POST" });
}

export function reconnect(server: string): Promise<unknown> {
  return ask(`/api/servers/${encodeURIComponent(server)}/restart`, { method: "POST" });
}

export type Called = {
  readonly run: number;
  readonly ok: boolean;
  readonly outcome: string | null;
  readonly result: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** Once, as a run of one step. */
export async function callTool(name: string, args: Json): Promise<Called> {
  const found = await ask<CallDocument>(`/api/tools/${encodeURIComponent(name)}/call`, {
    method: "POST",
    body: { args },
  });
  return { run: found.workflow_id, ok: found.ok, outcome: found.outcome, result: found.result, error: found.error };
}

/** A server as it would stand in a file of servers. */
export type GivenServer = { readonly key: string; readonly server: JsonObject };

/** What became of trying it out. */
export type TriedServer = {
  readonly isOk: boolean;
  readonly problem: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly tools: readonly { readonly name: string; readonly description: string | null }[];
};

/** It is started or connected to, asked for its tools, and ended; nothing of it is kept. */
export async function tryServer(given: GivenServer, signal: AbortSignal): Promise<TriedServer> {
  const found = await ask<TriedServerDocument>("/api/servers/test", { method: "POST", body: given, signal });
  return { isOk: found.ok, problem: found.problem, name: found.name, version: found.version, tools: found.tools };
}

export async function addServer(given: GivenServer): Promise<AddedServer> {
  const { tool_count, status, problem } = await ask<ServerDocument>("/api/servers", { method: "POST", body: given });
  return {
    toolCount: tool_count,
    problem: status === "ready" ? null : problem,
  };
}

/** There is one of this name already. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof Problem && error.details["code"] === "server_exists";
}

export function removeServer(key: string): Promise<unknown> {
  return ask(`/api/servers/${encodeURIComponent(key)}`, { method: "DELETE" });
}
