// The server that is broken: one of our own, with its data on a real disk and `fsync` on. Killed as a power cut would: all
// of its processes at once.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startServer, type PostgresServer } from "../../../scripts/postgres/server.ts";

export type CrashServer = AsyncDisposable & {
  /** Of its superuser. */
  readonly url: string;
  /** `kill -9` of its first process and of all that it has started. */
  readonly killAll: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** How often it has said each of these, by SQLSTATE. */
  readonly countErrors: () => ReadonlyMap<string, number>;
};

export async function openServer(): Promise<CrashServer> {
  const logs = mkdtempSync(join(tmpdir(), "stepwell-crash-log-"));
  // The server writes it as somebody else.
  chmodSync(logs, 0o777);
  const settings = {
    fsync: "on",
    logging_collector: "on",
    log_directory: logs,
    log_min_messages: "error",
    log_line_prefix: "%e %a ",
    deadlock_timeout: "200ms",
  };
  const server = await startServer({ place: tmpdir(), settings });
  return {
    url: server.url,
    killAll: () => killAll(server),
    start: () => server.start(),
    countErrors: () => countErrors(logs),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}

async function killAll(server: PostgresServer): Promise<void> {
  const first = server.pid();
  // It starts nothing while we look.
  process.kill(first, "SIGSTOP");
  const children = listChildren(first);
  const gone = server.kill();
  for (const child of children) end(child);
  await gone;
  while (children.some(isThere)) await wait(5);
}

function listChildren(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : Number(line)));
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was faster.
  }
}

function isThere(pid: number): boolean {
  try {
    // What is dead and not yet buried holds nothing any more.
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function countErrors(logs: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(logs)) {
    const text = readFileSync(join(logs, name), "utf8");
    for (const [, code = ""] of text.matchAll(/^(\S{5}) stepwell ERROR: /gmu))
      counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
