// `stepwell workflow list`.

import type { Workflow } from "../../engine/workflow-view.ts";
import { defineCommand, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { drawTable, type Cell } from "../table.ts";
import { showAgo } from "../time.ts";
import { toWorkflowDocument } from "../../server/document/workflow.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: { all: { about: "those that were deleted, too" } },
  examples: ["workflow list", "workflow list --all --json"],
  async act(call) {
    const { values, out } = call;
    await using reader = await openReader(call);
    const workflows = await (await reader.workflows()).list({ all: values.all });
    const now = Date.now();
    out.tell({
      document: workflows.map(toWorkflowDocument),
      ids: workflows.map(({ name }) => name),
      lines: (look) => {
        if (workflows.length === 0) return [];
        const headings = ["NAME", "VERSION", "STATE", "SAVED", "BY", "DESCRIPTION"];
        return drawTable({ headings, rows: workflows.map((workflow) => toCells(workflow, now)) }, look);
      },
    });
    if (workflows.length === 0 && !out.isJson) out.say("No workflow is saved: stepwell workflow save FILE");
    return 0;
  },
});

function toCells(workflow: Workflow, now: number): readonly Cell[] {
  const { name, version, updatedAt, updatedBy, description } = workflow;
  return [
    { text: name },
    { text: String(version) },
    stateOf(workflow),
    { text: showAgo(now - updatedAt) },
    { text: updatedBy },
    { text: description ?? "" },
  ];
}

function stateOf({ isEnabled, deletedAt }: Workflow): Cell {
  if (deletedAt !== null) return { text: "deleted", style: "gray" };
  return isEnabled ? { text: "enabled", style: "green" } : { text: "disabled", style: "yellow" };
}
