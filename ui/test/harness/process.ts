// The service as a process of its own, which can be killed as a power cut would, and started again on the same port.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findLastingPort } from "../../../scripts/lasting-port.ts";
import { builtPage } from "../../../src/server/page.ts";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface ServiceProcess extends AsyncDisposable {
  readonly address: string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly post: (path: string, body: object) => Promise<unknown>;
  /** On its error output, so far. */
  readonly said: () => string;
}

export async function openProcess(words: readonly string[] = []): Promise<ServiceProcess> {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-process-"));
  let port = await findLastingPort();
  let child: ChildProcess | null = null;
  let said = "";
  const start = async (): Promise<void> => {
    const args = [program, "up", "--port", String(port), "--store", join(folder, "stepwell.db"), ...words];
    const env = { ...process.env, STEPWELL_NO_OPEN: "1", STEPWELL_PAGE: builtPage };
    const started = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    started.stderr?.on("data", (text: string) => (said += text));
    port = await readPort(started);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  await start();
  const address = `http://localhost:${port}`;
  return {
    address,
    start,
    kill: () => end("SIGKILL"),
    said: () => said,
    post: async (path, body) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const told: unknown = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(told));
      return told;
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** From what it says when it is up. */
async function readPort({ stdout, stderr }: ChildProcess): Promise<number> {
  stdout?.resume();
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  stderr?.setEncoding("utf8");
  // Read to its end: whoever is not listened to waits.
  stderr?.on("data", (text: string) => {
    said += text;
    const port = /is up on http:\/\/localhost:(\d+)/.exec(said)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  stderr?.on("close", () => reject(new Error(`The service did not start: ${said}`)));
  return promise;
}
