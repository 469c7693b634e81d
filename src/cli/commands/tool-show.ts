// `stepwell tool show`: what a tool takes and gives.

import { StepwellError } from "../../error.ts";
import type { ToolView } from "../../engine/tool-verbs.ts";
import { toToolDocument } from "../../server/document/tool.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawSchema } from "../schema-table.ts";
import { paint, toHarmless } from "../table.ts";
import type { Look } from "../terminal.ts";
import { getTool, openToolBox } from "../tool-box.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<tool>", completes: "tool" }],
  flags: {},
  isNobodys: true,
  examples: ["tool show feed.fetch"],
  async act(call) {
    const [name] = call.operands;
    if (name === undefined) throw new StepwellError("USAGE", "Say which tool.", { hint: call.usage });
    const tool = await getTool(await openToolBox(call), name);
    call.out.tell({ document: toToolDocument(tool), ids: [tool.name], lines: (look) => drawTool(tool, look) });
    return 0;
  },
});

function drawTool({ name, description, effect, input, output, outcomes }: ToolView, look: Look): readonly string[] {
  return [
    `${paint(toHarmless(name, look), "bold", look)}  ${effect}`,
    ...(description === null ? [] : [toHarmless(description, look)]),
    ...(outcomes.length === 0 ? [] : [`outcomes: ${toHarmless(outcomes.join(", "), look)}`]),
    "",
    "takes",
    ...(input === null ? ["  anything"] : drawSchema(input, look).map((line) => `  ${line}`)),
    "",
    "gives",
    ...(output === null ? ["  anything"] : drawSchema(output, look).map((line) => `  ${line}`)),
  ];
}
