// What to write into the file of a program that speaks MCP, so that it finds our workflows as tools.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import { isServerAddress, showAddress } from "../store/address.ts";
import type { Call } from "./command.ts";
import { readSettings } from "./settings.ts";
import { storeOf } from "./view.ts";

type Host = {
  /** The key under which it keeps its servers. */
  readonly key: "mcpServers" | "servers";
  readonly extra: JsonObject;
  /** Where its file lies. */
  readonly places: readonly string[];
};

const hosts: Readonly<Record<string, Host>> = {
  claude: {
    key: "mcpServers",
    extra: {},
    places: [
      "Claude Code: .mcp.json in the project",
      "Claude Desktop: claude_desktop_config.json (Settings, Developer, Edit Config)",
    ],
  },
  cursor: {
    key: "mcpServers",
    extra: {},
    places: ["Cursor: .cursor/mcp.json in the project, or ~/.cursor/mcp.json for all of them"],
  },
  vscode: {
    key: "servers",
    extra: { type: "stdio" },
    places: ["VS Code: .vscode/mcp.json in the project, or MCP: Open User Configuration"],
  },
};

/** As `stepwell mcp config` takes them. */
export const hostNames: readonly string[] = Object.keys(hosts);

export function printHostConfig(call: Pick<Call, "values" | "surroundings" | "out" | "usage">, name?: string): number {
  const host = name !== undefined && Object.hasOwn(hosts, name) ? hosts[name] : undefined;
  if (host === undefined) {
    const message = name === undefined ? "Say for which program." : `Nothing is known of a program "${name}".`;
    throw new StepwellError("USAGE", message, { hint: `stepwell mcp config ${hostNames.join("|")}` });
  }
  const { out } = call;
  const address = storeOf(call);
  const store = isServerAddress(address) ? showAddress(address) : resolve(address);
  const { command, args: before } = programOf(call.surroundings);
  const server = {
    ...host.extra,
    command,
    args: [...before, "mcp", "--store", store, ...flagsOf(call)],
    ...environmentOf(call),
  };
  const document = { [host.key]: { stepwell: server } };
  out.tell({ document, ids: [], lines: () => [JSON.stringify(document, null, 2)] });
  for (const place of host.places) out.say(place);
  if (store !== address && isServerAddress(address))
    out.say("The password is left out: PGPASSWORD in its env, or ~/.pgpass, brings it.");
  return 0;
}

/** In a clone, which `npm start` runs, no command is installed that other programs would find. */
function programOf({ environment }: Call["surroundings"]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  if (environment["npm_lifecycle_event"] !== "start") return { command: "stepwell", args: [] };
  const isBuilt = import.meta.url.endsWith(".js");
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(isBuilt ? "main.js" : "main.ts", import.meta.url))],
  };
}

/** What the flags and the environment of this call say beside the configuration; it is started from another folder. */
function flagsOf({ values, surroundings }: Pick<Call, "values" | "surroundings">): readonly string[] {
  const { tools, mcp } = readSettings({ values, surroundings });
  const { config } = surroundings;
  return [
    ...(tools === config?.tools ? [] : toFlags("--tools", tools)),
    ...(mcp === config?.mcp ? [] : toFlags("--mcp", mcp)),
  ];
}

function toFlags(flag: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => [flag, resolve(path)]);
}

function environmentOf({ surroundings }: Pick<Call, "surroundings">): JsonObject {
  const { config = null, environment } = surroundings;
  const lock = environment["STEPWELL_LOCK"] || undefined;
  const env = {
    ...(config === null ? {} : { STEPWELL_CONFIG: resolve(config.path) }),
    ...(lock === undefined ? {} : { STEPWELL_LOCK: resolve(lock) }),
  };
  return Object.keys(env).length === 0 ? {} : { env };
}
