// How the service is.

import { queryOptions } from "@tanstack/react-query";
import type { SystemDocument } from "../../../src/server/contract.ts";
import type { Retention } from "../model/retention.ts";
import { ask } from "./request.ts";

export type System = {
  readonly version: string;
  readonly pid: number;
  readonly host: string;
  readonly startedAt: number;
  readonly isOk: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly store: {
    readonly kind: string;
    readonly place: string;
    readonly bytes: number;
    readonly walBytes: number | null;
  };
  readonly durability: string;
  readonly isOwner: boolean;
  readonly owner: { readonly pid: number; readonly host: string; readonly role: string; readonly since: number } | null;
  readonly runs: { readonly running: number; readonly scheduled: number; readonly paused: number };
  readonly ready: { readonly count: number; readonly oldestAt: number | null } | null;
  readonly runningCalls: number | null;
  readonly callsMax: number | null;
  readonly streams: number;
  readonly memoryBytes: number;
  readonly retention: Retention | null;
};

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
    streams: found.streams,
    memoryBytes: found.memory_bytes,
    retention:
      found.retention === null
        ? null
        : { ageMs: found.retention.age_ms, runsMax: found.retention.runs_max, bytesMax: found.retention.bytes_max },
  };
}
