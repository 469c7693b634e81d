// The program that the official suites start to see how we behave towards servers: `node client.ts URL`. They start it
// dozens of times, and loading what it needs takes longer than most scenarios; so whoever has started the suite, and has
// it loaded, does the work if it listens (MCP_CLIENT_PORT). By itself this program does the same.

import { connect } from "node:net";
import type { Played, Scenario } from "./play-client.ts";

const url = process.argv.at(-1) ?? "";
const scenario: Scenario = { ...JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"), url };
/** Node opens new connections in the place of streams that were left, and that scenario's server waits for them for
 *  seconds, unless they end with their process. */
const isLeftOpen = process.env["MCP_CONFORMANCE_SCENARIO"] === "sse-retry";
const port = isLeftOpen ? undefined : process.env["MCP_CLIENT_PORT"];

const { hasConnected, report } = port === undefined ? await playHere() : await playThere(Number(port));
process.stdout.write(`${report}\n`);
if (!hasConnected) process.exitCode = 1;

async function playHere(): Promise<Played> {
  const { playClient } = await import("./play-client.ts");
  return await playClient(scenario);
}

async function playThere(at: number): Promise<Played> {
  const socket = connect({ port: at, host: "127.0.0.1" }).setEncoding("utf8").end(JSON.stringify(scenario));
  let answer = "";
  for await (const part of socket) answer += String(part);
  return JSON.parse(answer);
}
