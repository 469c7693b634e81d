// `stepwell tool list`: what steps can call here.

import { toToolDocument } from "../../server/document/tool.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawTable } from "../table.ts";
import { openToolBox } from "../tool-box.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: "Those that come with the program, and those of --tools, of servers and of the configuration.",
  isNobodys: true,
  examples: ["tool list", "tool list --tools my-tools.ts --json"],
  async act(call) {
    const { list, unseen = [] } = await openToolBox(call);
    const tools = list().toSorted((one, other) => (one.name < other.name ? -1 : 1));
    call.out.tell({
      document: tools.map(toToolDocument),
      ids: tools.map(({ name }) => name),
      lines: (look) => {
        const rows = tools.map(({ name, effect, description }) =>
          [name, effect, description ?? ""].map((text) => ({ text })),
        );
        return drawTable({ headings: ["TOOL", "EFFECT", "DESCRIPTION"], rows }, look);
      },
    });
    if (unseen.length > 0) call.out.say(`not connected to yet: ${unseen.join(", ")}; stepwell server test does it`);
    return 0;
  },
});
