// Tools, the servers that bring them, their breakers, and what is agreed on about them.

import { queryOptions } from "@tanstack/react-query";
import type {
  BreakerDocument,
  CallDocument,
  LockDocument,
  ServerDocument,
  StatisticsDocument,
  ToolDocument,
} from "../../../src/server/contract.ts";
import type { Json } from "../model/json.ts";
import type { Breaker, ChangedTool, Tool, ToolFigures, ToolServer } from "../model/tool.ts";
import { ask } from "./request.ts";

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
      target: found.target,
      era: found.era,
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
    for (const { tool, total, failed } of groups) {
      const known = figures.get(tool) ?? { total: 0, failed: 0 };
      figures.set(tool, { total: known.total + total, failed: known.failed + failed });
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
