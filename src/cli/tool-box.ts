// The tools of a command without an engine, or those of a server, to look at them.

import { existsSync } from "node:fs";
import { serversPathOf } from "../access/key-folder.ts";
import { StepwellError } from "../error.ts";
import type { ToolView } from "../engine/tool-verbs.ts";
import type { Call } from "./command.ts";
import { urlOf, visitServer } from "./server-place.ts";
import { readSettings } from "./settings.ts";
import { storeOf } from "./view.ts";

/** Looked at, not called. */
export interface ToolShelf {
  readonly list: () => readonly ToolView[];
  readonly find: (name: string) => ToolView | undefined;
  /** Servers of whose tools nothing is known yet. */
  readonly unseen?: readonly string[];
}

export async function openToolBox(call: Pick<Call, "values" | "surroundings">): Promise<ToolShelf> {
  const url = urlOf(call);
  if (url !== undefined) return readShelf(url, call);
  const [{ gatherTools }, { createToolBox }] = await Promise.all([
    import("./tool-modules.ts"),
    import("../tool/registry.ts"),
  ]);
  const settings = readSettings(call);
  const box = createToolBox(await gatherTools(settings, () => {}));
  const added = serversPathOf(storeOf(call));
  if (settings.mcp.length === 0 && (added === null || !existsSync(added))) return box;
  const { addAgreedTools } = await import("./agreed-tools.ts");
  const unseen = await addAgreedTools(box, call);
  return { list: () => box.list(), find: (name) => box.find(name), unseen };
}

/** A short name is one that a single tool ends with. */
async function readShelf(url: string, call: Pick<Call, "values" | "surroundings">): Promise<ToolShelf> {
  const { client } = await visitServer(url, call);
  const [tools, { shortName }] = await Promise.all([client.tools.list(), import("../flow/schema/tools.ts")]);
  await client.stop();
  const find = (name: string): ToolView | undefined => {
    const short = tools.filter((tool) => shortName(tool.name) === name);
    return tools.find((tool) => tool.name === name) ?? (short.length === 1 ? short[0] : undefined);
  };
  return { list: () => tools, find };
}

export async function getTool(box: ToolShelf, name: string): Promise<ToolView> {
  const tool = box.find(name);
  if (tool !== undefined) return tool;
  const { describeUnknownTool } = await import("../tool/registry.ts");
  throw new StepwellError("USAGE", describeUnknownTool(box, name), {
    hint: "stepwell tool list shows all of them; --tools FILE brings your own",
  });
}
