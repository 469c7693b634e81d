// Every named crash point, at every hit, over one scenario of all kinds of runs: killed there, started again, finished,
// judged.

import type { CrashPoint } from "../../../src/crash-point.ts";
import { acknowledged, createBook } from "../book.ts";
import { allKinds } from "../flows.ts";
import { judge, problemsOf } from "../judge.ts";
import { boundOf, inTurns, report, subjectOptions, type PartOptions, type PartReport } from "../part.ts";
import type { Place } from "../person.ts";
import { SubjectProcess, type Exit } from "../subject-process.ts";
import { driveToEnd } from "../workload.ts";

const points: readonly CrashPoint[] = [
  "before-commit",
  "in-transaction",
  "after-commit",
  "after-commit-before-act",
  "after-dispatch",
  "before-settle",
  "in-recovery",
  "before-release",
];

const finishMs = 30_000;

type Trial = { readonly isHit: boolean; readonly acknowledged: number; readonly problems: readonly string[] };

export async function runPoints(
  { hits, say, withPlace }: PartOptions,
  names: readonly CrashPoint[] = points,
): Promise<PartReport> {
  const lines: string[] = [];
  const problems: string[] = [];
  let trials = 0;
  let told = 0;
  for (const point of names) {
    let isPast = false;
    const wanted = Array.from({ length: hits }, (_, at) => at + 1);
    const crashes = await inTurns(wanted, async (hit) => {
      if (isPast) return undefined;
      const trial = await withPlace((place) => crashAt(place, point, hit));
      problems.push(...trial.problems.map((text) => `${point}:${hit}: ${text}`));
      if (!trial.isHit) isPast = true;
      return trial.isHit ? trial : undefined;
    });
    const reached = crashes.filter((crash) => crash !== undefined);
    trials += reached.length;
    for (const crash of reached) told += crash.acknowledged;
    lines.push(
      `${point}: ${reached.length} hits${isPast ? ", until a life did not come by so often" : "; there may be more"}`,
    );
    say(lines.at(-1) ?? "");
    if (reached.length === 0) problems.push(`${point}: never reached`);
  }
  lines.push(`${trials} crashes, ${told} acknowledgements, ${problems.length} problems; ${boundOf(trials)} per crash`);
  return report("points", lines, problems);
}

async function crashAt(place: Place, point: CrashPoint, hit: number): Promise<Trial> {
  const book = createBook(allKinds, `${point}-${hit}`);
  const options = subjectOptions(place, { delayMs: 2 });
  const live = async (crash: string | undefined): Promise<Exit> => {
    const subject = new SubjectProcess(options, crash === undefined ? {} : { env: { STEPWELL_CRASH: crash } });
    await driveToEnd({ book, place, subject }, finishMs);
    return subject.stop();
  };
  // Something must be left to recover.
  if (point === "in-recovery") await live("after-dispatch:6");
  const exit = await live(`${point}:${hit}`);
  const isHit = exit.signal === "SIGKILL";
  const problems: string[] = [];
  if (!isHit && exit.code !== 0) problems.push(`ended with code ${exit.code}`);
  if (isHit) {
    const last = await live(undefined);
    if (last.code !== 0) problems.push(`the life after it ended with ${last.code ?? last.signal}`);
  }
  problems.push(...problemsOf(await judge(book, place)));
  return { isHit, acknowledged: acknowledged(book), problems };
}
