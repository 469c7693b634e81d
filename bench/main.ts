// `npm run bench`: measures the engine, the limits of the machine and, when asked, other engines, in one run.

import { appendFileSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArguments, usage, type BenchArguments } from "./arguments.ts";
import { buildChild } from "./build.ts";
import type { Line, Measurement } from "./measurement.ts";
import { measurePeers } from "./peers.ts";
import { measureGrowth, measureWorkloads } from "./plan.ts";
import { raiseSession } from "./priority.ts";
import { replacePart } from "./report/page.ts";
import { drawPlot } from "./report/plot.ts";
import { lineTable, peerTable, targetTable, toMarkdown, toText } from "./report/table.ts";
import { judge } from "./report/targets.ts";
import { runChild } from "./run-child.ts";
import { fullSizes, tinySizes } from "./sizes.ts";
import type { Task } from "./task.ts";

const project = fileURLToPath(new URL("..", import.meta.url));

/** What `statfs` says of memory that looks like a disk. */
const tmpfsType = 0x01021994;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.ok) await run(parsed.value);
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

async function run(asked: BenchArguments): Promise<void> {
  const folder = join(asked.folder ?? join(project, ".stepwell"), `bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const lowerSession = raiseSession();
  try {
    if (statfsSync(folder).type === tmpfsType) throw new Error(`${folder} is in memory; give --folder on a disk.`);
    const { lines, problems } = await measureAll(asked, folder);
    tell(lines, problems);
    if (!asked.isTiny && asked.only.length === 0) keep(asked, lines);
  } finally {
    lowerSession();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Found = { readonly lines: readonly Line[]; readonly problems: readonly string[] };

async function measureAll({ peers, only, ...asked }: BenchArguments, folder: string): Promise<Found> {
  const sizes = asked.isTiny ? tinySizes : fullSizes;
  const options = { childFile: buildChild(project, folder), profileFolder: asked.profileFolder };
  const measure = async (task: Task): Promise<Measurement> => {
    const measured = await runChild({ task, folder, sizes }, options);
    // At once: a long run may be stopped before its end.
    appendFileSync(`${folder}.jsonl`, `${JSON.stringify(measured)}\n`);
    console.error(`# ${measured.workload}: ${measured.values.map(Math.round).join(", ")} ${measured.unit}`);
    return measured;
  };
  if (asked.isGrowth) return { lines: await measureGrowth({ sizes, only, measure }, folder), problems: [] };
  const own = await measureWorkloads({ sizes, only, measure });
  const others = await measurePeers(peers, (text) => console.error(`# ${text}`));
  return { lines: [...own, ...others.lines], problems: others.problems };
}

function tell(lines: readonly Line[], problems: readonly string[]): void {
  console.log(`${machine()}\n`);
  console.log(toText(lineTable(lines)));
  if (lines.some(({ workload }) => workload === "W1")) console.log(`\n${toText(peerTable(lines))}`);
  const judged = judge(lines);
  if (judged.length > 0) console.log(`\n${toText(targetTable(judged))}`);
  for (const problem of problems) console.log(problem);
}

function machine(): string {
  const { node, sqlite } = process.versions;
  return `Node ${node}, SQLite ${sqlite}, ${process.platform}, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}`;
}

/** The raw lines, the plot and the tables of the page. */
function keep({ isGrowth }: BenchArguments, lines: readonly Line[]): void {
  const name = isGrowth ? "growth" : "latest";
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(project, "bench", "results", `${name}.jsonl`), text);
  if (!isGrowth) writeFileSync(join(project, "docs", "performance.svg"), drawPlot(lines));
  const page = join(project, "docs", "performance.md");
  const tables = [machine(), toMarkdown(targetTable(judge(lines)))];
  if (!isGrowth) tables.push(toMarkdown(peerTable(lines)));
  tables.push(toMarkdown(lineTable(lines)));
  writeFileSync(page, replacePart(readFileSync(page, "utf8"), name, tables.join("\n\n")));
}
