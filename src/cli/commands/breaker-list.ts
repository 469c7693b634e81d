// `stepwell breaker list`: tools that have failed, and whether they are called.

import type { BreakerView } from "../../engine/breaker-verbs.ts";
import { toBreakerDocument } from "../../server/document/tool.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { drawTable, type Cell, type Style } from "../table.ts";
import { createTimeFormat } from "../time.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: "A tool that has never failed is not in the list.",
  examples: ["breaker list", "breaker list --json"],
  async act(call) {
    const { values, out } = call;
    const format = createTimeFormat(values.tz);
    await refuseMissing(call);
    await using session = await openSession(call);
    const breakers = await session.engine.breakers.list();
    out.tell({
      document: breakers.map(toBreakerDocument),
      ids: breakers.map(({ tool }) => tool),
      lines: (look) => {
        if (breakers.length === 0) return [];
        const rows = breakers.map((breaker) => toCells(breaker, format));
        return drawTable({ headings: ["TOOL", "STATE", "FAILURES", "OPEN UNTIL", "LAST ERROR"], rows }, look);
      },
    });
    if (breakers.length === 0 && !out.isJson) out.say("No tool has failed lately.");
    return 0;
  },
});

const styles: Readonly<Record<BreakerView["state"], Style>> = { closed: "green", open: "red", half_open: "yellow" };

function toCells(
  { tool, state, count, openUntil, lastError }: BreakerView,
  format: (at: number) => string,
): readonly Cell[] {
  return [
    { text: tool },
    { text: state, style: styles[state] },
    { text: String(count) },
    { text: openUntil === null ? "-" : format(openUntil) },
    { text: lastError ?? "" },
  ];
}
