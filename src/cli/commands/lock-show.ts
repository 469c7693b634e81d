// `stepwell lock show`: what is agreed on about the tools of servers.

import { toLockDocument } from "../../server/document/server.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { drawTable } from "../table.ts";

/** As many signs of a hash as tell one from another. */
const hashShown = 16;

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details:
    "A tool is agreed on as it is when it is seen for the first time; from then on, changes need somebody who agrees.",
  examples: ["lock show", "lock show --json"],
  async act(call) {
    const { out } = call;
    await using session = await openSession(call);
    const { lock } = session.engine;
    const [shown, changes] = await Promise.all([lock.show(), lock.changes()]);
    const changed = new Set(changes.map(({ tool }) => tool));
    const tools = shown.servers.flatMap((server) => server.tools);
    out.tell({
      document: toLockDocument(shown, changes),
      ids: tools.map(({ name }) => name),
      lines: (look) => {
        const rows = tools.map(({ name, sha256 }) => [
          { text: name },
          { text: sha256.slice(0, hashShown), style: "gray" as const },
          changed.has(name) ? { text: "changed", style: "red" as const } : { text: "agreed" },
        ]);
        return rows.length === 0 ? [] : drawTable({ headings: ["TOOL", "SHA-256", "STATE"], rows }, look);
      },
    });
    if (!out.isJson) out.say(shown.file === null ? "lock: in memory" : `lock: ${shown.file}`);
    return 0;
  },
});
