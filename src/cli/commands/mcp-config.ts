// `stepwell mcp config`: prints what makes another program find our workflows as tools.

import { defineCommand, type Command } from "../command.ts";
import { hostNames, printHostConfig } from "../mcp-config.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<claude|cursor|vscode>", completes: hostNames }],
  flags: {},
  details:
    "The snippet goes to stdout, where to put it to stderr. It names this store, the configuration\nand the files with MCP servers that are in use here, by their whole paths.",
  isNobodys: true,
  isLocal: true,
  examples: ["mcp config claude > .mcp.json", "mcp config vscode --store data/own.db"],
  act: (call) => printHostConfig(call, call.operands[0]),
});
