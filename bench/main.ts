// `npm run bench`: measures the engine, the limits of the machine and, when asked, other engines, in one run.

import { appendFileSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArguments, usage, type BenchArguments, type Dialect } from "./arguments.ts";
import { buildChild } from "./build.ts";
import type { Line, Measurement } from "./measurement.ts";
import { measurePeers, type PeerOptions } from "./peers.ts";
import { measureServerGrowth, measureGrowth, measureWorkloads, type Planned } from "./plan.ts";
import { raiseSession } from "./priority.ts";
import { replacePart } from "./report/page.ts";
import { drawPlot } from "./report/plot.ts";
import { lineTable, peerTable, targetTable, toMarkdown, toText } from "./report/table.ts";
import { judgePostgres } from "./report/targets-postgres.ts";
import { judge, type Judged } from "./report/targets.ts";
import { runChild } from "./run-child.ts";
import { describeServer, startBenchServer } from "./server.ts";
import { benchServerNames } from "./mcp/bench-servers.ts";
import { fullSizes, tinySizes } from "./sizes.ts";
import type { Task } from "./task.ts";

const project = fileURLToPath(new URL("..", import.meta.url));

/** What `statfs` says of memory that looks like a disk. */
const tmpfsType = 0x01021994;

const judges: { readonly [dialect in Dialect]: (lines: readonly Line[]) => readonly Judged[] } = {
  sqlite: judge,
  postgres: judgePostgres,
};

const [first, ...rest] = process.argv.slice(2);
// Calls of tool servers are measured by themselves.
if (first === "mcp" && rest.length <= 1 && rest.every((name) => benchServerNames.includes(name)))
  await import("./mcp/main.ts");
else await runAsked();

async function runAsked(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2));
  if (parsed.ok) return run(parsed.value);
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

async function run(asked: BenchArguments): Promise<void> {
  const folder = join(asked.folder ?? join(project, ".stepwell"), `bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const lowerSession = raiseSession();
  try {
    if (statfsSync(folder).type === tmpfsType) throw new Error(`${folder} is in memory; give --folder on a disk.`);
    const found = asked.dialect === "sqlite" ? await measureFiles(asked, folder) : await measureServer(asked, folder);
    tell(asked, found);
    if (!asked.isTiny && asked.only.length === 0) keep(asked, found);
  } finally {
    lowerSession();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Found = { readonly machine: string; readonly lines: readonly Line[]; readonly problems: readonly string[] };

async function measureFiles(asked: BenchArguments, folder: string): Promise<Found> {
  const machine = describeMachine(`SQLite ${process.versions["sqlite"]}`);
  const planned = plan(asked, folder);
  if (asked.isGrowth) return { machine, lines: await measureGrowth(planned, folder), problems: [] };
  return { machine, ...(await measureBesidePeers(asked, planned)) };
}

async function measureServer(asked: BenchArguments, folder: string): Promise<Found> {
  await using started = await startBenchServer(folder);
  const server = { url: started.url, pid: started.pid() };
  const machine = describeMachine(await describeServer(server.url));
  const planned = plan(asked, folder, server);
  if (!asked.isGrowth) return { machine, ...(await measureBesidePeers(asked, planned, server)) };
  return { machine, lines: await measureServerGrowth(planned, server.url), problems: [] };
}

async function measureBesidePeers(
  { peers }: BenchArguments,
  planned: Planned,
  server?: PeerOptions["server"],
): Promise<Omit<Found, "machine">> {
  const own = await measureWorkloads(planned);
  const others = await measurePeers(peers, { tell: (text) => console.error(`# ${text}`), server });
  return { lines: [...own, ...others.lines], problems: others.problems };
}

function plan(
  { only, isTiny, profileFolder }: BenchArguments,
  folder: string,
  server?: PeerOptions["server"],
): Planned {
  const sizes = isTiny ? tinySizes : fullSizes;
  const options = { childFile: buildChild(project, folder), profileFolder, serverPid: server?.pid };
  const measure = async (task: Task): Promise<Measurement> => {
    const measured = await runChild({ task, folder, server: server?.url, sizes }, options);
    // At once: a long run may be stopped before its end.
    appendFileSync(`${folder}.jsonl`, `${JSON.stringify(measured)}\n`);
    console.error(`# ${measured.workload}: ${measured.values.map(Math.round).join(", ")} ${measured.unit}`);
    return measured;
  };
  return { sizes, only, measure };
}

function tell({ dialect }: BenchArguments, { machine, lines, problems }: Found): void {
  console.log(`${machine}\n`);
  console.log(toText(lineTable(lines)));
  if (lines.some(({ workload }) => workload === "W1")) console.log(`\n${toText(peerTable(lines))}`);
  const judged = judges[dialect](lines);
  if (judged.length > 0) console.log(`\n${toText(targetTable(judged))}`);
  for (const problem of problems) console.log(problem);
}

function describeMachine(store: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `Node ${process.versions.node}, ${store}, ${process.platform}, ${availableParallelism()} cores, ${day}`;
}

/** The raw lines, the plot and the tables of the page. */
function keep({ dialect, isGrowth }: BenchArguments, { machine, lines }: Found): void {
  const kind = isGrowth ? "growth" : "latest";
  const name = dialect === "sqlite" ? kind : `${dialect}-${kind}`;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(project, "bench", "results", `${name}.jsonl`), text);
  if (name === "latest") writeFileSync(join(project, "docs", "performance.svg"), drawPlot(lines));
  const page = join(project, "docs", "performance.md");
  const tables = [machine, toMarkdown(targetTable(judges[dialect](lines)))];
  if (!isGrowth) tables.push(toMarkdown(peerTable(lines)));
  tables.push(toMarkdown(lineTable(lines)));
  writeFileSync(page, replacePart(readFileSync(page, "utf8"), name, tables.join("\n\n")));
}
