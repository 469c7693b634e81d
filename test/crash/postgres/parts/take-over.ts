// An owner that is killed, stopped, told to go or cut off, with a guest beside it that takes over; and what the old one does
// when it wakes up.

import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../../../../src/testing/random.ts";
import { openTcpProxy, type TcpProxy } from "../../../../src/testing/tcp-proxy.ts";
import { acknowledged, createBook, mixKinds, type Book, type Order } from "../../book.ts";
import { allKinds } from "../../flows.ts";
import { judge, problemsOf } from "../../judge.ts";
import { readLedger } from "../../ledger.ts";
import { describeMs, inTurns, report, subjectOptions, type PartReport } from "../../part.ts";
import { tooSlow } from "../../parts/guests.ts";
import type { Place } from "../../person.ts";
import { SubjectProcess } from "../../subject-process.ts";
import { drive, isAllOver } from "../../workload.ts";
import { readBatches, readClaims, type ClaimRecord } from "../audit.ts";
import type { PostgresOptions } from "../options.ts";
import { findUnexpected } from "../ordeal.ts";

/** `silent`: its machine is cut off from the network, and nobody is told; `vanish`: and is gone for good. */
export type Blow = "kill" | "vanish" | "leave" | "stop" | "silent";

const takeOverMaxMs: Readonly<Record<Blow, number>> = {
  kill: 20_000,
  vanish: 20_000,
  leave: 2000,
  stop: 20_000,
  silent: 20_000,
};
const finishMs = 60_000;
const runsPerRound = 60;
const askedLater = 5;
/** A call whose commit was answered just before may begin a moment later. */
const momentMs = 1000;

type Taken = {
  readonly takenMs: number | null;
  readonly acknowledged: number;
  /** Calls that had begun before, and had their effect after the guest had taken over. */
  readonly late: number;
  /** Batches and calls of the old owner, after it had ceased to be it: none. */
  readonly foreign: number;
  readonly begun: number;
  readonly problems: readonly string[];
};

export async function runTakeOver(
  options: PostgresOptions,
  blows: readonly Blow[] = ["kill", "vanish", "leave"],
): Promise<PartReport> {
  return strike(options, { name: "takeover", blows, rounds: options.rounds });
}

export async function runStops(
  options: PostgresOptions,
  blows: readonly Blow[] = ["stop", "silent"],
): Promise<PartReport> {
  return strike(options, { name: "stops", blows, rounds: options.stops });
}

type Strike = { readonly name: string; readonly blows: readonly Blow[]; readonly rounds: number };

async function strike(options: PostgresOptions, { name, blows, rounds }: Strike): Promise<PartReport> {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const blow of blows) {
    const numbers = Array.from({ length: rounds }, (_, at) => at + 1);
    const list = await inTurns(numbers, async (round) => {
      const taken = await options.withPlace((place) => takeOver(place, { blow, round, options }));
      options.say(`${blow} ${round}: taken over after ${taken.takenMs} ms`);
      problems.push(...taken.problems.map((text) => `${blow} ${round}: ${text}`));
      return taken;
    });
    const sum = (of: (taken: Taken) => number): number => list.reduce((total, taken) => total + of(taken), 0);
    const takenMs = list.flatMap((taken) => taken.takenMs ?? []);
    lines.push(
      `${describeBlow(blow, options.stoppedMs)}, ${rounds} times, ${sum((taken) => taken.acknowledged)} acknowledgements`,
      `  ${describeMs("to the guest's ownership, by the server's clock", takenMs)}; target ${takeOverMaxMs[blow]} ms`,
      `  of the old owner afterwards: batches ${sum(({ foreign }) => foreign)}, calls begun ${sum(({ begun }) => begun)}; effects of calls begun before ${sum(({ late }) => late)}`,
    );
  }
  return report(name, lines, problems);
}

function describeBlow(blow: Blow, stoppedMs: number): string {
  switch (blow) {
    case "kill":
      return "kill -9 of the owner";
    case "vanish":
      return "kill -9 of the owner, of which the server hears nothing";
    case "leave":
      return "SIGTERM to the owner";
    case "stop":
      return `SIGSTOP of the owner for ${stoppedMs / 1000} s, then SIGCONT`;
    case "silent":
      return `silence between the owner and the server for ${stoppedMs / 1000} s`;
  }
}

type Round = { readonly blow: Blow; readonly round: number; readonly options: PostgresOptions };

async function takeOver(place: Place, { blow, round, options }: Round): Promise<Taken> {
  const random = createRandom(options.seed * 1000 + round);
  await using proxy = await openTcpProxy(place.store);
  const owner = new SubjectProcess(subjectOptions(place, { store: proxy.through(place.store) }));
  await owner.opened;
  const guest = new SubjectProcess(subjectOptions(place));
  await guest.opened;
  const problems: string[] = [];
  if (!owner.isOwner || guest.isOwner) problems.push(`owner ${owner.isOwner}, guest ${guest.isOwner}`);
  const book = createBook(mixKinds(allKinds, runsPerRound, round), `t${round}`);
  const later = createBook(
    Array.from({ length: askedLater }, () => "chain"),
    `u${round}`,
  );
  let deadline: number | null = null;
  const driven = drive({ book, place, subject: guest, newMax: Infinity, spreadMs: 3000 }, async () => {
    if (deadline === null) return false;
    return Date.now() > deadline || (await isAllOver(book, place));
  });
  await wait(1000 + random.next() * 1500);
  const struckAt = Date.now();
  deal(blow, owner, proxy);
  const claim = await untilTaken(place, guest.pid, struckAt);
  const wokenAt = await wake(blow, { owner, proxy, at: struckAt + options.stoppedMs, problems });
  if (owner.isAlive && wokenAt !== null) await askAll(owner, later, problems);
  deadline = Date.now() + finishMs;
  await driven;
  // The guest last: else the other one would take over in turn.
  for (const subject of [owner, guest]) {
    const { code, signal } = await subject.stop();
    if (code !== 0 && !(subject === owner && (blow === "kill" || blow === "vanish")))
      problems.push(`a subject ended with ${code ?? signal}`);
    problems.push(...findUnexpected(subject));
  }
  const asked = wokenAt === null ? [] : later.orders;
  const whole: Book = { ...book, orders: [...book.orders, ...asked] };
  return conclude(place, { blow, oldPid: owner.pid, claim, struckAt, wokenAt, book: whole, problems });
}

