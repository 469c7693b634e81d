// Runs the book against one life of the subject: what was never acknowledged is asked again first, then what is new,
// spread over the time that this life is given; meanwhile a person answers.

import { setTimeout as wait } from "node:timers/promises";
import type { Book, Order } from "./book.ts";
import { createPerson, type Place } from "./person.ts";
import { look, readRuns } from "./rows.ts";
import type { SubjectProcess } from "./subject-process.ts";

const lookEveryMs = 50;

export type Work = {
  readonly book: Book;
  readonly place: Place;
  readonly subject: SubjectProcess;
  /** New orders for this life, and the time over which they come. */
  readonly newMax: number;
  readonly spreadMs: number;
};

/** Until the subject is dead, or `isOver` says so. Gives true if the subject is still there. */
export async function drive(work: Work, isOver: () => boolean | Promise<boolean>): Promise<boolean> {
  const { book, place, subject } = work;
  const open = book.orders.filter(({ run }) => run === null);
  const asked = open.slice(0, openAgain(open) + work.newMax);
  const askPerson = createPerson(book, place, subject);
  for (const order of book.orders) if (order.run !== null) void nudge(order, subject);
  let next = 0;
  if (!(await subject.opened)) return false;
  const openedAt = Date.now();
  while (subject.isAlive && !(await isOver())) {
    const share = work.spreadMs === 0 ? 1 : (Date.now() - openedAt) / work.spreadMs;
    const due = Math.min(asked.length, Math.ceil(asked.length * share));
    for (; next < due; next++) {
      const order = asked[next];
      if (order !== undefined) void startRun(order, work);
    }
    await askPerson();
    await Promise.race([wait(lookEveryMs), subject.exited]);
  }
  return subject.isAlive;
}

const askedBefore = new WeakSet<Order>();

/** Asked in a life before, and never acknowledged: they stand first, since orders are asked in their order. */
function openAgain(open: readonly Order[]): number {
  return open.filter((order) => askedBefore.has(order)).length;
}

/** A refusal is said to pass: full, overloaded, not open yet. */
const askAgainAfterMs = 200;

async function startRun(order: Order, work: Work): Promise<void> {
  const { subject, book } = work;
  askedBefore.add(order);
  const { kind, key, n } = order;
  const answer = await subject.ask({ do: "start", kind, key, n, filler: book.filler });
  if (answer === undefined) return;
  if (!answer.ok) {
    book.refusals.set(answer.code, answer.message);
    await Promise.race([wait(askAgainAfterMs), subject.exited]);
    return subject.isAlive ? startRun(order, work) : undefined;
  }
  if (typeof answer.value !== "number") return;
  if (order.run !== null && order.run !== answer.value)
    throw new Error(`${key} is run ${order.run} and ${answer.value}`);
  order.run = answer.value;
  await nudge(order, subject);
}

/** Runs of these two kinds go on only when told to. */
async function nudge(order: Order, subject: SubjectProcess): Promise<void> {
  if (order.isNudged || order.run === null || (order.kind !== "cancel" && order.kind !== "signal")) return;
  const answer = await subject.ask({ do: order.kind, run: order.run });
  if (answer?.ok === true) order.isNudged = true;
  // Refused for good: it had been heard, though nobody said so.
  if (answer === undefined || answer.ok || answer.code === "REFUSED") return;
  await Promise.race([wait(askAgainAfterMs), subject.exited]);
  if (subject.isAlive) await nudge(order, subject);
}

/** Every order has its run, and nothing is live any more. */
export async function isAllOver(book: Book, { store }: Place): Promise<boolean> {
  if (book.orders.some(({ run }) => run === null)) return false;
  return (await look(store, async (database) => (await readRuns(database, "completed_at is null")).length)) === 0;
}

/** Drives all that is left to its end with one life; false: it died, or not all was over in time. */
export async function driveToEnd(work: Omit<Work, "newMax" | "spreadMs">, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  let isOver = false;
  const isDone = async (): Promise<boolean> => {
    isOver = await isAllOver(work.book, work.place);
    return isOver || Date.now() > deadline;
  };
  await drive({ ...work, newMax: Infinity, spreadMs: 0 }, isDone);
  return isOver;
}
