// `stepwell workflow diff`: from one version to another, line by line.

import type { WorkflowDiff } from "../../engine/workflow-diff.ts";
import { StepwellError } from "../../error.ts";
import { nameOf, readVersionNumber, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";
import { toPlainLines } from "../plain-lines.ts";
import { openReader } from "../reading-window.ts";
import { paint, toHarmless } from "../table.ts";
import type { Look } from "../terminal.ts";
import { toDiffDocument } from "../../server/document/workflow.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand, { name: "[from]" }, { name: "[to]" }],
  flags: {},
  details: "Numbers of versions; without them, what the newest one changed.",
  examples: ["workflow diff digest", "workflow diff digest 1 3"],
  async act(call) {
    const { out, operands, usage } = call;
    const name = nameOf(call);
    const [from, to] = operands.slice(1).map((text) => readVersionNumber(text, usage));
    await using reader = await openReader(call);
    const workflows = await reader.workflows();
    const diff = await workflows.diff(name, from ?? (await findPrevious(name, () => workflows.get(name))), to);
    out.tell({
      document: toDiffDocument(diff),
      ids: [...diff.steps.added, ...diff.steps.removed, ...diff.steps.changed],
      lines: (look) => drawDiff(diff, look),
    });
    if (diff.lines.length === 0) out.say(`Versions ${diff.from} and ${diff.to} are the same.`);
    return 0;
  },
});

async function findPrevious(name: string, get: () => Promise<{ readonly newestVersion: number }>): Promise<number> {
  const { newestVersion } = await get();
  if (newestVersion > 1) return newestVersion - 1;
  throw new StepwellError("USAGE", `"${name}" has one version; there is nothing to compare it with.`);
}

function drawDiff({ name, from, to, steps, keys, lines }: WorkflowDiff, look: Look): readonly string[] {
  const told = [
    ["added", steps.added],
    ["removed", steps.removed],
    ["changed", steps.changed],
    ["keys", keys],
  ] as const;
  return [
    paint(`${name}@${from} -> ${name}@${to}`, "bold", look),
    ...told.flatMap(([word, list]) =>
      list.length === 0 ? [] : [`  ${word.padEnd(8)}${toHarmless(list.join(", "), look)}`],
    ),
    ...lines.map((line) => drawLine(line, look)),
  ];
}

function drawLine(line: string, look: Look): string {
  const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "gray";
  return paint(toPlainLines(line).join(" "), style, look);
}
