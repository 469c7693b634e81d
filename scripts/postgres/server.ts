// A PostgreSQL server of our own: a fresh one on a free port of this machine, with its data in memory where that can be,
// gone without a trace when whoever started it ends, in whatever way. It keeps what it acknowledges as a real one does
// (`fsync` is on), and sorts texts as people do, not by bytes, so that a statement which forgets that is found.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, chownSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findLastingPort } from "../lasting-port.ts";
import { findBinaries, type Origin } from "./binaries.ts";

export type ServerOptions = {
  /** As in postgresql.conf; they win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly origins?: readonly Origin[];
  /** Where its folder of data is made; memory unless given, where there is a disk in memory. */
  readonly place?: string;
};

export interface PostgresServer extends AsyncDisposable {
  /** Of a superuser, with the password, for the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Its own, in memory where that can be; whatever lies in it goes with the server, however that ends. */
  readonly folder: string;
  /** Of its first process. */
  pid(): number;
  /** As a power cut to the server alone: its processes are gone at once. */
  kill(): Promise<void>;
  /** Again on the same data and port, after `kill`. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const user = "stepwell";
const startWithinMs = 60_000;

export async function startServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const binaries = findBinaries(options.origins);
  const folder = mkdtempSync(join(options.place ?? findMemory(), "stepwell-postgres-"));
  const guard = watchOverFolder(folder);
  const password = randomBytes(12).toString("hex");
  try {
    const account = findAccount();
    if (account !== null) chownSync(folder, account.uid, account.gid);
    const cluster: Cluster = { binaries, folder, account: account ?? {} };
    createCluster(cluster, password);
    return await serve(cluster, { guard, password, settings: options.settings ?? {} });
  } catch (error) {
    guard.stdin?.end();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

type Account = { readonly uid: number; readonly gid: number };
type Cluster = { readonly binaries: string; readonly folder: string; readonly account: Partial<Account> };
type Service = {
  readonly guard: ChildProcess;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
};

async function serve(cluster: Cluster, { guard, password, settings }: Service): Promise<PostgresServer> {
  const port = await findLastingPort();
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const words = toWords(cluster, { ...ownSettings, port: String(port), ...settings });
  let child = await launchUntilReady(cluster, words, url);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const stop = async (): Promise<void> => {
    // An immediate shutdown: nobody reads this data again.
    await end("SIGQUIT");
    rmSync(cluster.folder, { recursive: true, force: true });
    guard.stdin?.end();
  };
  return {
    url,
    port,
    folder: cluster.folder,
    pid: () => child.pid ?? 0,
    kill: () => end("SIGKILL"),
    start: async () => {
      child = await launchUntilReady(cluster, words, url);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const ownSettings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  // In its own folder: killed, it leaves nothing behind.
  ...(process.platform === "win32" ? {} : { dynamic_shared_memory_type: "mmap" }),
  log_min_messages: "fatal",
};

function toWords({ folder }: Cluster, settings: Readonly<Record<string, string>>): readonly string[] {
  return [
    "-D",
    join(folder, "data"),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function createCluster({ binaries, folder, account }: Cluster, password: string): void {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  // Passwords by md5: they keep other users of this machine out, and a test opens many connections.
  const words = [
    "-D",
    join(folder, "data"),
    "-U",
    user,
    "--pwfile",
    passwordFile,
    "--auth=md5",
    "--encoding=UTF8",
    "--no-sync",
  ];
  const sorted = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const create = (more: readonly string[]): { readonly status: number | null; readonly stderr: string } =>
    spawnSync(join(binaries, "initdb"), [...words, ...more], { cwd: folder, encoding: "utf8", ...account });
  let made = create(sorted);
  // Built without ICU.
  if (made.status !== 0) made = create(["--locale=C"]);
  rmSync(passwordFile);
  if (made.status !== 0) throw new Error(`initdb of ${binaries} failed: ${made.stderr.trim()}`);
}

type Launched = { readonly process: ChildProcess; readonly said: () => string };

function launch({ binaries, folder, account }: Cluster, words: readonly string[]): Launched {
  const child = spawn(join(binaries, "postgres"), words, {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    ...account,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  child.on("error", (error) => {
    said += error.message;
  });
  // Neither it nor what it says keeps a program alive that has nothing more to do.
  child.unref();
  Reflect.get(child.stderr, "unref")?.call(child.stderr);
  return { process: child, said: () => said.trim() };
}

/** Again and again while it ends at once: the processes of one that was killed take a moment to notice. */
async function launchUntilReady(cluster: Cluster, words: readonly string[], url: string): Promise<ChildProcess> {
  const deadline = performance.now() + startWithinMs;
  let launched = launch(cluster, words);
  while (!(await canConnect(url))) {
    const { process: child, said } = launched;
    const isOver = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    if (isOver && !said().includes("still in use")) throw new Error(`postgres did not start: ${said()}`);
    if (performance.now() > deadline) throw new Error(`postgres did not start in time: ${said()}`);
    if (isOver) launched = launch(cluster, words);
    await sleep(20);
  }
  return launched.process;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** A process of its own that outlives us by a moment: when we end, however that is, it ends the server that has its data in
 *  this folder, and removes it. */
function watchOverFolder(folder: string): ChildProcess {
  const guard = spawn(process.execPath, ["-e", guardProgram, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  Reflect.get(guard.stdin, "unref")?.call(guard.stdin);
  return guard;
}

const guardProgram = `
const { readFileSync, rmSync } = require("node:fs");
const folder = process.argv[1];
process.stdin.resume().on("close", () => {
  let pid = 0;
  try { pid = Number(readFileSync(folder + "/data/postmaster.pid", "utf8").split("\\n")[0]); } catch {}
  if (pid > 0) try { process.kill(pid, "SIGQUIT"); } catch {}
  const tidy = () => {
    try { if (pid > 0) { process.kill(pid, 0); setTimeout(tidy, 50); return; } } catch {}
    rmSync(folder, { recursive: true, force: true });
  };
  tidy();
});
`;

/** PostgreSQL refuses to run as root. */
function findAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const account = accounts.find((one) => one[0] === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error("PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody");
}

function findMemory(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}
