import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../flow/json.ts";
import type { Alarm, Row, RunRow } from "../../run/model.ts";
import { emptyWrites, type Batch, type RowWrite, type RunWrite } from "../store.ts";
import { flattenBatch, widths } from "../columns/batch.ts";
import { changesOf } from "../columns/commit.ts";
import { listMigrations } from "./migrate.ts";
import { bringRows } from "./reader.ts";
import { decodeRun, runColumns } from "../columns/run.ts";
import { createStatements, writeFlat, type Statements } from "./writer.ts";

// JSON has one zero only.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const object = fc.dictionary(fc.string(), json, { noNullPrototype: true, maxKeys: 3 });
const long = fc.constant("long ".repeat(20_000));
const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
const id = fc.integer({ min: 1, max: 2 ** 45 });
const instant = fc.integer({ min: 0, max: 2 ** 45 });
const small = fc.integer({ min: 0, max: 5 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const failure = fc.record({ code: text, message: text });
const alarm: fc.Arbitrary<Alarm> = fc.record({
  kind: fc.constantFrom("start", "run_timeout", "retry", "sleep", "timeout", "remind", "expire", "after:x"),
  at: instant,
});
const scope = fc.constantFrom("", "12:0", "12:0/45:1", "12:0/50:side");

/** Any row of run 7, whose uid is `u-7`; the usual key and token among others. */
const anyRow: fc.Arbitrary<Row> = fc
  .record({
    step: fc.constantFrom("a", "b c"),
    name: fc.constantFrom("a", "Übung"),
    role: fc.constantFrom("step", "items", "item", "probe", "notify", "undo"),
    status: fc.constantFrom("pending", "ready", "running", "done", "failed", "skipped", "cancelled", "uncertain"),
    version: fc.integer({ min: 1, max: 9 }),
    visit: fc.integer({ min: 1, max: 3 }),
    index: maybe(small),
    attempt: fc.integer({ min: 1, max: 3 }),
    interruptions: fc.constantFrom(0, 2),
    scope,
    side: maybe(fc.constantFrom("escalation", "cleanup")),
    causedBy: maybe(fc.constantFrom(3, 4)),
    via: fc.constantFrom("next", "route:x"),
    previous: fc.oneof(
      fc.constant({ kind: "input" } as const),
      fc.record({ kind: fc.constantFrom("row", "error"), row: fc.constantFrom(3, 4) }),
      fc.record({ kind: fc.constant("arrivals"), fork: fc.constantFrom(3, 4) }),
    ),
    tool: maybe(text),
    args: fc.oneof(json, { arbitrary: long, weight: 1 }),
    secrets: fc.array(fc.record({ pointer: text, offset: small, length: small, name: text }), { maxLength: 1 }),
    key: maybe(fc.constantFrom("u-7:a:1", "u-7:a:1:2", "own")),
    token: maybe(fc.constantFrom("5.e1", "5.", "6.e1", "odd")),
    result: fc.oneof(json, { arbitrary: long, weight: 1 }),
    handle: json,
    errors: json,
    outcome: maybe(text),
    error: maybe(failure),
    warnings: fc.array(text, { maxLength: 1 }),
    alarms: fc.array(alarm, { maxLength: 2 }),
    createdAt: instant,
    readyAt: maybe(instant),
    startedAt: maybe(instant),
    completedAt: maybe(instant),
    finishedNo: maybe(small),
    arrived: fc.boolean(),
    ended: maybe(fc.record({ output: json })),
    mayHaveHappened: fc.boolean(),
    isHeld: fc.boolean(),
    isUndoable: fc.boolean(),
    childRun: maybe(id),
    childFlow: maybe(text),
    serves: maybe(id),
    copiedFrom: maybe(id),
  })
  .chain((row) =>
    fc
      .record({
        open: maybe(fc.record({ kind: fc.constant("fork"), open: small, arrived: small })),
        gate: maybe(
          fc.record({
            title: maybe(text),
            message: maybe(text),
            hash: text,
            answers: fc.constant([]),
            reminders: small,
          }),
        ),
        firing: maybe(
          fc.record({
            transition: text,
            by: maybe(text),
            reason: maybe(text),
            data: object,
            alarms: fc.array(alarm, { maxLength: 1 }),
          }),
        ),
      })
      .map((parts): Row => ({ id: 5, ...row, ...parts })),
  );

/** A call as nearly all of them are. */
const plainCall = fc.record({ args: json, version: fc.constantFrom(1, 2), tool: text }).map((call): Row => ({
  ...call,
  id: 5,
  step: "a",
  name: "a",
  role: "step",
  status: "running",
  visit: 1,
  index: null,
  attempt: 1,
  interruptions: 0,
  scope: "12:0",
  side: null,
  causedBy: 3,
  via: "next",
  previous: { kind: "row", row: 3 },
  secrets: [],
  key: "u-7:a:1",
  token: "5.e1",
  handle: null,
  result: null,
  errors: null,
  outcome: null,
  error: null,
  warnings: [],
  alarms: [{ kind: "timeout", at: 20 }],
  createdAt: 9,
  readyAt: 9,
  startedAt: 9,
  completedAt: null,
  finishedNo: null,
  open: null,
  arrived: false,
  ended: null,
  mayHaveHappened: false,
  isHeld: false,
  isUndoable: false,
  childRun: null,
  childFlow: null,
  gate: null,
  firing: null,
  serves: null,
  copiedFrom: null,
}));

/** The same of an item: its list led to it, and what came before is what came before its each. */
const plainItem = fc
  .tuple(plainCall, fc.constantFrom({ kind: "input" }, { kind: "row", row: 3 }, { kind: "row", row: 4 } as const))
  .map(([call, previous]): Row => ({
    ...call,
    role: "item",
    index: 2,
    key: "u-7:a:1:2",
    causedBy: 4,
    via: "item",
    previous,
    serves: 6,
  }));

/** It ends well, and perhaps something else about it changes as well. */
const finished = fc
  .record({
    result: fc.oneof(json, long),
    outcome: text,
    completedAt: instant,
    finishedNo: maybe(small),
    arrived: fc.boolean(),
  })
  .map((change) => (row: Row): Row => ({
    ...row,
    ...change,
    status: "done",
    version: row.version + 1,
    token: null,
    alarms: [],
    warnings: [...row.warnings],
    ended: change.arrived ? { output: change.result } : null,
  }));

const changed = fc.tuple(anyRow, fc.array(fc.nat(100), { maxLength: 5 })).map(([other, picks]) => (row: Row): Row => {
  const fields = Object.keys(other) as (keyof Row)[];
  const chosen = picks.map((pick) => fields[pick % fields.length] ?? "step").filter((field) => field !== "id");
  return { ...row, ...Object.fromEntries(chosen.map((field) => [field, other[field]])) };
});

class Memory {
  readonly database: DatabaseSync = new DatabaseSync(":memory:");
  readonly #statements: Statements;
  #no = 0;

  constructor() {
    for (const { text: migration } of listMigrations()) this.database.exec(migration);
    this.#statements = createStatements(this.database);
    this.database.exec(
      "insert into runs values (7, 'u-7', '', '', 'running', 1, 0, '{}', '', null, 0, null, null, null, null, null, null, null, null, null, 0, 0, null)",
    );
  }

  write(rows: readonly RowWrite[], runs: readonly RunWrite[] = []): void {
    this.#no += 1;
    const batch: Batch = { ...emptyWrites, no: this.#no, at: 1, lastId: 0, runs, rows };
    const committed = writeFlat(this.database, this.#statements, flattenBatch(batch));
    if (committed.kind !== "committed") throw new Error(committed.message);
  }

  clear(): void {
    this.database.exec("delete from steps; delete from blobs; delete from runs where id <> 7");
  }
}

function writeOf(row: Row, before: Row | null): RowWrite {
  return { run: 7, uid: "u-7", row, before };
}

describe("a call that begins", () => {
  it.each([
    ["step", plainCall, "started"],
    ["item", plainItem, "startedItems"],
  ] as const)("for a %s is written in a few columns, and whoever follows is told", (_, rows, list) => {
    fc.assert(
      fc.property(rows, (row) => {
        const flat = flattenBatch({ ...emptyWrites, no: 1, at: 1, lastId: 0, rows: [writeOf(row, null)] });
        expect([flat.newRows, flat[list].slice(0, 2)]).toEqual([[], [5, 7]]);
        expect(changesOf(flat)).toBe('[[7,5,"running"]]');
      }),
      { numRuns: 20 },
    );
  });

  it("for an item of which there is more to say is written in all of them", () => {
    fc.assert(
      fc.property(plainItem, (row) => {
        const rows = [{ childFlow: "f" }, { attempt: 2 }, { serves: null }, { key: "own" }, { token: "odd" }].map(
          (more) => writeOf({ ...row, ...more }, null),
        );
        const { startedItems, newRows } = flattenBatch({ ...emptyWrites, no: 1, at: 1, lastId: 0, rows });
        expect([startedItems, newRows.length]).toEqual([[], rows.length * widths.newRows]);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a row", () => {
  it("comes back as it was written, whatever it is", () => {
    const memory = new Memory();
    fc.assert(
      fc.property(fc.oneof(anyRow, plainCall, plainItem), (row) => {
        memory.clear();
        memory.write([writeOf(row, null)]);
        expect(bringRows(memory.database, 7, [{ kind: "row", row: 5 }])).toEqual([[row]]);
      }),
      { numRuns: 500 },
    );
  });

  it("comes back as it was changed, whatever has changed", () => {
    const memory = new Memory();
    const changes = fc.array(fc.oneof(finished, changed), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.oneof(anyRow, plainCall, plainItem), changes, (first, all) => {
        memory.clear();
        memory.write([writeOf(first, null)]);
        let row = first;
        for (const change of all) {
          const next = change(row);
          memory.write([writeOf(next, row)]);
          row = next;
        }
        expect(bringRows(memory.database, 7, [{ kind: "row", row: 5 }])).toEqual([[row]]);
        const isLong = [row.args, row.result].filter((value) => JSON.stringify(value).length > 65_536).length;
        expect(memory.database.prepare("select count(*) as count from blobs").get()).toEqual({ count: isLong });
      }),
      { numRuns: 500 },
    );
  });
});

const anyRun: fc.Arbitrary<RunRow> = fc
  .record({
    uid: text,
    name: text,
    version: small.map((version) => version + 1),
    input: object,
    createdBy: text,
    createdVia: maybe(text),
    createdAt: instant,
    startedAt: maybe(instant),
    cancelledAt: maybe(instant),
    terminalKind: maybe(fc.constantFrom("success", "failure", "cancel")),
    output: json,
    error: maybe(failure),
    attention: maybe(fc.record({ code: text, row: maybe(id), value: json })),
    alarms: fc.array(alarm, { maxLength: 2 }),
    restCount: small,
    endedCount: small,
    parent: maybe(fc.record({ run: id, row: id, depth: small })),
    origin: maybe(fc.record({ kind: fc.constantFrom("retry", "rerun", "fork"), run: id, uid: text })),
    data: maybe(object),
    seen: fc.array(text, { maxLength: 2 }),
  })
  .map((run): RunRow => ({
    ...run,

    id: 8,
    live: 0,
    rowCount: 0,
    finishedCount: 0,
    status: "running",
    completedAt: null,
    keys: null,
    ending: null,
  }));

describe("a run's own row", () => {
  it("comes back as it was written and changed", () => {
    const memory = new Memory();
    fc.assert(
      fc.property(anyRun, anyRun, (first, other) => {
        memory.clear();
        memory.write([], [{ run: first, flow: "f", startKey: null, isNew: true }]);
        const { uid, name, input, createdBy, createdVia, createdAt, parent, origin } = first;
        const fixed = { uid, name, input, createdBy, createdVia, createdAt, parent, origin };
        const second: RunRow = { ...other, ...fixed, version: first.version + 1, status: "failed", completedAt: 5 };
        memory.write([], [{ run: second, flow: "f", startKey: null, isNew: false }]);
        const columns = memory.database.prepare(`select ${runColumns} from runs where id = 8`).get();
        expect(columns === undefined ? undefined : decodeRun(columns)).toEqual({
          run: second,
          flow: "f",
          updatedAt: 1,
          startKey: null,
        });
      }),
      { numRuns: 200 },
    );
  });
});
