// What people think of runs, figures about calls, and the audit, as programs read them.

import type { NumberedStep, OutcomeFigures, OutcomeStatistics } from "../../engine/outcomes.ts";
import type { AuditEntry } from "../../store/audit.ts";
import type { AuditDocument } from "../contract/access.ts";
import type { FiguresDocument, NumberedStepDocument, StatisticsDocument } from "../contract/outcome.ts";

export function toNumberedDocument(numbered: NumberedStep): NumberedStepDocument {
  const { number, step, name, tool, status, quality, feedback } = numbered;
  return { number, step_id: step, name, tool, status, quality, feedback };
}

export function toStatisticsDocument({ groups, ...all }: OutcomeStatistics): StatisticsDocument {
  const told = groups.map(({ tool, workflow, version, flow, step, ...figures }) => {
    return { tool, workflow, version, flow, step, ...toFigures(figures) };
  });
  return { ...toFigures(all), groups: told };
}

function toFigures({ total, up, down, failed, meanDurationMs }: OutcomeFigures): FiguresDocument {
  return { total, up, down, failed, mean_duration_ms: meanDurationMs };
}

export function toAuditDocument({ no, at, user, via, source, verb, subject, details }: AuditEntry): AuditDocument {
  return { no, at, user, via, source, verb, subject, details };
}
