// Tools of servers as they are agreed on, for a command that only looks: nothing is started or connected to.

import { lockPathOf, serversPathOf } from "../access/key-folder.ts";
import { systemClock } from "../engine/clock.ts";
import { readServers } from "../tool/mcp/config.ts";
import { createToolServers } from "../tool/mcp/tool-servers.ts";
import type { OpenToolBox } from "../tool/registry.ts";
import type { Call } from "./command.ts";
import { readSettings } from "./settings.ts";
import { storeOf } from "./view.ts";

/** Into the box; the keys of servers that nobody has connected to so far. */
export async function addAgreedTools(
  box: OpenToolBox,
  call: Pick<Call, "values" | "surroundings">,
): Promise<readonly string[]> {
  const settings = readSettings(call);
  const added = serversPathOf(storeOf(call));
  const servers = await createToolServers({
    reading: await readServers({ mcpConfig: settings.mcp }),
    lockPath: settings.lock ?? lockPathOf(storeOf(call)),
    addedPath: added,
    ownStore: null,
    version: "",
    tools: box,
    clock: systemClock,
    // What is wrong with a server is told where it is used.
    onProblem: () => {},
  });
  return servers.list().flatMap(({ key, status, toolCount }) => (toolCount === 0 && status === "idle" ? [key] : []));
}
