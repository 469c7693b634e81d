// What people think of runs, figures about calls, and the audit, as programs read them.

import type { NumberedStep, OutcomeFigures, OutcomeStatistics } from "../../engine/outcomes.ts";
import type { JsonObject } from "../../flow/json.ts";
import type { AuditEntry } from "../../store/audit.ts";

export function toNumberedDocument({ number, step, name, tool, status, quality, feedback }: NumberedStep): JsonObject {
  return { number, step_id: step, name, tool, status, quality, feedback };
}

export function toStatisticsDocument({ groups, ...all }: OutcomeStatistics): JsonObject {
  const told = groups.map(({ tool, workflow, version, flow, ...figures }): JsonObject => {
    return { tool, workflow, version, flow, ...toFigures(figures) };
  });
  return { ...toFigures(all), groups: told };
}

function toFigures({ total, up, down, failed, meanDurationMs }: OutcomeFigures): JsonObject {
  return { total, up, down, failed, mean_duration_ms: meanDurationMs };
}

export function toAuditDocument({ no, at, user, via, source, verb, subject, details }: AuditEntry): JsonObject {
  return { no, at, user, via, source, verb, subject, details };
}
