// How the service is.

import { queryOptions } from "@tanstack/react-query";
import type { SystemDocument } from "../../../src/server/contract.ts";
import type { System } from "../model/system.ts";
import { ask } from "./request.ts";

export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: async ({ signal }): Promise<System> => toSystem(await ask<SystemDocument>("/api/system", { signal })),
  meta: { everyMs: 2000 },
});

function toSystem(found: SystemDocument): System {
  return {
    version: found.version,
    pid: found.pid,
    host: found.host,
    startedAt: found.started_at,
    isOk: found.status === "ok",
    reasons: found.reasons,
    warnings: found.warnings,
    store: {
      kind: found.store.kind,
      place: found.store.place,
      bytes: found.store.bytes,
      walBytes: found.store.wal_bytes,
    },
    durability: found.durability,
    isOwner: found.is_owner,
    owner: found.owner,
    runs: found.runs,
    ready: found.ready === null ? null : { count: found.ready.count, oldestAt: found.ready.oldest_at },
    runningCalls: found.running_calls,
    callsMax: found.calls_max,
    commitMs: found.commit_ms,
    stepsEnded:
      found.steps_ended === null
        ? null
        : { everyMs: found.steps_ended.every_ms, since: found.steps_ended.since, counts: found.steps_ended.counts },
    streams: found.streams,
    memoryBytes: found.memory_bytes,
    retention:
      found.retention === null
        ? null
        : { ageMs: found.retention.age_ms, runsMax: found.retention.runs_max, bytesMax: found.retention.bytes_max },
  };
}
