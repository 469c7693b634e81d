// `stepwell server test`: connects to servers and asks which tools they have now.

import { toServerDocument } from "../../server/document/server.ts";
import { defineCommand, type Command } from "../command.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { drawServer } from "../drawn-server.ts";
import { openSession } from "../session.ts";
import { chooseServers } from "../tool-servers.ts";

export const command: Command = defineCommand({
  operands: [{ name: "[server …]", isRepeated: true, completes: "server" }],
  flags: {},
  details:
    "All of them unless some are named; those that are disabled are passed over. Exit code 1 when one does not answer.",
  examples: ["server test", "server test files --mcp .mcp.json"],
  async act(call) {
    const { operands, out } = call;
    await using session = await openSession(call);
    const { servers } = session.engine;
    const keys = await chooseServers(servers, operands);
    const tested = await Promise.all(keys.map((key) => servers.test(key)));
    out.tell({
      document: tested.map(toServerDocument),
      ids: tested.flatMap(({ key, status }) => (status === "ready" ? [key] : [])),
      lines: (look) => tested.map((server) => drawServer(server, look)),
    });
    if (keys.length === 0 && !out.isJson) out.say("There are no servers: name a file with --mcp, or write mcpServers.");
    return tested.every(({ status }) => status === "ready") ? endedExitCodes.ok : endedExitCodes.failed;
  },
});
