import type { Json } from "../../flow/json.ts";
import type { RunId } from "../../run/model.ts";
import type { EntryWrite, RunQuery, Store } from "../store.ts";
import {
  changedRow,
  claim,
  createPen,
  endRun,
  finishRow,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  atPlace,
  atSharedPlace,
  uidOf,
  type Pen,
  type Group,
  type TestPlace,
} from "./subject.ts";

async function list(store: Store, query: Partial<RunQuery>): Promise<readonly RunId[]> {
  return (await store.listRuns({ status: null, limitMax: 50, ...query })).map(({ run }) => run.id);
}

/** One run of each status, and a second that has completed. */
async function writeOneOfEach(place: TestPlace): Promise<{ readonly store: Store; readonly pen: Pen }> {
  const store = await place.open();
  const pen = createPen(await claim(store));
  const failed = { status: "failed", terminalKind: "failure" } as const;
  const cancelled = { status: "cancelled", terminalKind: "cancel", cancelledAt: 3000 } as const;
  await pen.write({
    flows: [flow],
    runs: [
      makeRun(1, { status: "scheduled", startedAt: null, alarms: [{ kind: "start", at: 5000 }] }),
      makeRun(2),
      makeRun(3, { status: "paused" }),
      endRun(makeRun(4, { name: "count" })),
      endRun(makeRun(5), failed),
      endRun(makeRun(6), cancelled),
      endRun(makeRun(7)),
    ].map((run) => newRun(run)),
  });
  return { store, pen };
}

