// `stepwell workflow show`: stdout is the flow as it was written, so that it can go into a file.

import { nameOf, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";
import { toPlainLines } from "../plain-lines.ts";
import { openReader } from "../reading-window.ts";
import { createTimeFormat } from "../time.ts";
import { toWholeWorkflow } from "../../server/document/workflow.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: {},
  details: "NAME is the newest version, NAME@3 that one.",
  examples: ["workflow show digest", "workflow show digest@3 > digest.yaml"],
  async act(call) {
    const { out, values, surroundings } = call;
    const name = nameOf(call);
    const format = createTimeFormat(values.tz);
    await using reader = await openReader(call);
    const view = await (await reader.workflows()).get(name);
    const { stringify } = await import("yaml");
    const text = (view.text ?? stringify(view.flow)).trimEnd();
    const state = view.deletedAt !== null ? "deleted" : view.isEnabled ? "enabled" : "disabled";
    out.say(
      `${view.name}@${view.version} of ${view.newestVersion}, ${state}, last changed ${format(view.updatedAt)} by ${view.updatedBy}`,
    );
    if (view.note !== null) out.say(`note: ${view.note}`);
    out.tell({
      document: toWholeWorkflow(view),
      ids: [`${view.name}@${view.version}`],
      // A file gets it as it is; a terminal must not be steered by what somebody has saved.
      lines: () => (surroundings.stdout.isTTY === true ? toPlainLines(text) : [text]),
    });
    return 0;
  },
});
