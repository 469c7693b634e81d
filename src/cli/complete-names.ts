// Names that a shell can complete: of saved workflows and of tools.

import { serversPathOf } from "../access/key-folder.ts";
import { toPlainText } from "../flow/draw/text.ts";
import type { Call } from "./command.ts";
import { readSettings } from "./settings.ts";
import { storeOf, type View } from "./view.ts";

export type Candidate = { readonly value: string; readonly about: string };

export async function listWorkflowNames({ listWorkflows }: View): Promise<readonly Candidate[]> {
  const saved = await listWorkflows();
  return saved.map(({ name, description }) => ({ value: name, about: toPlainText(description ?? "workflow") }));
}

/** As the configuration has them: nothing is connected to. */
export async function listServerNames(wish: Pick<Call, "values" | "surroundings">): Promise<readonly Candidate[]> {
  const { readServers } = await import("../tool/mcp/config.ts");
  const { servers } = await readServers({ mcpConfig: readSettings(wish).mcp, added: serversPathOf(storeOf(wish)) });
  return servers.map(({ entry }) => ({ value: entry.key, about: "server" }));
}

/** Only those that come with the program: a press of a key must not run a module that lies in the folder. */
export async function listToolNames(): Promise<readonly Candidate[]> {
  const { createBuiltinTools } = await import("../tool/builtin/builtin.ts");
  return createBuiltinTools({ now: Date.now, say: () => {} }).map(({ name, description }) => {
    return { value: name, about: toPlainText(description ?? "tool") };
  });
}
