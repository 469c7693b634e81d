// `stepwell user list`: users and groups, and what they may do.

import { toPrincipalDocument } from "../../server/document/access.ts";
import { defineCommand, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { drawTable } from "../table.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: "As long as there are none, everybody who has the store may do everything.",
  examples: ["user list"],
  async act(call) {
    const { out } = call;
    await using reader = await openReader(call);
    const principals = await (await reader.access()).list();
    out.tell({
      document: principals.map(toPrincipalDocument),
      lines: (look) => {
        if (principals.length === 0) return [];
        const rows = principals.map(({ id, groups, keys }) =>
          [id, groups.join(", "), keys.join(", ")].map((text) => ({ text })),
        );
        return drawTable({ headings: ["WHO", "IN", "MAY"], rows }, look);
      },
    });
    if (principals.length === 0 && !out.isJson)
      out.say("No user is named: everybody who has the store may do everything.");
    return 0;
  },
});
