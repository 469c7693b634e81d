// `stepwell server add`: one more MCP server, written down beside the store. It is tried out first.

import { StepwellError } from "../../error.ts";
import { toServerDocument } from "../../server/document/server.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawServer } from "../drawn-server.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { toSettings } from "../server-settings.ts";
import { openSession } from "../session.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<server>" }, { name: "<command|address> [argument …]", isRepeated: true }],
  flags: {
    env: { value: "NAME=VALUE", isRepeated: true, about: "a variable of the program" },
    header: { value: "NAME=VALUE", isRepeated: true, about: "a header, for an address" },
    untested: { about: "add it without trying it out" },
  },
  details:
    "What stands behind -- is the program with its arguments; what begins with http:// or https:// is an address. It is tried out\nfirst: exit code 1 when it does not answer, and nothing is added. ${NAME} stays as it is and is filled in when it is connected to.",
  examples: [
    "server add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 .",
    "server add docs https://mcp.example.com/mcp --header 'Authorization=Bearer ${DOCS_TOKEN}'",
  ],
  async act(call) {
    const { operands, values, out, usage } = call;
    const [key, target, ...args] = operands;
    if (key === undefined || target === undefined)
      throw new StepwellError("USAGE", "Say what it is called, and its program or address.", { hint: usage });
    const settings = toSettings({ target, args, env: values.env, headers: values.header, isHere: isHere(call) });
    await using session = await openSession(call);
    const { servers } = session.engine;
    if (!values.untested) {
      const tried = await servers.tryOut(key, settings);
      if (!tried.ok) {
        out.say(`${key} was not added: ${tried.problem ?? "it does not answer"}`);
        return endedExitCodes.failed;
      }
    }
    const server = await servers.add(key, settings);
    out.tell({ document: toServerDocument(server), ids: [key], lines: (look) => [drawServer(server, look)] });
    return endedExitCodes.ok;
  },
});

/** The engine runs on this machine, where this folder means something. */
function isHere({ values, surroundings }: Parameters<Command["act"]>[0]): boolean {
  return values.url === undefined && (values.store !== undefined || !surroundings.environment["STEPWELL_URL"]);
}
