// Controls: what must fail, and be seen to fail.

import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acknowledged, createBook, mixKinds } from "../../book.ts";
import { allKinds } from "../../flows.ts";
import { judge } from "../../judge.ts";
import { report, subjectOptions, type PartReport } from "../../part.ts";
import { lay } from "../../parts/kills.ts";
import { SubjectProcess } from "../../subject-process.ts";
import { drive } from "../../workload.ts";
import type { PostgresOptions } from "../options.ts";

const earlyFile = fileURLToPath(new URL("../../planted/answer-before-commit.ts", import.meta.url));
const lockFreeFile = fileURLToPath(new URL("../../planted/own-without-lock.ts", import.meta.url));
const cutsMax = 5;

type Control = { readonly name: string; readonly found: readonly string[] };

export async function runPostgresControls(options: PostgresOptions): Promise<PartReport> {
  const controls = [await answerEarly(options), await ownWithoutLock(options), await commitLater(options)];
  const lines = controls.map(({ name, found }) => {
    const example = found[0] === undefined ? "" : ` (${found[0]})`;
    return `${name}: ${found.length} found: ${found.length > 0 ? "fails, as it must" : "NOT SEEN"}${example}`;
  });
  const unseen = controls.filter(({ found }) => found.length === 0);
  return report(
    "controls",
    lines,
    unseen.map(({ name }) => `${name} was not caught`),
  );
}

async function answerEarly(options: PostgresOptions): Promise<Control> {
  const imports = [earlyFile];
  const { verdict } = await options.withPlace((place) => lay(place, { ...options, kills: 6, runs: 60 }, { imports }));
  return { name: "a build that answers and calls before it commits, killed 6 times", found: verdict.lost };
}

/** Two that both believe to be the owner. */
async function ownWithoutLock({ withPlace, seed }: PostgresOptions): Promise<Control> {
  const found = await withPlace(async (place) => {
    const imports = [lockFreeFile];
    const [one, other] = [
      new SubjectProcess(subjectOptions(place), { imports }),
      new SubjectProcess(subjectOptions(place), { imports }),
    ];
    const book = createBook(mixKinds(allKinds, 60, seed), "w");
    const until = Date.now() + 12_000;
    await drive({ book, place, subject: one, newMax: Infinity, spreadMs: 6000 }, () => Date.now() > until);
    await Promise.all([one.kill(), other.kill()]);
    const { wrong } = await judge(book, place, { isMidway: true });
    return wrong.filter((text) => text.includes("was written by session"));
  });
  return { name: "two processes that own without the lock and without the epoch", found };
}

/** The server answers before its disk has it, and is killed. */
async function commitLater({ withPlace, server, seed }: PostgresOptions): Promise<Control> {
  const name = 'the server killed with durability "fast"';
  for (let cut = 1; cut <= cutsMax; cut++) {
    const found = await withPlace(async (place) => {
      const subject = new SubjectProcess(subjectOptions(place, { durability: "fast" }));
      const book = createBook(mixKinds(allKinds, 200, seed + cut), "f");
      const driven = drive({ book, place, subject, newMax: Infinity, spreadMs: 2500 }, () => false);
      if (await subject.opened) await wait(2000 + cut * 77);
      await server.killAll();
      await subject.kill();
      await driven;
      await server.start();
      const { lost } = await judge(book, place, { isMidway: true });
      return lost.map((text) => `${text}, of ${acknowledged(book)} acknowledgements`);
    });
    if (found.length > 0) return { name, found };
  }
  return { name, found: [] };
}
