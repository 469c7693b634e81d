// The judge must see what it is there to see: each planted breach is found, and a sound world passes.

import { describe, expect, it } from "vitest";
import { createBook, type Book } from "./book.ts";
import type { World } from "./judge/world.ts";
import { findLost, findUnknownEffects } from "./judge/acknowledged.ts";
import { findUntold } from "./judge/commits.ts";
import { findRepeated, findUncalled } from "./judge/effects.ts";
import { findMisled, findStuck } from "./judge/ends.ts";
import { findMisjoined } from "./judge/joins.ts";
import type { LedgerLine } from "./ledger.ts";
import { findForeign } from "./postgres/audit.ts";
import type { RunRecord, StepRecord } from "./rows.ts";

const run: RunRecord = {
  id: 1,
  uid: "1-u",
  name: "chain",
  status: "completed",
  terminalKind: "success",
  startKey: "t-0",
  input: '{"n":0}',
  output: "0",
  attention: null,
};

const step: StepRecord = {
  id: 2,
  run: 1,
  step: "start",
  role: "step",
  status: "done",
  visit: 1,
  item: null,
  attempt: 1,
  causedBy: null,
  via: "start",
  tool: "work",
  outcome: "success",
  createdAt: 4,
  startedAt: 5,
  completedAt: 7,
  finishedNo: 1,
  isLive: false,
  serves: null,
  isHeld: false,
};

const line: LedgerLine = { key: "1-u:start:1", run: 1, row: 2, attempt: 1, tool: "work", pid: 1, calledAt: 5, at: 6 };

function bookOf(change: (book: Book) => void = () => {}): Book {
  const book = createBook(["chain"], "t");
  for (const order of book.orders) order.run = 1;
  change(book);
  return book;
}

type Change = {
  readonly runs?: readonly RunRecord[];
  readonly steps?: readonly StepRecord[];
  readonly lines?: readonly LedgerLine[];
  readonly book?: Book;
  readonly commits?: World["commits"];
};

function worldOf({ runs = [run], steps = [step], lines = [line], book = bookOf(), commits }: Change = {}): World {
  const told = [
    ...runs.map(({ id, status }) => [id, null, status]),
    ...steps.map((row) => [row.run, row.id, row.status]),
  ];
  return {
    book,
    lines,
    isLate: () => false,
    runs: new Map(runs.map((record) => [record.id, record])),
    steps: new Map(steps.map((record) => [record.id, record])),
    commits: commits ?? [{ no: 1, changes: told }],
  };
}

function judgeAll(world: World): readonly string[] {
  return [
    ...findLost(world, false),
    ...findUnknownEffects(world),
    ...findRepeated(world),
    ...findUncalled(world),
    ...findMisjoined(world, false),
    ...findStuck(world),
    ...findMisled(world),
    ...findUntold(world),
  ];
}

