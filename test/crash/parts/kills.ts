// Random `kill -9`, again and again, while mixed runs are under way; then all is let finish and judged.

import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../../../src/testing/random.ts";
import { acknowledged, createBook, mixKinds, type Book } from "../book.ts";
import { allKinds } from "../flows.ts";
import { judge, problemsOf, type Verdict } from "../judge.ts";
import { boundOf, describeMs, percentile, report, subjectOptions, type PartOptions, type PartReport } from "../part.ts";
import type { Place } from "../person.ts";
import { look, readSteps } from "../rows.ts";
import { SubjectProcess, type Launch } from "../subject-process.ts";
import { drive, driveToEnd } from "../workload.ts";

const lifeMinMs = 50;
const lifeMaxMs = 1500;
const finishMs = 120_000;
/** Said, not judged: it depends on what else the machine does. */
const recoveryMaxMs = 1000;

export type Siege = {
  readonly book: Book;
  readonly verdict: Verdict;
  readonly lives: readonly SubjectProcess[];
  readonly redispatchedMs: readonly number[];
  readonly kills: number;
  readonly unended: readonly string[];
};

export async function runKills(options: PartOptions): Promise<PartReport> {
  const startedAt = Date.now();
  const siege = await options.withPlace((place) => lay(place, options));
  const { verdict, lives, book, redispatchedMs, kills } = siege;
  const firsts = lives.flatMap((life) => [...life.firsts.values()].toSorted((a, b) => a.ms - b.ms).slice(0, 1));
  const unopened = lives.filter(({ openMs }) => openMs === null).length;
  const lines = [
    `${kills} kills, ${unopened} of them while it started; ${book.orders.length} runs, ${acknowledged(book)} acknowledgements, ${verdict.effects} effects, seed ${options.seed}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
    `lost ${verdict.lost.length} of ${acknowledged(book)} acknowledged; ${boundOf(kills)} per kill`,
    `effects above attempts plus interruptions ${verdict.repeated.length}; repeated because of a crash, under the same key: ${verdict.duplicates} (${perThousand(verdict)} per 1,000)`,
    `double joins ${verdict.doubleJoins.length}, stuck runs ${verdict.stuck.length}, anything else ${verdict.wrong.length}`,
    describeMs(
      "recovery, process start to the first call or acknowledgement",
      firsts.map(({ ms }) => ms),
    ),
    describeMs(
      "  of which work of its own (CPU, all threads)",
      firsts.map(({ cpuMs }) => cpuMs),
    ),
    describeMs("recovery, process start to the first interrupted step called again", redispatchedMs),
  ];
  const slowest = [firsts.map(({ ms }) => ms), redispatchedMs].map((list) => percentile(list, 0.99));
  const isSlow = slowest.some((ms) => ms >= recoveryMaxMs);
  lines.push(`target, p99 below ${recoveryMaxMs} ms: ${isSlow ? "MISSED" : "reached"}`);
  return report("kills", lines, [...problemsOf(verdict), ...siege.unended, ...findUnexpected(lives)]);
}

function perThousand({ duplicates, effects }: Verdict): string {
  return effects === 0 ? "0" : ((1000 * duplicates) / effects).toFixed(1);
}

/** Kills, then lets finish. */
export async function lay(place: Place, options: PartOptions, launch: Launch = {}): Promise<Siege> {
  const { kills, runs, seed, say } = options;
  const random = createRandom(seed);
  const book = createBook(mixKinds(allKinds, runs, seed), `k${seed}`);
  const lives: SubjectProcess[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    const left = book.orders.filter(({ run }) => run === null).length;
    const lifeMs = lifeMinMs + random.next() * (lifeMaxMs - lifeMinMs);
    const subject = new SubjectProcess(subjectOptions(place), launch);
    lives.push(subject);
    const work = { book, place, subject, newMax: Math.ceil(left / (kills - kill + 1)), spreadMs: lifeMs };
    const driven = drive(work, () => false);
    // Every second life is timed from its opening, so that on a slow machine not all of them end before they begin.
    if (kill % 2 === 0) await subject.opened;
    await Promise.race([wait(lifeMs), subject.exited]);
    await subject.kill();
    await driven;
    if (kill % 20 === 0) say(`${kill} kills, ${left} runs to come`);
  }
  const last = new SubjectProcess(subjectOptions(place), launch);
  lives.push(last);
  await driveToEnd({ book, place, subject: last }, finishMs);
  const { code, signal } = await last.stop();
  // Its stop must end by itself.
  const unended = code === 0 ? [] : [`wrong: the last life ended with ${code ?? signal}`];
  const verdict = await judge(book, place);
  return { unended, book, verdict, lives, redispatchedMs: await measureRedispatch(place, lives), kills };
}

/** By the rows: when, after each start, the first try that a crash had cut off was begun again. */
async function measureRedispatch({ store }: Place, lives: readonly SubjectProcess[]): Promise<readonly number[]> {
  const where = "via = 'interrupted' and started_at is not null";
  const steps = (await look(store, (database) => readSteps(database, where))) ?? [];
  const startedAts = steps.flatMap(({ startedAt }) => startedAt ?? []).toSorted((a, b) => a - b);
  return lives.flatMap(({ spawnedAt }, at) => {
    const nextAt = lives[at + 1]?.spawnedAt ?? Infinity;
    const first = startedAts.find((startedAt) => startedAt >= spawnedAt && startedAt < nextAt);
    return first === undefined ? [] : [first - spawnedAt];
  });
}

/** What an engine that is only killed must never say. */
function findUnexpected(lives: readonly SubjectProcess[]): readonly string[] {
  return lives.flatMap((life) => [
    ...life.problems.map(({ code, message }) => `wrong: the subject said ${code}: ${message}`),
    ...(life.errors === "" ? [] : [`wrong: the subject wrote to stderr: ${life.errors.slice(0, 500)}`]),
  ]);
}
