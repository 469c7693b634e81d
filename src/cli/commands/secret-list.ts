// `stepwell secret list`: names and times, never values.

import { toSecretDocument } from "../../server/document/access.ts";
import { defineCommand, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { drawTable } from "../table.ts";
import { createTimeFormat } from "../time.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  examples: ["secret list"],
  async act(call) {
    const { values, out } = call;
    const format = createTimeFormat(values.tz);
    await using reader = await openReader(call);
    const secrets = await (await reader.secrets()).list();
    out.tell({
      document: secrets.map(toSecretDocument),
      ids: secrets.map(({ name }) => name),
      lines: (look) => {
        if (secrets.length === 0) return [];
        const rows = secrets.map(({ name, createdAt, updatedAt }) =>
          [name, format(createdAt), format(updatedAt)].map((text) => ({ text })),
        );
        return drawTable({ headings: ["NAME", "SET FIRST", "SET LAST"], rows }, look);
      },
    });
    if (secrets.length === 0 && !out.isJson) out.say("There are no secrets.");
    return 0;
  },
});
