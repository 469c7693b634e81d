import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../flow/json.ts";
import type { Row, RunRow } from "../../run/model.ts";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { makeRow, makeRun, newRun } from "../conformance/subject.ts";
import type { RowWrite } from "../store.ts";
import { createQueries } from "./queries.ts";
import { bringRows } from "./reader.ts";

let place: PostgresPlace;

beforeAll(async () => {
  place = await createPostgresPlace({ durability: "fast" });
});

beforeEach(async () => {
  await place.clear();
});

afterAll(async () => {
  await place[Symbol.asyncDispose]();
});

const runId = 7;
const uid = "u-7";

/** What texts of this server, of its arrays and of JSON have their own ideas about. */
const hostile = fc.constantFrom(
  ..."|null|NULL|{}|{\"a\"}|{,}|}{|a,b|\"|\\|\\\\|\\N|'|''|$1|--|/*|;|%|_|\\u0000|\\x00|🙂|e\u0301".split("|"),
  ...Array.from(" \t\r\n\u0001\u007f\u2028\ufeff\uffff"),
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: "binary" }).filter((value) => value.isWellFormed() && !value.includes("\0")),
);
/** In JSON also what no text can hold: NUL, and half a pair. */
const jsonText = fc.oneof(text, fc.constantFrom("\0", "a\0b", "\ud800", "x\udfffy"));
/** Keys that need no escape: V8 takes one such key for another that it has read before (nodejs/node#63785). */
const plainKey = text.filter((value) => JSON.stringify(value) === `"${value}"`);
const json: fc.Arbitrary<Json> = fc.oneof(
  fc
    .jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom("a", "é", "🙂", "'", "{", "}", ",", "$") })
    .map((value) => JSON.parse(JSON.stringify(value)) as Json),
  fc.array(jsonText, { maxLength: 3 }),
  fc.dictionary(plainKey, jsonText, { noNullPrototype: true, maxKeys: 3 }),
  fc.constantFrom<Json>(1e300, -0.1, 2 ** 53, 5e-324, "\u{10ffff}", [], {}),
  { arbitrary: fc.constantFrom<Json>("long ".repeat(20_000), `${'\\"{},'.repeat(20_000)}🙂`), weight: 1 },
);
const instant = fc.integer({ min: 0, max: 2 ** 45 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const failure = fc.record({ code: jsonText, message: jsonText });

/** All that is a column of its own, or that goes into `more`; a call as most of them are among them. */
const anyRow: fc.Arbitrary<Row> = fc
  .record(
    {
      step: text,
      name: text,
      status: fc.constantFrom("pending", "ready", "running", "done", "failed", "skipped", "cancelled", "uncertain"),
      visit: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      index: maybe(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
      attempt: fc.integer({ min: 1, max: 9 }),
      scope: fc.constantFrom("", "12:0", "12:0/45:1", "12:0/50:side"),
      causedBy: maybe(instant),
      via: text,
      tool: maybe(text),
      args: json,
      key: maybe(text),
      token: maybe(fc.constantFrom("5.e1", "5.", "6.e1", 'odd"\\')),
      result: json,
      errors: json,
      outcome: maybe(text),
      error: maybe(failure),
      warnings: fc.array(jsonText, { maxLength: 2 }),
      alarms: fc.array(fc.record({ kind: fc.constantFrom("retry", "timeout", "after:x"), at: instant }), {
        maxLength: 2,
      }),
      readyAt: maybe(instant),
      completedAt: maybe(instant),
      finishedNo: maybe(fc.nat(2 ** 31 - 1)),
      arrived: fc.boolean(),
      ended: maybe(fc.record({ output: json })),
      isUndoable: fc.boolean(),
      childRun: maybe(instant),
      serves: maybe(instant),
    },
    { requiredKeys: [] },
  )
  .map((fields) => makeRow(5, fields));

function writeOf(row: Row, before: Row | null): RowWrite {
  return { run: runId, uid, row, before };
}

async function write(rows: readonly RowWrite[]): Promise<void> {
  expect(await place.write({ rows })).toMatchObject({ kind: "committed" });
}

async function begin(): Promise<void> {
  await place.clear();
  await place.write({ runs: [newRun(makeRun(runId, { uid }))] });
}

describe("a row", () => {
  it("comes back as it was written and changed, whatever it is", async () => {
    const changed = fc.array(anyRow, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(anyRow, changed, async (first, others) => {
        await begin();
        await write([writeOf(first, null)]);
        const need = [{ kind: "row", row: 5 }] as const;
        expect(await bringRows(place.pool, runId, need)).toEqual([[first]]);
        let row = first;
        for (const other of others) {
          // What is not changed is the same value, as the kernel leaves it.
          const next = { ...row, ...other, args: row.args, version: row.version + 1 };
          await write([writeOf(next, row)]);
          row = next;
        }
        expect(await bringRows(place.pool, runId, need)).toEqual([[row]]);
        const isLong = [row.args, row.result].filter((value) => JSON.stringify(value).length > 65_536).length;
        expect(await place.session.query("select count(*) from blobs")).toEqual([[isLong]]);
      }),
      { numRuns: 80 },
    );
  });

  it("comes back from among many that were written with it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 2, maxLength: 20 }), async (made) => {
        await begin();
        const rows = made.map((row, index) => ({ ...row, id: 100 + index }));
        await write(rows.map((row) => writeOf(row, null)));
        expect(await createQueries(place.pool).listRows(runId)).toEqual(rows);
      }),
      { numRuns: 20 },
    );
  });
});

