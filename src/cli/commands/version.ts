// `stepwell version`.

import { readVersion } from "../../server/version.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  isNobodys: true,
  isLocal: true,
  examples: ["version --json"],
  act({ out }) {
    const version = readVersion();
    const node = process.versions.node;
    out.tell({ document: { version, node }, ids: [version], lines: () => [version] });
    out.mention(`node ${node}`);
    return 0;
  },
});
