// `stepwell version`.

import { readFileSync } from "node:fs";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  isNobodys: true,
  examples: ["version --json"],
  act({ out }) {
    const version = readVersion();
    const node = process.versions.node;
    out.tell({ document: { version, node }, ids: [version], lines: () => [version] });
    out.mention(`node ${node}`);
    return 0;
  },
});

/** From `src/cli/commands` and from `dist/cli/commands` alike. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return version;
}
