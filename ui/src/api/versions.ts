// The versions of a saved workflow, and how its calls went.

import { queryOptions } from "@tanstack/react-query";
import type { StatisticsDocument, VersionDocument } from "../../../src/server/contract.ts";
import type { CallFigures, Version } from "../model/workflow.ts";
import { ask } from "./request.ts";

/** Newest first. */
export function versionsQuery(name: string) {
  return queryOptions({
    queryKey: ["workflow", name, "versions"],
    queryFn: async ({ signal }): Promise<readonly Version[]> =>
      (
        await ask<readonly VersionDocument[]>(`/api/workflow/templates/${encodeURIComponent(name)}/versions`, {
          signal,
        })
      ).map(({ version, note, created_by: createdBy, created_at: createdAt, hash }) => ({
        version,
        note,
        createdBy,
        createdAt,
        hash,
      })),
  });
}

/** Makes an older version the newest. */
export function restoreVersion(name: string, version: number): Promise<unknown> {
  return ask(`/api/workflow/templates/${encodeURIComponent(name)}/restore`, {
    method: "POST",
    body: { version, note: `Version ${version} again` },
  });
}

/** How the calls of this workflow went, step by step, over all its versions. */
export function callFiguresQuery(name: string) {
  return queryOptions({
    queryKey: ["workflow", name, "calls"],
    queryFn: async ({ signal }): Promise<readonly CallFigures[]> => {
      const { groups } = await ask<StatisticsDocument>("/api/statistics", {
        query: { workflow: name, by: "step" },
        signal,
      });
      const steps = new Map<string, CallFigures>();
      for (const { step, tool, total, failed, mean_duration_ms: mean } of groups) {
        if (step === null) continue;
        const key = JSON.stringify([step, tool]);
        const known = steps.get(key) ?? { step, tool, total: 0, failed: 0, spentMs: 0 };
        steps.set(key, {
          step,
          tool,
          total: known.total + total,
          failed: known.failed + failed,
          spentMs: known.spentMs + (mean ?? 0) * total,
        });
      }
      return [...steps.values()];
    },
  });
}
