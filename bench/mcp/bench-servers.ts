// The servers whose tools are called: one as small as one can be, beside which our own work weighs most, and one as people
// have them.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/flow/json.ts";

export type BenchServer = {
  readonly command: string;
  readonly args: readonly string[];
  /** Answers with what it is given. */
  readonly tool: string;
  readonly input: JsonObject;
};

const text = "x".repeat(100);
const require = createRequire(import.meta.url);

const servers: { readonly [name: string]: () => BenchServer } = {
  echo: () => ({
    command: process.execPath,
    args: [fileURLToPath(new URL("echo-server.ts", import.meta.url))],
    tool: "say",
    input: { text },
  }),
  everything: () => ({
    command: process.execPath,
    args: [require.resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
    tool: "echo",
    input: { message: text },
  }),
};

export const smallServer = "echo";

export const benchServerNames: readonly string[] = Object.keys(servers);

export function findBenchServer(name: string): BenchServer | undefined {
  return Object.hasOwn(servers, name) ? servers[name]?.() : undefined;
}
