// `stepwell schema flow`: what editors complete and check flows with.

import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: "Put it beside your flows and name it in their first line: # yaml-language-server: $schema=flow.schema.json",
  isNobodys: true,
  isLocal: true,
  examples: ["schema flow > flow.schema.json"],
  async act({ out }) {
    const { flowSchema } = await import("../../flow/schema/editor.ts");
    const schema = flowSchema();
    out.tell({ document: schema, ids: [], lines: () => [JSON.stringify(schema, null, 2)] });
    return 0;
  },
});
