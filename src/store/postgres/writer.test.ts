import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import {
  changedRow,
  changedRun,
  endRun,
  finishRow,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  uidOf,
} from "../conformance/subject.ts";
import { emptyWrites, type Batch, type Committed } from "../store.ts";
import type { Statement } from "./session.ts";
import { createWriter, type Writer } from "./writer.ts";

let place: PostgresPlace;
let writer: Writer;

beforeAll(async () => {
  place = await createPostgresPlace({ durability: "fast" });
  writer = createWriter(place.session, "e1");
});

beforeEach(async () => {
  await place.clear();
});

afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

async function ask(text: string): Promise<readonly (readonly unknown[])[]> {
  return place.session.query(text);
}

async function lastCommit(): Promise<number> {
  return Number((await ask("select max(no) from commits"))[0]?.[0] ?? 0);
}

async function hand(no: number, batch: Partial<Batch>): Promise<Committed> {
  return writer.write({ ...emptyWrites, no, at: 1, lastId: 0, ...batch });
}

async function write(batch: Partial<Batch>): Promise<void> {
  const no = (await lastCommit()) + 1;
  expect(await hand(no, batch)).toEqual({ kind: "committed", no });
}

/** A call as the engine makes it: nothing special about it. */
function plainRow(id: number, run: number): ReturnType<typeof makeRow> {
  const alarms = [{ kind: "timeout", at: 9000 }] as const;
  return makeRow(id, { key: `${uidOf(run)}:start:1`, token: `${id}.e1`, alarms });
}

/** `count` runs that go one step further. */
function stepsOf(count: number): Pick<Batch, "rows"> {
  return {
    rows: Array.from({ length: count }, (_, index) => {
      const [run, before] = [index + 1, plainRow(1000 + index, index + 1)];
      const next = {
        ...plainRow(5000 + index, run),
        causedBy: before.id,
        previous: { kind: "row", row: before.id } as const,
      };
      return [changedRow(run, finishRow(before, { alarms: [] }), before), newRow(run, next)];
    }).flat(),
  };
}

describe("a batch", () => {
  it("is as many statements as it has kinds of changes, however many changes it has", async () => {
    const sent: (readonly Statement[])[] = [];
    const recorder = createWriter({ write: async (statements) => void sent.push(statements) }, "e1");
    for (const count of [1, 500]) await recorder.write({ ...emptyWrites, no: 1, at: 1, lastId: 0, ...stepsOf(count) });
    const names = ["commit", "finished", "started"];
    expect(sent.map((statements) => statements.map(({ name }) => name))).toEqual([names, names]);
  });

  it("sends a column that is the same in every row as one value", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => newRow(10, plainRow(100 + index, 10)));
    await write({ runs: [newRun(makeRun(10))], rows });
    expect(await ask("select count(*), count(distinct id), min(tool), max(epoch), sum(version) from steps")).toEqual([
      [50, 50, "log", "e1", 50],
    ]);
  });

  it("leaves texts alone that are as they were", async () => {
    const row = makeRow(11, { args: { a: "x".repeat(100_000) }, result: { b: 1 } });
    await write({ runs: [newRun(makeRun(10))], rows: [newRow(10, row), newRow(10, makeRow(12))] });
    const later = { ...row, version: 2, via: "later", error: null };
    const other = { ...makeRow(12), version: 2, args: { now: true } };
    await write({ rows: [changedRow(10, later, row), changedRow(10, other, makeRow(12))] });
    expect(await ask("select id, via, args, result, version from steps order by id")).toEqual([
      [11, "later", "", '{"b":1}', 2],
      [12, "start", '{"now":true}', null, 2],
    ]);
    expect(await ask("select length(body) from blobs")).toEqual([[100_008]]);
  });

  it("gives a sub-run the part of its root, whether that is there already or comes along", async () => {
    const child = (id: number, parent: number): ReturnType<typeof newRun> =>
      newRun(makeRun(id, { parent: { run: parent, row: 1, depth: 1 } }));
    await write({ runs: [newRun(makeRun(65)), newRun(makeRun(70))] });
    await write({
      runs: [child(200, 65), child(201, 200), newRun(makeRun(130)), child(131, 130), child(132, 131)],
    });
    expect(await ask("select id, partition from runs order by id")).toEqual([
      [65, 1],
      [70, 6],
      [130, 2],
      [131, 2],
      [132, 2],
      [200, 1],
      [201, 1],
    ]);
  });

  it("writes events in their order", async () => {
    const events = ["b", "a", "c"].map((id) => ({
      run: 10,
      event: { id, kind: "k", at: 1, row: null, by: null, data: {} },
    }));
    await write({ events });
    expect(await ask("select id from events order by no")).toEqual([["b"], ["a"], ["c"]]);
  });

  it("takes ended runs away with all that is theirs, and no others", async () => {
    const ended = makeRun(10);
    const long = makeRow(11, { args: "x".repeat(70_000) });
    const signals = [{ id: "s", name: "s", data: 1 }];
    await write({
      runs: [newRun(ended), newRun(makeRun(20))],
      rows: [newRow(10, long), newRow(20, makeRow(21))],
      visits: [{ run: 10, step: "a", count: { all: 2, sinceRest: 2, rest: 0 } }],
      signals: [
        { run: 10, signals },
        { run: 20, signals },
      ],
    });
    await write({ runs: [changedRun(endRun(ended))] });
    await write({ pruned: [10, 20, 30] });
    expect(await ask("select id from runs")).toEqual([[20]]);
    expect(await ask("select id from steps")).toEqual([[21]]);
    expect(await ask("select run_id from signals union all select run_id from visits")).toEqual([[20]]);
    expect(await ask("select count(*) from blobs")).toEqual([[0]]);
  });
});