const anyRun: fc.Arbitrary<RunRow> = fc
  .record(
    {
      uid: text,
      name: text,
      input: fc.dictionary(plainKey, json, { noNullPrototype: true, maxKeys: 3 }),
      createdBy: text,
      createdVia: maybe(text),
      createdAt: instant,
      cancelledAt: maybe(instant),
      terminalKind: maybe(fc.constantFrom("success", "failure", "cancel")),
      output: json,
      error: maybe(failure),
      attention: maybe(fc.record({ code: jsonText, row: maybe(instant), value: json })),
      alarms: fc.array(fc.record({ kind: fc.constantFrom("start", "run_timeout"), at: instant }), { maxLength: 2 }),
      parent: maybe(fc.record({ run: instant, row: instant, depth: fc.nat(9) })),
      data: maybe(fc.dictionary(plainKey, json, { noNullPrototype: true, maxKeys: 3 })),
      seen: fc.array(jsonText, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((fields) => makeRun(8, fields));

describe("a run's own row", () => {
  it("comes back as it was written and changed", async () => {
    const { findRun, findRunByKey } = createQueries(place.pool);
    await fc.assert(
      fc.asyncProperty(anyRun, anyRun, text, async (first, other, startKey) => {
        await place.clear();
        await place.write({ runs: [{ run: first, flow: "f", startKey, isNew: true }] });
        expect((await findRunByKey(startKey))?.run).toEqual(first);
        const { uid: own, name, input, createdBy, createdVia, createdAt, parent, origin } = first;
        const fixed = { uid: own, name, input, createdBy, createdVia, createdAt, parent, origin };
        const second: RunRow = { ...other, ...fixed, version: first.version + 1, status: "failed", completedAt: 5 };
        const change = { run: second, flow: "f", startKey: null, isNew: false };
        expect(await place.write({ runs: [change] })).toMatchObject({ kind: "committed" });
        expect(await findRun(8)).toEqual({ run: second, flow: "f", updatedAt: 1, startKey });
      }),
      { numRuns: 20 },
    );
  });
});

describe("flows, entries, events, signals and visits", () => {
  it("come back as they were written", async () => {
    const { findFlow, findEntry, listEntries, listEvents } = createQueries(place.pool);
    let version = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: text, value: json }), { minLength: 1, maxLength: 4 }),
        async (made) => {
          await begin();
          version += 1;
          const values = [...new Map(made.map((one) => [one.key, one])).values()];
          const events = values.map(({ key, value }) => ({
            run: runId,
            event: { id: key, kind: key, at: 1, row: null, by: key, data: value },
          }));
          // Null in the place of a value would take it away.
          const entries = values.map(({ key, value }) => ({
            kind: `k${version}`,
            key,
            version,
            updatedAt: 3,
            value: { value },
          }));
          const flows = values.map(({ key, value }) => ({
            hash: `${version} ${key}`,
            name: key,
            source: value,
            createdAt: 4,
          }));
          const signals = [
            { run: runId, signals: values.map(({ key, value }) => ({ id: key, name: key, data: value })) },
          ];
          const visits = values.map(({ key }) => ({ run: runId, step: key, count: { all: 2, sinceRest: 1, rest: 0 } }));
          const committed = await place.write({ events, entries, flows, signals, visits });
          expect(committed).toMatchObject({ kind: "committed" });
          expect(await listEvents(runId)).toEqual(events.map(({ event }) => event));
          for (const entry of entries) expect(await findEntry(entry.kind, entry.key)).toEqual(entry);
          const keys = (await listEntries(`k${version}`)).map(({ key }) => Buffer.from(key).toString("hex"));
          expect(keys).toEqual(entries.map(({ key }) => Buffer.from(key).toString("hex")).toSorted());
          for (const flow of flows) expect(await findFlow(flow.hash)).toEqual(flow);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("a text with a NUL in it", () => {
  it("is nowhere to be found, and no reason to stop", async () => {
    const queries = createQueries(place.pool);
    const found = await Promise.all([
      queries.findFlow("a\0b"),
      queries.findRunByKey("\0"),
      queries.findEntry("k", "\0"),
      queries.findRun(Number.NaN),
    ]);
    expect(found).toEqual([undefined, undefined, undefined, undefined]);
    expect(await queries.listEntries("\0")).toEqual([]);
    expect(await queries.listRuns({ status: "all", name: "\0", limitMax: 5 })).toEqual([]);
    expect(await queries.listRuns({ status: "all", createdBy: "\0", limitMax: 5 })).toEqual([]);
  });

  it("is refused as a whole batch when it would be written, and the next one is not", async () => {
    const bad = makeRun(9, { name: "a\0b" });
    expect(await place.write({ runs: [newRun(bad)] })).toMatchObject({ kind: "refused", reason: "constraint" });
  });
});
