// `stepwell outcomes`: what became of calls, and what people think of it; or the figures of it.

import type { Outcome, OutcomeGroup } from "../../engine/outcomes.ts";
import { toStatisticsDocument } from "../../server/document/outcome.ts";
import { defineCommand, type Command } from "../command.ts";
import { readCursor, readLimit } from "../list-runs.ts";
import { openReader } from "../reading-window.ts";
import { drawTable, type Cell } from "../table.ts";
import { showDuration } from "../time.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {
    tool: { value: "NAME", about: "only calls of this tool", completes: "tool" },
    workflow: { value: "NAME", about: "only in runs of this name", completes: "workflow" },
    quality: { value: "Q", about: "only those rated so; neutral: not rated", choices: ["up", "down", "neutral"] },
    figures: { about: "how many went how, by tool, workflow and version" },
    limit: { value: "N", about: "so many at most; 20 unless given" },
    cursor: { value: "ID", about: "only those older than this step: the last id of the page before" },
  },
  examples: ["outcomes --tool feed.fetch --quality down", "outcomes --figures --workflow digest"],
  async act(call) {
    const { values, out } = call;
    const { tool, workflow, figures } = values;
    const filter = { ...(tool === undefined ? {} : { tool }), ...(workflow === undefined ? {} : { workflow }) };
    const before = readCursor(values.cursor);
    const limitMax = readLimit(values.limit ?? "20");
    await using reader = await openReader(call);
    const outcomes = await reader.outcomes();
    if (figures) {
      const statistics = await outcomes.statistics(filter);
      const headings = ["TOOL", "WORKFLOW", "VERSION", "ALL", "UP", "DOWN", "FAILED", "TOOK"];
      const rows = statistics.groups.map(toFigureCells);
      out.tell({ document: toStatisticsDocument(statistics), lines: (look) => drawTable({ headings, rows }, look) });
      return 0;
    }
    const quality = (["up", "down", "neutral"] as const).find((each) => each === values.quality);
    const page = { ...filter, limitMax, ...(quality === undefined ? {} : { quality }) };
    const found = await outcomes.list({ ...page, ...(before === undefined ? {} : { before }) });
    const { toOutcomeDocument } = await import("../../engine/outcome-document.ts");
    const headings = ["STEP", "RUN", "TOOL", "STATUS", "TOOK", "RATED", "TEXT"];
    out.tell({
      document: found.map(toOutcomeDocument),
      ids: found.map(({ step }) => step),
      lines: (look) => (found.length === 0 ? [] : drawTable({ headings, rows: found.map(toCells) }, look)),
    });
    if (found.length === 0 && !out.isJson) out.say("No calls.");
    return 0;
  },
});

function toCells({ step, run, tool, status, durationMs, quality, feedback, error }: Outcome): readonly Cell[] {
  const took = durationMs === null ? "-" : showDuration(durationMs);
  const said = feedback ?? error?.message ?? "";
  return [String(step), String(run), tool, status, took, quality === "neutral" ? "-" : quality, said].map((text) => ({
    text,
  }));
}

function toFigureCells(group: OutcomeGroup): readonly Cell[] {
  const { tool, workflow, version, total, up, down, failed, meanDurationMs } = group;
  const took = meanDurationMs === null ? "-" : showDuration(meanDurationMs);
  return [tool, workflow, String(version ?? "-"), ...[total, up, down, failed].map(String), took].map((text) => ({
    text,
  }));
}
