// `npm run mutate -- [--sample N] [--seed S] [--seeds N] [--file NAME]`: makes small mistakes in the kernel, one at a
// time, and tells which of them no test and no seed of the simulator sees. The same seed gives the same sample.

import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { createRandom } from "../src/testing/random.ts";
import { mutantsOf, type Mutant } from "./mutation/mutants.ts";
import type { Report, Trial } from "./mutation/worker.ts";

type Verdict = { readonly mutant: Mutant; readonly killer: string | null };

/** Nothing heard for so long: the mutant hangs, and that is seen. A busy machine gets a second, longer chance. */
const silenceMaxMs = 5_000;
const silenceAgainMaxMs = 15_000;
/** Copies of modules are never freed; a thread of this age makes way for a new one. */
const trialsPerThread = 40;
const threads = 2;
const hung = "the time limit";
const crashed = "a crash";

const root = resolve(import.meta.dirname, "..");
const options = {
  sample: { type: "string", default: "300" },
  seed: { type: "string", default: "1" },
  /** Of the simulator, for each mutant. */
  seeds: { type: "string", default: "60" },
  /** Only this file of the kernel. */
  file: { type: "string" },
} as const;
const asked = parseArgs({ options }).values;

const tests = globSync(["src/run/**/*.test.ts", "test/kernel-seeds*.test.ts"], { cwd: root }).toSorted();
const files = globSync("src/run/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).toSorted();
const trial: Trial = { root, tests, seeds: Number(asked.seeds) };

const chosen = files.filter((file) => asked.file === undefined || file.endsWith(`/${asked.file}`));
const all = chosen.flatMap((file) => mutantsOf(file, readFileSync(`${root}/${file}`, "utf8")));
const sample = createRandom(Number(asked.seed)).shuffle(all).slice(0, Number(asked.sample));

/** Hands out the sample, so that every thread takes the next one when it is free. */
const queue = sample.values();
const verdicts: Verdict[] = [];
const startedAt = performance.now();
await assertSound();
await Promise.all(Array.from({ length: threads }, work));
tell();

/** Without a mistake everything passes; else every mutant would look killed. */
async function assertSound(): Promise<void> {
  const unchanged = { file: chosen[0] ?? "", line: 0, start: 0, end: 0, was: "", text: "" };
  const worker = openWorker();
  const killer = await tryOn(worker, unchanged, silenceAgainMaxMs);
  await worker.terminate();
  if (killer !== null) throw new Error(`${killer} fails before anything is changed: mend it first.`);
}

function openWorker(): Worker {
  const url = new URL("./mutation/worker.ts", import.meta.url);
  return new Worker(url, { workerData: trial, resourceLimits: { maxOldGenerationSizeMb: 2048 }, stderr: true });
}

async function work(): Promise<void> {
  let worker = openWorker();
  let age = 0;
  const renew = async (): Promise<void> => {
    await worker.terminate();
    worker = openWorker();
    age = 0;
  };
  for (const mutant of queue) {
    let killer = await tryOn(worker, mutant, silenceMaxMs);
    if (killer === hung) {
      await renew();
      killer = await tryOn(worker, mutant, silenceAgainMaxMs);
    }
    verdicts.push({ mutant, killer });
    if (verdicts.length % 50 === 0) console.error(`${verdicts.length} of ${sample.length}`);
    age += 1;
    if (killer === hung || killer === crashed || age >= trialsPerThread) await renew();
  }
  await worker.terminate();
}

function tryOn(worker: Worker, mutant: Mutant, silenceMs: number): Promise<string | null> {
  return new Promise((settle) => {
    const end = (killer: string | null): void => {
      clearTimeout(silence);
      worker.removeAllListeners("message").removeAllListeners("error");
      settle(killer);
    };
    const silence = setTimeout(() => end(hung), silenceMs);
    worker.on("message", (report: Report) => (report.kind === "busy" ? silence.refresh() : end(report.killer)));
    worker.on("error", () => end(crashed));
    worker.postMessage(mutant, []);
  });
}

function tell(): void {
  const survivors = verdicts.filter(({ killer }) => killer === null).map(({ mutant }) => mutant);
  const lines = chosen.map((file) => {
    const count = (mutants: readonly Mutant[]): number => mutants.filter((mutant) => mutant.file === file).length;
    return [file, count(sample), count(sample) - count(survivors), count(survivors)] as const;
  });
  const total = ["all", sample.length, sample.length - survivors.length, survivors.length] as const;
  const table = [["file", "mutants", "killed", "survived"], ...lines.filter(([, mutants]) => mutants > 0), total];
  for (const [name, ...counts] of table) {
    console.log(`${name.padEnd(24)}${counts.map((count) => String(count).padStart(10)).join("")}`);
  }
  console.log();
  for (const { file, line, was, text } of survivors.toSorted(byPlace)) {
    console.log(`${file}:${line}  ${shorten(was)}  ->  ${shorten(text)}`);
  }
  const percent = ((100 * total[2]) / total[1]).toFixed(1);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `\n${percent} % killed: ${total[2]} of ${total[1]}, of ${all.length} mutants, seed ${asked.seed}, ${seconds} s`,
  );
}

function byPlace(one: Mutant, other: Mutant): number {
  return one.file.localeCompare(other.file) || one.start - other.start;
}

function shorten(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ");
  return plain.length > 90 ? `${plain.slice(0, 90)}…` : plain;
}
