// Other engines, through their own harness, which lies beside the project when it is there. It is copied to the system's
// temporary folder and installed there; a peer that cannot be installed or started is told with its reason and left out.

import { spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDatabase, nameDatabase } from "./database.ts";
import type { Line, Unit } from "./measurement.ts";

const harness = fileURLToPath(new URL("../../shared/bench", import.meta.url));

export type PeerResult = { readonly lines: readonly Line[]; readonly problems: readonly string[] };

export type PeerOptions = {
  readonly tell: (text: string) => void;
  /** Whoever needs a PostgreSQL server has databases of this one; undefined: each starts its own. */
  readonly server?: { readonly url: string; readonly pid: number } | undefined;
};

export async function measurePeers(names: readonly string[], options: PeerOptions): Promise<PeerResult> {
  if (names.length === 0) return { lines: [], problems: [] };
  if (!existsSync(join(harness, "run.mjs"))) {
    return { lines: [], problems: ["peers: their harness is not there (../shared/bench)"] };
  }
  const copy = copyHarness();
  if (options.server !== undefined) shareServer(copy);
  const lines: Line[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const result = await measurePeer(name, copy, options);
    lines.push(...result.lines);
    problems.push(...result.problems);
  }
  return { lines, problems };
}

async function measurePeer(name: string, copy: string, { tell, server }: PeerOptions): Promise<PeerResult> {
  const folder = folderOf(name, readdirSync(join(copy, "peers")));
  if (folder === undefined) return { lines: [], problems: [`${name}: no peer of this name`] };
  if (!existsSync(join(copy, "peers", folder, "node_modules"))) {
    tell(`${name}: npm install`);
    const installed = await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: join(copy, "peers", folder) });
    if (installed.code !== 0)
      return { lines: [], problems: [`${name}: npm install failed: ${lastLine(installed.errors)}`] };
  }
  tell(name);
  const output = join(copy, `${name}.jsonl`);
  rmSync(output, { force: true });
  const env = {
    NODE24: process.execPath,
    NODE20: process.execPath,
    OUTFILE: output,
    ...postgresFolder(),
    ...(server === undefined ? {} : await prepareDatabase(name, server)),
  };
  const { code, errors } = await run(process.execPath, ["run.mjs", name], { cwd: copy, env });
  const found = existsSync(output) ? readFileSync(output, "utf8").split("\n").filter(Boolean) : [];
  if (code !== 0 || found.length === 0) return { lines: [], problems: [`${name}: ${lastLine(errors)}`] };
  const result = fromPeerLines(name, found);
  return server === undefined ? result : { ...result, lines: result.lines.map(withoutServer) };
}

/** Folders are named for the product, peers for a way to use it: `dbos-pg-queue` is in `dbos-pg`. */
function folderOf(name: string, folders: readonly string[]): string | undefined {
  const fitting = folders.filter((folder) => name === folder || name.startsWith(`${folder}-`));
  return fitting.toSorted((one, other) => other.length - one.length)[0];
}

export function fromPeerLines(name: string, texts: readonly string[]): PeerResult {
  const lines: Line[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const line = JSON.parse(text) as PeerLine;
    if (line.error !== undefined) {
      problems.push(`${name}: ${line.workload ?? ""} ${line.error} ${lastLine(line.stderr ?? "")}`);
    } else lines.push(...fromPeerLine(name, line));
  }
  return { lines, problems };
}

/** As the peers' harness writes it. */
type PeerLine = {
  readonly workload?: string;
  readonly version?: string;
  readonly durability?: string;
  readonly error?: string;
  readonly stderr?: string;
  readonly steps_per_s?: number;
  readonly workflow_ms_p50?: number;
  readonly workflow_ms_p99?: number;
  readonly ms?: number;
  readonly workflows_per_s?: number;
  readonly runs?: readonly number[];
  readonly min?: number;
  readonly max?: number;
  readonly worker_rss_mb?: number;
  readonly server_pss_mb?: number;
  readonly n?: number;
  readonly foreign_cpu_pct?: readonly number[];
};

