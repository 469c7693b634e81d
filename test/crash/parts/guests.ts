// The owner is killed while a guest waits for answers: the guest takes over, and what it had posted is answered.

import { acknowledged, createBook, type Order } from "../book.ts";
import { allKinds } from "../flows.ts";
import { judge, problemsOf } from "../judge.ts";
import { describeMs, report, subjectOptions, type PartOptions, type PartReport } from "../part.ts";
import type { Place } from "../person.ts";
import { SubjectProcess } from "../subject-process.ts";
import { drive, driveToEnd } from "../workload.ts";

const takeOverMaxMs = 2000;
/** How a problem is told that a busier machine may cause. */
export const tooSlow = "too slow";
const finishMs = 30_000;
const posted = 5;
const visitMs = 1200;

type TakeOver = {
  readonly ownerMs: number | null;
  readonly answerMs: readonly number[];
  /** Acknowledged to the guest while the other one owned the file. */
  readonly byInbox: number;
  readonly problems: readonly string[];
};

export async function runGuests({ rounds, say, withPlace }: PartOptions): Promise<PartReport> {
  const ownerMs: number[] = [];
  const answerMs: number[] = [];
  const problems: string[] = [];
  let byInbox = 0;
  for (let round = 1; round <= rounds; round++) {
    const taken = await withPlace((place) => takeOver(place, round));
    if (taken.ownerMs !== null) ownerMs.push(taken.ownerMs);
    answerMs.push(...taken.answerMs);
    byInbox += taken.byInbox;
    problems.push(...taken.problems.map((text) => `round ${round}: ${text}`));
    say(`round ${round}: the guest owned the file after ${taken.ownerMs} ms`);
  }
  const lines = [
    `${rounds} owners killed with a guest waiting for ${posted} answers, after ${byInbox} acknowledgements through the inbox`,
    describeMs("kill to the guest's ownership", ownerMs),
    describeMs("kill to an answer that was waited for", answerMs),
  ];
  return report("guests", lines, problems);
}

async function takeOver(place: Place, round: number): Promise<TakeOver> {
  const book = createBook(allKinds, `g${round}`);
  const problems: string[] = [];
  const owner = new SubjectProcess(subjectOptions(place));
  await owner.opened;
  const guest = new SubjectProcess(subjectOptions(place));
  await guest.opened;
  if (!owner.isOwner || guest.isOwner) problems.push(`owner ${owner.isOwner}, guest ${guest.isOwner}`);
  // Everything that can be asked goes through the inbox for a while: starts, approvals, signals, cancels.
  const work = { book, place, subject: guest, newMax: book.orders.length - posted, spreadMs: visitMs / 3 };
  const deadline = Date.now() + visitMs;
  await drive(work, () => Date.now() > deadline);
  const byInbox = acknowledged(book);
  if (byInbox === 0) problems.push("the guest got nothing done through the owner");
  const waiting = book.orders.slice(-posted).map((order) => start(guest, order));
  const killedAt = Date.now();
  await owner.kill();
  const answerMs: number[] = [];
  await Promise.race([
    Promise.all(waiting.map((answered) => answered.then(() => answerMs.push(Date.now() - killedAt)))),
    new Promise((resolve) => setTimeout(resolve, finishMs).unref()),
  ]);
  await driveToEnd({ book, place, subject: guest }, finishMs);
  const { code, signal } = await guest.stop();
  if (code !== 0) problems.push(`the guest that took over ended with ${code ?? signal}`);
  const ownerMs = guest.ownerSince === null ? null : guest.ownerSince - killedAt;
  if (ownerMs === null) problems.push("the guest never took over");
  else if (ownerMs > takeOverMaxMs) problems.push(`${tooSlow}: the guest took over after ${ownerMs} ms`);
  if (answerMs.length < posted) problems.push(`${answerMs.length} answers; ${posted} were waited for`);
  else if (Math.max(...answerMs) > takeOverMaxMs) problems.push(`${tooSlow}: answers after ${answerMs.join()} ms`);
  return { ownerMs, answerMs, byInbox, problems: [...problems, ...problemsOf(await judge(book, place))] };
}

async function start(subject: SubjectProcess, order: Order): Promise<void> {
  const { kind, key, n } = order;
  const answer = await subject.ask({ do: "start", kind, key, n, filler: 0 });
  if (answer?.ok === true && typeof answer.value === "number") order.run = answer.value;
}
