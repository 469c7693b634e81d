// One engine that lives through whatever is done to its server or its connection: it is never started again, goes on by
// itself, and is judged when everything has finished.

import { acknowledged, type Book } from "../book.ts";
import { judge, problemsOf, type Verdict } from "../judge.ts";
import { subjectOptions } from "../part.ts";
import type { Place } from "../person.ts";
import { SubjectProcess } from "../subject-process.ts";
import { drive, isAllOver } from "../workload.ts";

const finishMs = 120_000;

/** What an engine may say whose server is away. */
const expected: ReadonlySet<string> = new Set(["STORE_LOST", "STORE_UNREACHABLE"]);

export type Ordeal = {
  readonly place: Place;
  /** How the subject reaches the store; as the harness does, unless given. */
  readonly address?: string;
  readonly book: Book;
  /** The time over which its runs are started. */
  readonly spreadMs: number;
  readonly act: (subject: SubjectProcess) => Promise<void>;
};

export type Endured = {
  readonly subject: SubjectProcess;
  readonly verdict: Verdict;
  readonly problems: readonly string[];
};

export async function endure({ place, address = place.store, book, spreadMs, act }: Ordeal): Promise<Endured> {
  const subject = new SubjectProcess(subjectOptions(place, { store: address }));
  let deadline: number | null = null;
  const driven = drive({ book, place, subject, newMax: Infinity, spreadMs }, async () => {
    if (deadline === null) return false;
    return Date.now() > deadline || (await isAllOver(book, place));
  });
  if (await subject.opened) await Promise.race([act(subject), subject.exited]);
  deadline = Date.now() + finishMs;
  await driven;
  const problems = subject.isAlive ? [] : ["wrong: the engine ended by itself"];
  const { code, signal } = await subject.stop();
  if (code !== 0) problems.push(`wrong: the engine ended with ${code ?? signal}`);
  const verdict = await judge(book, place);
  return { subject, verdict, problems: [...problems, ...problemsOf(verdict), ...findUnexpected(subject)] };
}

export function findUnexpected({ problems, errors }: SubjectProcess): readonly string[] {
  const said = problems.filter(({ code }) => !expected.has(code));
  return [
    ...said.map(({ code, message }) => `wrong: the subject said ${code}: ${message}`),
    ...(errors === "" ? [] : [`wrong: the subject wrote to stderr: ${errors.slice(0, 800)}`]),
  ];
}

export function describeVerdict(book: Book, { lost, repeated, doubleJoins, stuck, wrong, ...counts }: Verdict): string {
  const told = `${book.orders.length} runs, ${acknowledged(book)} acknowledgements, ${counts.effects} effects`;
  return `${told}: lost ${lost.length}, too often ${repeated.length}, double joins ${doubleJoins.length}, stuck ${stuck.length}, anything else ${wrong.length}; repeated under the same key ${counts.duplicates}`;
}
