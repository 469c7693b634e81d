// `stepwell lock diff`: what servers offer now, held against what is agreed on.

import { toChangeDocument } from "../../server/document/server.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawChanges } from "../drawn-server.ts";
import { endedExitCodes } from "../exit-codes.ts";
import { openSession } from "../session.ts";
import { chooseServers } from "../tool-servers.ts";

export const command: Command = defineCommand({
  operands: [{ name: "[server …]", isRepeated: true, completes: "server" }],
  flags: {},
  details:
    "Asks the servers first. Exit code 1 when a tool is not what was agreed on: steps that call it wait until somebody types\nstepwell lock approve.",
  examples: ["lock diff", "lock diff files --json"],
  async act(call) {
    const { operands, out } = call;
    await using session = await openSession(call);
    const { servers, lock } = session.engine;
    const keys = await chooseServers(servers, operands);
    const tested = await Promise.all(keys.map((key) => servers.test(key)));
    for (const { key, status, problem } of tested)
      if (status !== "ready") out.say(`server ${key} was not asked: ${problem ?? status}`);
    const changes = (await lock.changes()).filter(({ server }) => keys.includes(server));
    out.tell({
      document: changes.map(toChangeDocument),
      ids: changes.map(({ tool }) => tool),
      lines: (look) => drawChanges(changes, look),
    });
    if (changes.length === 0) {
      if (!out.isJson) out.say("Everything is as agreed.");
      return endedExitCodes.ok;
    }
    out.say("agree with: stepwell lock approve SERVER.TOOL, or a whole SERVER");
    return endedExitCodes.failed;
  },
});
