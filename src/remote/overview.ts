// What is going on, through a server: runs by what is in them, what is due, what was counted, what waits for a person.

import type { UserEngine } from "../engine/engine.ts";
import type { Stats, Upcoming } from "../engine/overview.ts";
import type { JsonObject } from "../flow/json.ts";
import type { RunPage, RunSearch } from "../store/search.ts";
import type { StoredRun } from "../store/store.ts";
import { pageMax, type Query } from "./address.ts";
import { notThere } from "./failure.ts";
import { fieldIn, listIn, numberIn, objectIn, take, textIn } from "./fields.ts";
import { readStoredRun } from "./read-run.ts";
import type { Wire } from "./wire.ts";

export function createOverview(wire: Wire): UserEngine["overview"] {
  return {
    search: (query) => searchRuns(wire, query ?? {}),
    find: async (text) => {
      const found = objectIn((await wire.read("api/find", { id: text })).body);
      const steps = listIn(fieldIn(found, "steps")).map((step) => {
        return { id: numberIn(step, "id"), run: numberIn(step, "workflow_id") };
      });
      return { runs: take<{ readonly runs: readonly number[] }>(found, ["runs"]).runs, steps };
    },
    alarms: async (wish) => {
      const limit = Math.min(pageMax, wish?.limitMax ?? pageMax);
      return listIn((await wire.read("api/alarms", { limit })).body).map(toUpcoming);
    },
    stats: async (wish) => {
      const names = ["since", "runs", "statuses", "workflows", "isComplete"] as const;
      return take<Stats>(objectIn((await wire.read("api/stats", { since: wish?.since })).body), names);
    },
    readTime: async (text, wish) => {
      const body = { text, ...(wish?.tz === undefined ? {} : { tz: wish.tz }) };
      const told = objectIn((await wire.send({ method: "POST", path: "api/schedules/preview", body })).body);
      return {
        at: numberIn(told, "at"),
        zone: textIn(told, "tz"),
        text: textIn(told, "text"),
        inMs: numberIn(told, "in_ms"),
      };
    },
    figures: () => Promise.reject(notThere("Reading the figures of a process")),
    mask: () => {
      throw notThere("Hiding secrets in a text");
    },
  };
}

async function searchRuns(wire: Wire, { limitMax = 50, before, ...query }: Partial<RunSearch>): Promise<RunPage> {
  const runs: StoredRun[] = [];
  let next: number | null = before ?? null;
  do {
    const limit = Math.min(pageMax, limitMax - runs.length);
    const page = await wire.read("api/workflow", { ...toQuery(query), limit, cursor: next ?? undefined });
    const found = listIn(page.body).map(readStoredRun);
    runs.push(...found);
    next = page.next;
    // So many were looked at that the server has stopped; whoever wants more asks for it.
    if (found.length === 0) break;
  } while (next !== null && runs.length < limitMax);
  return { runs, next };
}

function toQuery(search: Omit<Partial<RunSearch>, "limitMax" | "before">): Query {
  const { status, statuses, name, createdBy, createdAfter, createdBefore, text, field, triggers, ids } = search;
  return {
    status: statuses === undefined ? (status ?? undefined) : statuses.join(","),
    workflow: name,
    created_by: createdBy,
    since: createdAfter,
    until: createdBefore,
    text,
    trigger: triggers?.join(","),
    id: ids?.join(","),
    field: field === undefined ? undefined : `${field.path.join(".")}=${JSON.stringify(field.value)}`,
  };
}

function toUpcoming(document: JsonObject): Upcoming {
  const step = take<{ readonly stepId: number | null; readonly step: string | null }>(document, ["stepId", "step"]);
  return {
    ...take<Upcoming, "kind" | "dueAt" | "createdBy">(document, ["kind", "dueAt", "createdBy"]),
    run: numberIn(document, "workflow_id"),
    name: textIn(document, "workflow"),
    step: step.stepId === null ? null : { id: step.stepId, name: step.step ?? "" },
  };
}
