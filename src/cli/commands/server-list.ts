// `stepwell server list`: the servers that bring tools, and how they are.

import { toServerDocument } from "../../server/document/server.ts";
import type { ServerView } from "../../tool/servers.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { drawTable, type Cell, type Style } from "../table.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details:
    "Of the process that owns the store. Servers are written in stepwell.config.json (mcpServers, or mcp: .mcp.json) or in a file\nthat --mcp names.",
  examples: ["server list", "server list --mcp .mcp.json --json"],
  async act(call) {
    const { out } = call;
    await using session = await openSession(call);
    const servers = await session.engine.servers.list();
    out.tell({
      document: servers.map(toServerDocument),
      ids: servers.map(({ key }) => key),
      lines: (look) => {
        if (servers.length === 0) return [];
        return drawTable(
          { headings: ["SERVER", "STATUS", "TOOLS", "CHANGED", "WHAT"], rows: servers.map(toCells) },
          look,
        );
      },
    });
    if (servers.length === 0 && !out.isJson)
      out.say("There are no servers: name a file with --mcp, or write mcpServers.");
    return 0;
  },
});

export const serverStyles: Readonly<Record<ServerView["status"], Style>> = {
  ready: "green",
  idle: "gray",
  starting: "yellow",
  waiting: "yellow",
  refused: "red",
  disabled: "gray",
};

function toCells({ key, status, toolCount, changedCount, problem, target }: ServerView): readonly Cell[] {
  return [
    { text: key },
    { text: status, style: serverStyles[status] },
    { text: String(toolCount) },
    changedCount === 0 ? { text: "-" } : { text: String(changedCount), style: "red" },
    { text: problem ?? target },
  ];
}