function deal(blow: Blow, owner: SubjectProcess, proxy: TcpProxy): void {
  switch (blow) {
    case "kill":
      void owner.kill();
      return;
    case "vanish":
      proxy.disturb({ stalled: "both", newcomers: "silent" });
      void owner.kill();
      return;
    case "leave":
      return owner.signal("SIGTERM");
    case "stop":
      return owner.signal("SIGSTOP");
    case "silent":
      return proxy.disturb({ stalled: "both", newcomers: "silent" });
  }
}

async function untilTaken(place: Place, guest: number, from: number): Promise<ClaimRecord | undefined> {
  for (const deadline = from + 40_000; Date.now() < deadline; await wait(50)) {
    const claim = (await readClaims(place.store)).find(({ pid, at }) => pid === guest && at >= from);
    if (claim !== undefined) return claim;
  }
  return undefined;
}

type Sleeper = {
  readonly owner: SubjectProcess;
  readonly proxy: TcpProxy;
  readonly at: number;
  readonly problems: string[];
};

/** When the old owner was there again, having noticed that it is none any more; null: it is gone. */
async function wake(blow: Blow, { owner, proxy, at, problems }: Sleeper): Promise<number | null> {
  if (blow === "kill" || blow === "vanish" || blow === "leave") {
    await owner.exited;
    return null;
  }
  await wait(Math.max(0, at - Date.now()));
  const wokenAt = Date.now();
  if (blow === "stop") owner.signal("SIGCONT");
  else proxy.disturb();
  for (const deadline = wokenAt + 20_000; owner.guestSince === null && Date.now() < deadline;) await wait(20);
  if (owner.guestSince === null) problems.push("the old owner never noticed that it is none any more");
  return wokenAt;
}

/** It goes on as a guest: what it is asked, the new owner does. */
async function askAll(old: SubjectProcess, { orders }: Book, problems: string[]): Promise<void> {
  await Promise.race([Promise.all(orders.map((order) => start(old, order))), wait(20_000)]);
  const open = orders.filter(({ run }) => run === null).length;
  if (open > 0) problems.push(`${open} of ${orders.length} starts asked of the old owner were not answered`);
}

async function start(subject: SubjectProcess, order: Order): Promise<void> {
  const { kind, key, n } = order;
  const answer = await subject.ask({ do: "start", kind, key, n, filler: 0 });
  if (answer?.ok === true && typeof answer.value === "number") order.run = answer.value;
}

type Outcome = {
  readonly blow: Blow;
  readonly oldPid: number;
  readonly claim: ClaimRecord | undefined;
  readonly struckAt: number;
  readonly wokenAt: number | null;
  readonly book: Book;
  readonly problems: string[];
};

async function conclude(place: Place, outcome: Outcome): Promise<Taken> {
  const { blow, oldPid, claim, struckAt, wokenAt, book, problems } = outcome;
  const takenAt = claim?.at ?? Infinity;
  const lines = readLedger(place.ledger).filter(({ pid }) => pid === oldPid);
  const late = new Set(lines.filter(({ at }) => at > takenAt).map(({ row }) => row));
  const quietFrom = blow === "stop" ? (wokenAt ?? Infinity) : Math.min(struckAt + momentMs, takenAt);
  const begun = lines.filter(({ calledAt }) => calledAt >= quietFrom);
  const oldSessions = new Set(
    (await readClaims(place.store)).flatMap(({ pid, session }) => (pid === oldPid ? session : [])),
  );
  const foreign = (await readBatches(place.store)).filter(
    ({ session, at }) => oldSessions.has(session) && at > takenAt,
  );
  const takenMs = claim === undefined ? null : claim.at - struckAt;
  if (takenMs === null) problems.push("the guest never took over");
  else if (takenMs > takeOverMaxMs[blow]) problems.push(`${tooSlow}: the guest took over after ${takenMs} ms`);
  if (begun.length > 0) problems.push(`wrong: the old owner began ${begun.length} calls: ${JSON.stringify(begun[0])}`);
  if (foreign.length > 0) problems.push(`wrong: the old owner wrote ${foreign.length} batches after the take-over`);
  const verdict = await judge(book, place, { isLate: ({ pid, row }) => pid === oldPid && late.has(row) });
  return {
    takenMs,
    acknowledged: acknowledged(book),
    late: late.size,
    foreign: foreign.length,
    begun: begun.length,
    problems: [...problems, ...problemsOf(verdict)],
  };
}
