// `stepwell schema config`: what editors complete and check the configuration with.

import { defineCommand, type Command } from "../command.ts";
import { configSchema } from "../config-schema.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: 'Put it beside stepwell.config.json and name it there: "$schema": "./config.schema.json"',
  isNobodys: true,
  isLocal: true,
  examples: ["schema config > config.schema.json"],
  act({ out }) {
    out.tell({ document: configSchema, ids: [], lines: () => [JSON.stringify(configSchema, null, 2)] });
    return 0;
  },
});
