// The tools of a command without an engine, to look at them.

import { StepwellError } from "../error.ts";
import type { Tool, ToolBox } from "../tool/tool.ts";
import type { Call } from "./command.ts";
import { readSettings } from "./settings.ts";

export async function openToolBox(call: Pick<Call, "values" | "surroundings">): Promise<ToolBox> {
  const [{ gatherTools }, { createToolBox }] = await Promise.all([
    import("./tool-modules.ts"),
    import("../tool/registry.ts"),
  ]);
  return createToolBox(await gatherTools(readSettings(call), () => {}));
}

export async function getTool(box: ToolBox, name: string): Promise<Tool> {
  const tool = box.find(name);
  if (tool !== undefined) return tool;
  const { describeUnknownTool } = await import("../tool/registry.ts");
  throw new StepwellError("USAGE", describeUnknownTool(box, name), {
    hint: "stepwell tool list shows all of them; --tools FILE brings your own",
  });
}