function fromPeerLine(subject: string, line: PeerLine): readonly Line[] {
  const { workload = "", version = "", durability = "", runs = [], min = 0, max = 0, n = 0 } = line;
  const figure = figureOf(line);
  if (figure === undefined) return [];
  const rest = { runs, min, max, foreign_cpu_pct: line.foreign_cpu_pct ?? [] };
  const p99 = line.workflow_ms_p99 === undefined ? {} : { p99_ms: line.workflow_ms_p99 };
  const own: Line = { subject, workload, ...figure, ...rest, notes: { version, durability, n, ...p99 } };
  if (workload !== "W1") return [own];
  const value = (line.worker_rss_mb ?? 0) + (line.server_pss_mb ?? 0);
  const notes = { worker_mb: line.worker_rss_mb ?? 0, server_mb: line.server_pss_mb ?? 0 };
  return [own, { ...own, workload: "W5", unit: "MB", value, runs: [value], min: value, max: value, notes }];
}

/** What one server holds in memory belongs to all who have used it. */
function withoutServer(line: Line): Line {
  const worker = line.notes["worker_mb"];
  if (line.workload !== "W5" || typeof worker !== "number") return line;
  return { ...line, value: worker, runs: [worker], min: worker, max: worker, notes: { worker_mb: worker } };
}

function figureOf({ workload = "", ...line }: PeerLine): { readonly unit: Unit; readonly value: number } | undefined {
  if (workload === "W1" && line.steps_per_s !== undefined) return { unit: "steps/s", value: line.steps_per_s };
  if (workload === "W2" && line.workflow_ms_p50 !== undefined) return { unit: "ms", value: line.workflow_ms_p50 };
  if (workload === "W4" && line.workflows_per_s !== undefined) return { unit: "runs/s", value: line.workflows_per_s };
  return line.ms === undefined ? undefined : { unit: "ms", value: line.ms };
}

/** The harness keeps servers' files beside itself, and a server that is not root must reach them: no private folder. */
function copyHarness(): string {
  const copy = join(tmpdir(), "stepwell-peers", "bench");
  mkdirSync(copy, { recursive: true });
  cpSync(harness, copy, { recursive: true, force: true });
  // The original may be read-only, and modes are copied.
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (entry.parentPath.includes("node_modules") || entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, statSync(path).mode | 0o200);
  }
  chmodSync(copy, 0o755);
  return copy;
}

/** The harness starts a server for each peer; here it is told to take the one that is named in the environment. What one
 *  server is worth is then the same for all. */
function shareServer(copy: string): void {
  const file = join(copy, "lib", "servers.mjs");
  const own = "export async function startPg(";
  const text = readFileSync(file, "utf8");
  if (!text.includes(own)) throw new Error("The peers' harness starts its servers in another way than it did.");
  const shared = `
export const startPg = async () => ({
  port: Number(new URL(process.env.BENCH_PG_URL).port), pid: Number(process.env.BENCH_PG_PID),
  url: process.env.BENCH_PG_URL, urlFor: () => process.env.BENCH_PG_URL, settings: "shared", async stop() {},
});
`;
  writeFileSync(file, text.replace(own, "async function startOwnPg(") + shared);
}

async function prepareDatabase(
  name: string,
  { url, pid }: { readonly url: string; readonly pid: number },
): Promise<Readonly<Record<string, string>>> {
  const database = nameDatabase(url, `peer_${name.replaceAll("-", "_")}`);
  await createDatabase(database);
  return { BENCH_PG_URL: database, BENCH_PG_PID: String(pid) };
}

/** Debian keeps the servers' programs off the path, in a folder for each version. */
function postgresFolder(): { readonly PGBIN?: string } {
  if (process.env["PGBIN"] !== undefined) return {};
  const debian = join("/usr", "lib", "postgresql");
  const versions = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : [];
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...onPath];
  const found = folders.find((folder) => isThere(join(folder, "initdb")));
  return found === undefined ? {} : { PGBIN: found };
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

type Ran = { readonly code: number | null; readonly errors: string };

async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  // Node 24 first: some peers refuse the machine's own.
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, PATH: path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors = (errors + chunk).slice(-4000);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, errors: error.message }));
    child.once("close", (code) => resolve({ code, errors }));
  });
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
