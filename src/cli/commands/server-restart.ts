// `stepwell server restart`: connects to a server anew.

import { StepwellError } from "../../error.ts";
import { toServerDocument } from "../../server/document/server.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawServer } from "../drawn-server.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { openSession } from "../session.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<server>", completes: "server" }],
  flags: {},
  details:
    "Calls under way are cut off; what has no known outcome is told as such. Exit code 1 when it does not answer.",
  examples: ["server restart files"],
  async act(call) {
    const { operands, out, usage } = call;
    const [key] = operands;
    if (key === undefined) throw new StepwellError("USAGE", "Say which server.", { hint: usage });
    await using session = await openSession(call);
    const server = await session.engine.servers.restart(key);
    out.tell({ document: toServerDocument(server), ids: [key], lines: (look) => [drawServer(server, look)] });
    return server.status === "ready" ? endedExitCodes.ok : endedExitCodes.failed;
  },
});