describe("the judge of the crash harness", () => {
  it("finds nothing in a sound world", () => {
    expect(judgeAll(worldOf())).toEqual([]);
  });

  it("misses a run that was acknowledged", () => {
    expect(findLost(worldOf({ runs: [], steps: [] }), false)).toEqual([
      "run 1 (chain, t-0) was acknowledged and is not there",
    ]);
  });

  it("sees one key with two runs", () => {
    expect(findLost(worldOf({ runs: [run, { ...run, id: 9 }] }), false)).toEqual(["t-0 was started 2 times"]);
  });

  it("misses an approval that was acknowledged", () => {
    const book = bookOf(({ approved }) => approved.add(2));
    const gate = { ...step, status: "pending", outcome: null };
    expect(findLost(worldOf({ book, steps: [gate] }), false)).toEqual(["the approval of 2 was acknowledged"]);
  });

  it("misses a cancel that was acknowledged", () => {
    const book = createBook(["cancel"], "t");
    for (const order of book.orders) Object.assign(order, { run: 1, isNudged: true });
    const found = findLost(worldOf({ book, runs: [{ ...run, name: "cancel", status: "completed" }] }), false);
    expect(found).toEqual(["the cancel of run 1 was acknowledged"]);
  });

  it("sees a call that was made before its row was on disk", () => {
    expect(findUnknownEffects(worldOf({ steps: [] }))).toEqual([
      "work was called for row 2 (1-u:start:1), which is not on disk",
    ]);
    expect(findUnknownEffects(worldOf({ steps: [{ ...step, startedAt: null }] }))).toHaveLength(1);
  });

  it("sees one call with two effects, and a payment that was made twice", () => {
    expect(findRepeated(worldOf({ lines: [line, line] }))).toEqual(["row 2 was called once and had 2 effects"]);
    const again = { ...step, id: 3, via: "interrupted", tool: "pay" };
    const paid = [
      { ...line, tool: "pay" },
      { ...line, tool: "pay", row: 3 },
    ];
    expect(findRepeated(worldOf({ steps: [step, again], lines: paid }))).toEqual(["1-u:start:1 was paid 2 times"]);
  });

  it("sees another key for another try", () => {
    expect(findRepeated(worldOf({ lines: [{ ...line, key: "1-u:start:1:2" }] }))).toEqual([
      "row 2 was called under the key 1-u:start:1:2, not 1-u:start:1",
    ]);
  });

  it("sees a step that is done and was never called", () => {
    expect(findUncalled(worldOf({ lines: [] }))).toEqual(["row 2 (1-u:start:1) is done and work was never called"]);
  });

  it("sees a fork that was joined twice, and one that was not joined", () => {
    const join = { ...step, id: 3, via: "join", causedBy: 2 };
    expect(findMisjoined(worldOf({ steps: [step, join, { ...join, id: 4 }] }), false)).toEqual([
      "fork 2 was joined 2 times",
    ]);
    expect(findMisjoined(worldOf({ runs: [{ ...run, name: "join" }] }), false)).toEqual([
      "run 1 (join) ended with 0 joins",
    ]);
  });

  it("sees runs that never end, and orders that nobody acknowledged", () => {
    expect(findStuck(worldOf({ runs: [{ ...run, status: "running", terminalKind: null }] }))).toHaveLength(1);
    expect(findStuck(worldOf({ book: createBook(["chain"], "t") }))).toEqual(["t-0 (chain) was never acknowledged"]);
  });

  it("sees a run that ended otherwise than its flow says, or left something behind", () => {
    expect(findMisled(worldOf({ runs: [{ ...run, output: "7" }] }))).toEqual(["run 1 (chain) gave 7"]);
    const failed = { ...run, status: "failed", terminalKind: "failure" };
    expect(findMisled(worldOf({ runs: [failed] }))).toEqual(["run 1 (chain) is failed, not completed"]);
    expect(findMisled(worldOf({ steps: [{ ...step, status: "running", isLive: true }] }))).toHaveLength(1);
  });

  it("sees a step that was not undone", () => {
    const undone = { ...run, name: "undo", status: "failed", terminalKind: "failure", output: null };
    expect(findMisled(worldOf({ runs: [undone] }))).toEqual(["run 1 (undo): 2 was to be undone,  was"]);
  });

  it("sees a sleep that was too short", () => {
    const slept = { ...step, id: 3, step: "sleep", tool: null, createdAt: 0, completedAt: 149 };
    const timer = { ...run, name: "timer" };
    expect(findMisled(worldOf({ runs: [timer], steps: [step, slept] }))).toEqual([
      "run 1 (timer): slept 149 ms of 150",
    ]);
    expect(findMisled(worldOf({ runs: [timer], steps: [step, { ...slept, completedAt: 150 }] }))).toEqual([]);
  });

  it("sees a batch of a session that was no longer the owner's", () => {
    const claims = [
      { no: 1, at: 1, session: 70, epoch: "a", pid: 7 },
      { no: 2, at: 5, session: 80, epoch: "b", pid: 8 },
    ];
    const batch = { no: 1, at: 2, session: 70, claim: 1 };
    expect(findForeign(claims, [batch])).toEqual([]);
    expect(findForeign(claims, [batch, { ...batch, no: 2, at: 6, claim: 2 }])).toEqual([
      "batch 2 was written by session 70, the store was of session 80",
    ]);
  });

  it("leaves out of payments what came too late to be called back, and nothing else", () => {
    const again = { ...step, id: 3, via: "interrupted", tool: "pay" };
    const paid = [
      { ...line, tool: "pay", pid: 2 },
      { ...line, tool: "pay", row: 3 },
    ];
    const world = { ...worldOf({ steps: [step, again], lines: paid }), isLate: ({ pid }: LedgerLine) => pid === 2 };
    expect(findRepeated(world)).toEqual([]);
    expect(findRepeated({ ...world, lines: [...paid, { ...line, tool: "pay", row: 3 }] })).toHaveLength(2);
  });

  it("sees a gap in the commits, and a status that they do not tell", () => {
    const [first] = worldOf().commits;
    const changes = first?.changes ?? [];
    expect(
      findUntold(
        worldOf({
          commits: [
            { no: 1, changes },
            { no: 3, changes },
          ],
        }),
      ),
    ).toEqual(["commit 3 follows 1"]);
    expect(findUntold(worldOf({ commits: [{ no: 1, changes: [[1, null, "completed"]] }] }))).toEqual([
      "row 2 is done, the commits say nothing",
    ]);
  });
});
