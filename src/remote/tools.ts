// Tools, breakers and what became of calls, through a server.

import type { BreakerView } from "../engine/breaker-verbs.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { NumberedStep, Outcome, OutcomeFigures, OutcomeGroup } from "../engine/outcomes.ts";
import { toTimeoutMs } from "../engine/timeout.ts";
import type { ToolCallResult, ToolView } from "../engine/tool-verbs.ts";
import { own, type JsonObject } from "../flow/json.ts";
import { pageMax, toPath } from "./address.ts";
import { notThere } from "./failure.ts";
import { fieldIn, listIn, numberIn, objectIn, take } from "./fields.ts";
import type { Wire } from "./wire.ts";

const tools = "api/tools";
const toolNames = ["name", "description", "effect", "input", "output", "outcomes"] as const;
/** A server waits no longer for one call. */
const callMaxMs = 600_000;

export function createTools(wire: Wire, key: string | null): UserEngine["tools"] {
  return {
    list: async () => listIn((await wire.read(tools)).body).map(toView),
    get: async (name) => toView(objectIn((await wire.read(toPath(tools, name))).body)),
    call: async (tool, args, options) => {
      const timeoutMs = toTimeoutMs(options ?? {});
      const limit = timeoutMs === undefined ? {} : { timeout_ms: Math.min(callMaxMs, Math.max(1, timeoutMs)) };
      const ask = {
        method: "POST",
        path: toPath(tools, tool, "call"),
        body: { args: args ?? {}, ...limit },
        key,
      } as const;
      const called = objectIn((await wire.send({ ...ask, isLong: true })).body);
      const names = ["result", "outcome", "error"] as const;
      return { run: numberIn(called, "workflow_id"), ...take<ToolCallResult, (typeof names)[number]>(called, names) };
    },
    load: () => Promise.reject(notThere("Loading tools")),
    unload: () => Promise.reject(notThere("Unloading a tool")),
  };
}

function toView(document: JsonObject): ToolView {
  const view = take<ToolView, (typeof toolNames)[number]>(document, toolNames);
  const server = own(document, "server");
  return typeof server === "string" ? { ...view, server } : view;
}

export function createBreakers(wire: Wire, key: string | null): UserEngine["breakers"] {
  const names = ["tool", "state", "count", "lastError", "openedAt", "openUntil", "isTesting"] as const;
  return {
    list: async () => listIn((await wire.read("api/breakers")).body).map((each) => take<BreakerView>(each, names)),
    reset: async (tool) => {
      const path = toPath("api/breakers", tool, "reset");
      return fieldIn(objectIn((await wire.send({ method: "POST", path, key })).body), "reset") === true;
    },
  };
}

export function createOutcomes(wire: Wire, key: string | null): UserEngine["outcomes"] {
  return {
    list: async (wish) => {
      const { tool, workflow, quality, limitMax, before } = wish ?? {};
      // As much as an engine gives at once.
      const limit = limitMax === undefined ? undefined : Math.max(1, Math.min(pageMax, Math.trunc(limitMax)));
      const query = { tool, workflow, quality, limit, cursor: before };
      return listIn((await wire.read("api/outcomes", query)).body).map(toOutcome);
    },
    statistics: async (filter) => {
      const query = { tool: filter?.tool, workflow: filter?.workflow, by: filter?.by };
      const document = objectIn((await wire.read("api/statistics", query)).body);
      const groups = listIn(fieldIn(document, "groups")).map((group) =>
        take<OutcomeGroup>(group, ["tool", "workflow", "flow", "version", "step", ...figureNames]),
      );
      return { ...take<OutcomeFigures>(document, figureNames), groups };
    },
    steps: async (run) => listIn((await wire.read(toPath("api/workflow", run, "ratings"))).body).map(toNumbered),
    rate: async (run, { step, quality, feedback }) => {
      const body = {
        rating: quality,
        ...(step === undefined ? {} : { step }),
        ...(feedback === undefined ? {} : { text: feedback }),
      };
      const path = toPath("api/workflow", run, "rate");
      const rated = fieldIn(objectIn((await wire.send({ method: "POST", path, body, key })).body), "step_id");
      return typeof rated === "number" ? rated : null;
    },
  };
}

const figureNames = ["total", "up", "down", "failed", "meanDurationMs"] as const;
const outcomeNames = [
  "workflow",
  "flow",
  "name",
  "tool",
  "quality",
  "feedback",
  "durationMs",
  "snapshot",
  "status",
  "attempt",
  "outcome",
  "error",
  "at",
] as const;

function toOutcome(document: JsonObject): Outcome {
  const named = take<Outcome, (typeof outcomeNames)[number]>(document, outcomeNames);
  return { ...named, run: numberIn(document, "run_id"), step: numberIn(document, "step_id") };
}

function toNumbered(document: JsonObject): NumberedStep {
  const names = ["number", "name", "tool", "status", "quality", "feedback"] as const;
  return { ...take<NumberedStep, (typeof names)[number]>(document, names), step: numberIn(document, "step_id") };
}
