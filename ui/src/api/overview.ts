// What is going on: for Home, the library and the demo.

import { queryOptions } from "@tanstack/react-query";
import type { DemoDocument, OverviewDocument } from "../../../src/server/contract.ts";
import type { Overview } from "../model/overview.ts";
import { ask } from "./request.ts";
import { shownZone } from "../model/time.ts";
import { toAlarm } from "./schedules.ts";

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: async ({ signal }): Promise<Overview> =>
    toOverview(await ask<OverviewDocument>("/api/overview", { query: { hours: 24, tz: shownZone() }, signal })),
});

function toOverview(found: OverviewDocument): Overview {
  return {
    isComplete: found.is_complete,
    today: { runs: found.today.runs, failed: found.today.failed, waiting: found.today.waiting },
    hours: found.hours,
    workflows: found.workflows.map((each) => ({
      name: each.name,
      last: each.last.map(({ id, status, duration_ms: durationMs, created_at: createdAt, doing }) => {
        return { id, status, durationMs, createdAt, doing };
      }),
      runs: each.runs,
      successRate: each.success_rate,
      p50Ms: each.p50_ms,
      p95Ms: each.p95_ms,
      nextAt: each.next_at,
    })),
    failures: found.failures.map(({ message, code, workflow, count, last_id: lastId, last_at: lastAt }) => {
      return { message, code, workflow, count, lastId, lastAt };
    }),
    running: found.running.map(({ id, name, status, started_at: startedAt, steps, doing }) => ({
      id,
      name,
      status,
      startedAt,
      steps,
      doing,
    })),
    upcoming: found.upcoming.map(toAlarm),
  };
}

export type Demo = {
  readonly canCrash: boolean;
  /** A run has come to its end though its process was killed. */
  readonly hasSurvived: boolean;
  readonly demos: readonly string[];
};

export const demoQuery = queryOptions({
  queryKey: ["demo"],
  queryFn: async ({ signal }): Promise<Demo> => {
    const found = await ask<DemoDocument>("/api/demo", { signal });
    return { canCrash: found.can_crash, hasSurvived: found.has_survived, demos: found.demos };
  },
});

/** Kills the worker process in the midst of a step; the run that it was at goes on in the next one. */
export async function pullThePlug(): Promise<number> {
  const { run } = await ask<{ readonly run: { readonly id: number } }>("/api/demo/crash", { method: "POST", body: {} });
  return run.id;
}

export function removeDemos(): Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }> {
  return ask("/api/demo/clean", { method: "POST", body: {} });
}
