// When something begins: what a text stands for, and what is due.

import { queryOptions } from "@tanstack/react-query";
import type { AlarmDocument, ScheduleDocument } from "../../../src/server/contract.ts";
import type { Json } from "../model/json.ts";
import { ask } from "./request.ts";

export type Instant = { readonly at: number; readonly tz: string; readonly text: string };

/** What "tomorrow at 9am" would be. */
export function instantQuery(text: string, tz: string) {
  return queryOptions({
    queryKey: ["instant", text, tz],
    queryFn: ({ signal }): Promise<Instant> =>
      ask<Instant>("/api/schedules/preview", { method: "POST", body: { text, tz }, signal }),
    enabled: text.trim() !== "",
    retry: false,
    staleTime: 10_000,
    gcTime: 10_000,
  });
}

export type Alarm = {
  readonly kind: string;
  readonly dueAt: number;
  readonly run: number;
  readonly workflow: string;
  readonly step: number | null;
  readonly stepName: string | null;
};

export function toAlarm(found: AlarmDocument): Alarm {
  return {
    kind: found.kind,
    dueAt: found.due_at,
    run: found.workflow_id,
    workflow: found.workflow,
    step: found.step_id,
    stepName: found.step,
  };
}

export const alarmsQuery = queryOptions({
  queryKey: ["alarms"],
  queryFn: async ({ signal }): Promise<readonly Alarm[]> =>
    (await ask<readonly AlarmDocument[]>("/api/alarms", { query: { limit: 200 }, signal })).map(toAlarm),
});

export type Scheduled = {
  readonly id: number;
  readonly name: string;
  readonly scheduledAt: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly input: Json;
};

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: async ({ signal }): Promise<readonly Scheduled[]> => {
    const found = await ask<readonly ScheduleDocument[]>("/api/schedules", { query: { limit: 500 }, signal });
    return found.map((each) => ({
      id: each.id,
      name: each.name,
      scheduledAt: each.scheduled_at,
      createdBy: each.created_by,
      createdAt: each.created_at,
      input: each.input,
    }));
  },
});

/** It never begins. */
export function unschedule(run: number): Promise<unknown> {
  return ask(`/api/schedules/${run}`, { method: "DELETE" });
}