export const reading: readonly Group[] = [
  {
    name: "a list of runs",
    cases: [
      atPlace(
        "E3-19: is newest first and leaves out cancelled ones unless they are asked for",
        async (place, expect) => {
          const { store } = await writeOneOfEach(place);
          expect(await list(store, {})).toEqual([7, 5, 4, 3, 2, 1]);
          expect(await list(store, { status: "all" })).toEqual([7, 6, 5, 4, 3, 2, 1]);
          expect(await list(store, { status: "cancelled" })).toEqual([6]);
        },
      ),

      atPlace("E3-01: has just those of the status that was asked for", async (place, expect) => {
        const { store } = await writeOneOfEach(place);
        const statuses = ["scheduled", "running", "paused", "completed", "failed", "cancelled", "live"] as const;
        const found = await Promise.all(statuses.map((status) => list(store, { status })));
        expect(found).toEqual([[1], [2], [3], [7, 4], [5], [6], [3, 2, 1]]);
      }),

      atPlace("comes in pages, and by name", async (place, expect) => {
        const { store } = await writeOneOfEach(place);
        expect(await list(store, { status: "all", limitMax: 3 })).toEqual([7, 6, 5]);
        expect(await list(store, { status: "all", limitMax: 3, before: 5 })).toEqual([4, 3, 2]);
        expect(await list(store, { status: "live", limitMax: 2, before: 3 })).toEqual([2, 1]);
        expect(await list(store, { name: "count" })).toEqual([4]);
        expect(await list(store, { status: "live", name: "count" })).toEqual([]);
        expect(await list(store, { name: "cou%" })).toEqual([]);
      }),

      atPlace("has just those that one user has started, if it is asked for them", async (place, expect) => {
        const { store, pen } = await writeOneOfEach(place);
        const eve = { createdBy: "eve" };
        await pen.write({
          runs: [
            makeRun(11, eve),
            endRun(makeRun(12, { ...eve, name: "count" })),
            makeRun(13, { createdBy: "Eve" }),
            makeRun(14, { ...eve, status: "paused" }),
            endRun(makeRun(15, eve), { status: "failed", terminalKind: "failure" }),
            endRun(makeRun(16, eve), { status: "cancelled", terminalKind: "cancel", cancelledAt: 3000 }),
          ].map((run) => newRun(run)),
        });
        const statuses = ["scheduled", "running", "paused", "completed", "failed", "cancelled", "live"] as const;
        const found = await Promise.all(statuses.map((status) => list(store, { ...eve, status })));
        expect(found).toEqual([[], [11], [14], [12], [15], [16], [14, 11]]);
        expect(await list(store, eve)).toEqual([15, 14, 12, 11]);
        expect(await list(store, { ...eve, status: "all", limitMax: 2 })).toEqual([16, 15]);
        expect(await list(store, { ...eve, status: "all", limitMax: 2, before: 15 })).toEqual([14, 12]);
        expect(await list(store, { ...eve, name: "count" })).toEqual([12]);
        expect(await list(store, { createdBy: "bob" })).toEqual([]);
        expect(await list(store, { createdBy: "" })).toEqual([]);
      }),
    ],
  },

  {
    name: "a run",
    cases: [
      atPlace("E3-18: is found by its id, its uid and its start key, or not at all", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        await pen.write({ runs: [newRun(makeRun(1_774_093_092_892), "order-1"), newRun(makeRun(40))] });
        expect((await store.findRun(40))?.run.uid).toBe(uidOf(40));
        expect((await store.findRunByUid(uidOf(1_774_093_092_892)))?.run.id).toBe(1_774_093_092_892);
        expect((await store.findRunByKey("order-1"))?.run.id).toBe(1_774_093_092_892);
        expect(await store.findRun(41)).toBeUndefined();
        expect(await store.findRunByKey("order-2")).toBeUndefined();
        for (const uid of [uidOf(41), `${(40).toString(36)}-guessed`, "", "?", `${uidOf(40)}.99`])
          expect(await store.findRunByUid(uid)).toBeUndefined();
      }),

      atPlace("of another run is found by its uid through the step that started it", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const child = makeRun(50, { uid: `${uidOf(40)}.45`, parent: { run: 40, row: 45, depth: 1 } });
        const caller = makeRow(45, { tool: null, childRun: 50, token: null, status: "pending" });
        await pen.write({ runs: [newRun(makeRun(40)), newRun(child)], rows: [newRow(40, caller)] });
        expect((await store.findRunByUid(child.uid))?.run).toEqual(child);
        expect(await store.findRunByUid(`${uidOf(41)}.45`)).toBeUndefined();
      }),

      atPlace("E0-44: has its rows in the order in which they were made", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const rows = [makeRow(13), makeRow(11), makeRow(12, { index: 0, role: "item", serves: 11 })];
        await pen.write({
          runs: [newRun(makeRun(10)), newRun(makeRun(20))],
          rows: [...rows.map((row) => newRow(10, row)), newRow(20, makeRow(21))],
        });
        expect((await store.listRows(10)).map(({ id }) => id)).toEqual([11, 12, 13]);
        expect(await store.findRow(12)).toEqual({ run: 10, row: rows[2] });
        expect([await store.findRow(99), await store.listRows(99), await store.listEvents(99)]).toEqual([
          undefined,
          [],
          [],
        ]);
      }),
    ],
  },

  {
    name: "old rows",
    cases: [
      atPlace("are brought as a decision needs them", async (place, expect) => {
        const pen = createPen(await claim(await place.open()));
        const first = makeRow(11);
        const done = finishRow(first, { isUndoable: true });
        const arrived = finishRow(makeRow(12, { scope: "11:0", isUndoable: true }), { arrived: true, finishedNo: 2 });
        const ended = finishRow(makeRow(13), { ended: { output: "over" }, finishedNo: 3 });
        await pen.write({
          runs: [newRun(makeRun(10))],
          rows: [newRow(10, first), newRow(10, arrived), newRow(10, ended)],
        });
        await pen.write({ rows: [changedRow(10, done, first)] });
        const brought = await pen.ownership.bring(10, [
          { kind: "row", row: 11 },
          { kind: "arrivals", fork: 11 },
          { kind: "ends" },
          { kind: "undo", below: null },
          { kind: "undo", below: 2 },
          { kind: "undo", below: 1 },
          { kind: "row", row: 99 },
        ]);
        expect(brought).toEqual([[done], [arrived], [ended], [arrived], [done], [], []]);
      }),
    ],
  },

  {
    name: "the list of commits",
    cases: [
      atPlace("says what changed, one commit after the other", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const row = makeRow(11);
        expect(await store.listCommits(0, 10)).toEqual([]);
        await pen.write({ at: 2000, runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        await pen.write({ at: 3000, rows: [changedRow(10, finishRow(row), row)] });
        expect(await store.listCommits(0, 10)).toEqual([
          {
            no: 1,
            at: 2000,
            changes: [
              { run: 10, row: null, status: "running" },
              { run: 10, row: 11, status: "running" },
            ],
            entries: [],
          },
          { no: 2, at: 3000, changes: [{ run: 10, row: 11, status: "done" }], entries: [] },
        ]);
        expect((await store.listCommits(0, 1))?.map(({ no }) => no)).toEqual([1]);
        expect((await store.listCommits(1, 10))?.map(({ no }) => no)).toEqual([2]);
        expect(await store.listCommits(2, 10)).toEqual([]);
      }),

      atPlace("says of which kinds entries were written, and which runs are gone", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        await pen.write({
          entries: [writeEntry("lamp", "a", 1), writeEntry("lamp", "b", 1), writeEntry("cup", "a", 1)],
        });
        await pen.write({ entries: [writeEntry("cup", "a", null)] });
        await pen.write({ runs: [newRun(makeRun(10, { status: "completed", completedAt: 3500 }))] });
        await pen.write({ at: 4000, pruned: [10], removed: [{ run: 10, name: 'say "hi"', createdBy: "ada" }] });
        const told = (await store.listCommits(0, 10)) ?? [];
        expect(told.map(({ entries }) => entries)).toEqual([["lamp", "cup"], ["cup"], [], []]);
        expect(told.at(-1)?.changes).toEqual([
          { run: 10, row: null, status: "removed", was: { name: 'say "hi"', createdBy: "ada" } },
        ]);
      }),

      atPlace("goes with the names of what it tells of, as far as that is there", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const rows = [newRow(10, makeRow(11, { step: "a", name: "a" })), newRow(10, makeRow(12, { name: "Ask Ann" }))];
        await pen.write({ runs: [newRun(makeRun(10, { name: "greet", createdBy: "ada" }))], rows });
        const { runs, rows: steps } = await store.listNames([10, 99], [11, 12, 98]);
        expect([...runs]).toEqual([[10, { name: "greet", createdBy: "ada" }]]);
        expect(steps).toEqual(
          new Map([
            [11, "a"],
            [12, "Ask Ann"],
          ]),
        );
        expect((await store.listNames([], [])).rows.size).toBe(0);
      }),

      atSharedPlace("says when what is asked for is so far back that it is gone", async (place, expect) => {
        const store = await place.open({ commitsKept: { ageMs: 3_600_000, bytes: 1600 }, clock: () => 2000 });
        const pen = createPen(await claim(store));
        for (let id = 100; id < 200; id += 1) await pen.write({ runs: [newRun(makeRun(id))] });
        await pen.ownership.tidy();
        expect(await store.listCommits(0, 10)).toBeUndefined();
        const [kept] = await place.query(
          "select min(no) as first, max(no) as last, sum(octet_length(changes)) as bytes from commits",
        );
        const first = Number(kept?.["first"]);
        expect(kept?.["last"]).toBe(100);
        expect(kept?.["bytes"]).toBeLessThan(1700);
        expect(kept?.["bytes"]).toBeGreaterThan(1400);
        expect((await store.listCommits(first - 1, 1))?.map(({ no }) => no)).toEqual([first]);
        expect(await store.listCommits(first - 2, 1)).toBeUndefined();
        await pen.ownership.release();
        expect((await claim(store)).lastCommit).toBe(100);
      }),

      atSharedPlace("keeps its newest part however old that is", async (place, expect) => {
        let now = 2000;
        const store = await place.open({ commitsKept: { ageMs: 1000, bytes: 1_000_000 }, clock: () => now });
        const pen = createPen(await claim(store));
        await pen.write({ at: 2000, runs: [newRun(makeRun(10))] });
        now += 1_000_000;
        await pen.ownership.tidy();
        expect(await store.lastCommit()).toBe(1);
      }),
    ],
  },
];

function writeEntry(kind: string, key: string, value: Json): EntryWrite {
  return { kind, key, version: value === null ? 2 : 1, updatedAt: 2000, value };
}