describe("what cannot be written", () => {
  const refusals: readonly (readonly [string, Partial<Batch>])[] = [
    ["a NUL in a text", { rows: [newRow(10, makeRow(11, { via: "a\0b" }))] }],
    ["a NUL in one of several texts", { rows: [newRow(10, makeRow(11, { via: "a\0b" })), newRow(10, makeRow(12))] }],
    ["half a number", { rows: [newRow(10, makeRow(11, { visit: 1.5 }))] }],
    ["more than a column holds", { rows: [newRow(10, makeRow(11, { visit: 2 ** 40 }))] }],
    ["more than an index holds", { runs: [newRun(makeRun(20, { createdBy: randomText(9000) }))] }],
    ["a row that is there", { rows: [newRow(10, makeRow(1))] }],
    ["a status that there is not", { rows: [newRow(10, makeRow(11, { status: "odd" as never }))] }],
    ["a source that is no JSON", { flows: [{ ...flow, source: undefined as never }] }],
  ];

  it.each(refusals)("is refused as a whole: %s", async (_, batch) => {
    await write({ runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(1))] });
    const last = await lastCommit();
    const entries = [{ kind: "k", key: String(last), version: 1, updatedAt: 1, value: 1 }];
    const before = await ask("select count(*) from entries");
    const refused = hand(last + 1, { entries, ...batch });
    const behind = hand(last + 2, { entries });
    expect(await refused).toMatchObject({ kind: "refused", reason: "constraint" });
    expect(await behind).toMatchObject({ kind: "refused", reason: "behind" });
    expect(await ask("select count(*) from entries")).toEqual(before);
    expect(await lastCommit()).toBe(last);
  });

  it.each([
    [
      "a row of another version",
      { rows: [changedRow(10, finishRow({ ...makeRow(11), version: 7 }), { ...makeRow(11), version: 7 })] },
    ],
    ["a call of another version", stale(3)],
    ["a row that is gone", { rows: [changedRow(10, finishRow(makeRow(99)), makeRow(99))] }],
    ["a run that is newer", { runs: [changedRun(endRun(makeRun(10), { version: 1 }))] }],
    ["a run that is gone", { runs: [changedRun(endRun(makeRun(99)))] }],
  ] satisfies readonly (readonly [string, Partial<Batch>])[])("is stale: %s", async (_, batch) => {
    const rows = [makeRow(11), plainRow(12, 10), plainRow(13, 10)].map((row) => newRow(10, row));
    await write({ runs: [newRun(makeRun(10))], rows });
    const last = await lastCommit();
    expect(await hand(last + 1, batch)).toMatchObject({ kind: "refused", reason: "stale" });
    expect(await ask("select count(*) from steps where status = 'running'")).toEqual([[3]]);
    expect(await lastCommit()).toBe(last);
  });
});

describe("a writer of another epoch", () => {
  it("changes nothing, and does not say that it did", async () => {
    const last = await lastCommit();
    const late = createWriter(place.session, "e0");
    expect(await late.write({ ...emptyWrites, no: last + 1, at: 1, lastId: 0, runs: [newRun(makeRun(10))] })).toEqual({
      kind: "unknown",
      message: "Another process has taken the store.",
    });
    expect(await lastCommit()).toBe(last);
    expect(await ask("select count(*) from runs")).toEqual([[0]]);
  });
});

/** One call of two that has ended as it should, and one that is not in this version. */
function stale(version: number): Partial<Batch> {
  const good = plainRow(12, 10);
  const bad = { ...plainRow(13, 10), version };
  return {
    rows: [good, bad].map((row) => changedRow(10, finishRow(row, { alarms: [] }), row)),
  };
}

/** Which no compression makes short. */
function randomText(length: number): string {
  let [text, state] = ["", 1];
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += state.toString(36);
  }
  return text;
}
