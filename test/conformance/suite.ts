// Runs one of the official suites against a service or with our client, each against its own list of failures that are
// expected, with the reason for each. What passes and is in the list fails as well: the list is never longer than it must
// be.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { playClient, type Played } from "./play-client.ts";

/** By the list of failures that goes with it. */
export type Suite = "2026-07-28" | "2025-11-25";

export type SuiteResult = {
  readonly exitCode: number | null;
  /** By the name of the scenario. */
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
  readonly output: string;
};

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Most of what a client costs is loading it. */
const cache = join(tmpdir(), "stepwell-conformance-compiled");

/** The suite starts all its clients at once. */
const timeoutMs = 120_000;

const programs: Readonly<Record<Suite, string>> = {
  "2026-07-28": "@modelcontextprotocol/conformance/dist/index.js",
  "2025-11-25": "conformance-legacy/dist/index.js",
};

/** Which scenarios: those of the revision, and what has come to them since, with those of OAuth or without; or all, each
 *  at the revision that it came with. */
export type Choice = "revision" | "revision-without-oauth" | "all";

export async function runServerSuite(suite: Suite, url: string): Promise<SuiteResult> {
  const chosen = suite === "2026-07-28" ? ["--requirements", suite] : [];
  return await run(suite, ["server", "--url", url, ...chosen]);
}

/** Its clients are all started at once, and would be fifty: so they are small, and what they do is done in this process. */
export async function runClientSuite(suite: Suite, choice: Choice): Promise<SuiteResult> {
  const player = createServer({ allowHalfOpen: true }, (socket) => void play(socket)).listen(0, "127.0.0.1");
  await once(player, "listening");
  const address = player.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    return await run(suite, clientWords(suite, choice), { MCP_CLIENT_PORT: String(port) });
  } finally {
    player.close();
  }
}

/** The suite adds an address to the command, and gives it to a shell. */
function clientWords(suite: Suite, choice: Choice): readonly string[] {
  const client = `"${process.execPath}" "${root}test/conformance/client.ts"`;
  const isWithout = choice === "revision-without-oauth";
  const command = isWithout ? `case "$MCP_CONFORMANCE_SCENARIO" in auth/*) exit 1;; esac; exec ${client}` : client;
  const chosen = suite === "2025-11-25" || choice === "all" ? ["--suite", "all"] : ["--requirements", suite];
  return ["client", "--command", command, "--timeout", String(timeoutMs), ...chosen];
}

async function play(socket: Socket): Promise<void> {
  const played = await playClient(JSON.parse(await text(socket))).catch(failedBy);
  socket.end(JSON.stringify(played));
}

function failedBy(error: unknown): Played {
  return { hasConnected: false, report: String(error) };
}

async function run(
  suite: Suite,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<SuiteResult> {
  const expected = `${root}test/conformance/expected-${suite}.yml`;
  const all = [`${root}node_modules/${programs[suite]}`, ...words, "--expected-failures", expected];
  const child = spawn(process.execPath, all, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: cache, ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  return { exitCode, scenarios: readScenarios(output), output };
}

/** `✓ tools-list: 4 passed, 0 failed` */
function readScenarios(output: string): SuiteResult["scenarios"] {
  const lines = output.matchAll(/^[✓✗] ([\w/-]+): (\d+) passed, (\d+) failed/gmu);
  return new Map(
    [...lines].map(([, name = "", passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]),
  );
}
