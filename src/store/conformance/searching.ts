import type { Row, RunId } from "../../run/model.ts";
import { searchRuns, type RunSearch, type Searched } from "../search.ts";
import type { Store } from "../store.ts";
import { atPlace, claim, createPen, endRun, flow, makeRow, makeRun, newRow, newRun, type Group } from "./subject.ts";

async function find(store: Store, search: Partial<RunSearch>): Promise<readonly RunId[]> {
  return (await searchRuns(store, { status: "all", limitMax: 50, ...search })).runs.map(({ run }) => run.id);
}

const minute = 60_000;

/** Ids rise with the minutes in which the runs were created. */
async function writeSearchable(store: Store): Promise<void> {
  const pen = createPen(await claim(store));
  const failed = { status: "failed", terminalKind: "failure" } as const;
  await pen.write({
    flows: [flow],
    runs: [
      makeRun(10, { createdAt: minute, name: "Überweisung", input: { amount: 17, to: { city: "Zürich" } } }),
      endRun(makeRun(20, { createdAt: 10 * minute, input: { amount: "17", tags: ["a", "b"] } }), failed),
      endRun(makeRun(30, { createdAt: 20 * minute, input: { note: "a\nice day" } }), { output: { said: 'Say "HI"' } }),
      endRun(makeRun(40, { createdAt: 30 * minute, input: { to: { city: "Bern", amount: 17 } } }), {
        ...failed,
        error: { code: "boom", message: "100% broken_thing" },
      }),
      endRun(makeRun(50, { createdAt: 40 * minute, createdBy: "eve", input: {} }), {
        status: "cancelled",
        terminalKind: "cancel",
        cancelledAt: 41 * minute,
      }),
    ].map((run) => newRun(run)),
  });
}

export const searching: readonly Group[] = [
  {
    name: "a search for runs",
    cases: [
      atPlace("finds a text in names, inputs, outputs and errors, in capitals or not", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        expect(await find(store, { text: "ÜBERWEISUNG" })).toEqual([10]);
        expect(await find(store, { text: "zürich" })).toEqual([10]);
        expect(await find(store, { text: 'say "hi"' })).toEqual([30]);
        expect(await find(store, { text: "Broken_Thing" })).toEqual([40]);
        expect(await find(store, { text: "CITY" })).toEqual([40, 10]);
        expect(await find(store, { text: "17" })).toEqual([40, 20, 10]);
        // Neither the signs of patterns nor those of JSON mean anything.
        expect(await find(store, { text: "%" })).toEqual([40]);
        expect(await find(store, { text: "brokenXthing" })).toEqual([]);
        expect(await find(store, { text: "nice" })).toEqual([]);
        expect(await find(store, { text: "nul\0" })).toEqual([]);
      }),

      atPlace("finds what the input has at a place, of the same kind", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        expect(await find(store, { field: { path: ["amount"], value: 17 } })).toEqual([10]);
        expect(await find(store, { field: { path: ["amount"], value: "17" } })).toEqual([20]);
        expect(await find(store, { field: { path: ["to", "amount"], value: 17 } })).toEqual([40]);
        expect(await find(store, { field: { path: ["tags", "1"], value: "b" } })).toEqual([20]);
        expect(await find(store, { field: { path: ["tags", "length"], value: 2 } })).toEqual([]);
        expect(await find(store, { field: { path: ["to"], value: { amount: 17, city: "Bern" } } })).toEqual([40]);
        expect(await find(store, { field: { path: ["__proto__"], value: {} } })).toEqual([]);
        expect(await find(store, { field: { path: ["nowhere"], value: null } })).toEqual([]);
      }),

      atPlace(
        "finds those that were created in a time, from its beginning to before its end",
        async (place, expect) => {
          const store = await place.open();
          await writeSearchable(store);
          expect(await find(store, { createdAfter: 20 * minute })).toEqual([50, 40, 30]);
          expect(await find(store, { createdBefore: 20 * minute })).toEqual([20, 10]);
          expect(await find(store, { createdAfter: 10 * minute, createdBefore: 30 * minute })).toEqual([30, 20]);
          expect(await find(store, { createdAfter: 41 * minute })).toEqual([]);
          expect(await find(store, { createdBefore: 0 })).toEqual([]);
        },
      ),

      atPlace("takes several statuses, and all else that a list takes", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        expect(await find(store, { statuses: ["cancelled", "failed", "failed"] })).toEqual([50, 40, 20]);
        expect(await find(store, { statuses: ["cancelled", "failed"], limitMax: 2, before: 50 })).toEqual([40, 20]);
        expect(await find(store, { statuses: [] })).toEqual([]);
        expect(await find(store, { status: null, text: "a" })).toEqual([40, 30, 20, 10]);
        expect(await find(store, { createdBy: "eve", createdAfter: 0 })).toEqual([50]);
        expect(await find(store, { name: "Überweisung", text: "zürich" })).toEqual([10]);
      }),

      atPlace("finds those that something has set going, and those of some ids", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const origin = { kind: "retry", run: 10, uid: "u", attempt: 3 } as const;
        await pen.write({
          runs: [
            makeRun(10, { createdAt: 1000, startedAt: 1000 }),
            makeRun(20, { createdAt: 1000, startedAt: 1000, createdVia: "session" }),
            makeRun(30, { createdAt: 1000, startedAt: 9000 }),
            makeRun(40, { createdAt: 1000, startedAt: 1000, origin }),
          ].map((run) => newRun(run)),
        });
        expect(await find(store, { triggers: ["page"] })).toEqual([20]);
        expect(await find(store, { triggers: ["direct", "schedule"] })).toEqual([30, 10]);
        expect(await find(store, { triggers: ["retry"], before: 40 })).toEqual([]);
        expect((await store.findRun(40))?.run.origin).toEqual(origin);
        expect(await find(store, { ids: [20, 40, 20, 35] })).toEqual([40, 20]);
        expect(await find(store, { ids: [20, 40], triggers: ["page"] })).toEqual([20]);
        expect(await find(store, { ids: [20, 40], createdBy: "nobody" })).toEqual([]);
        expect(await find(store, { ids: [20, 40], status: "failed" })).toEqual([]);
      }),

      atPlace("comes in pages, each of which says where to go on", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        const search = { status: "all", text: "17", limitMax: 2 } as const;
        const first = await searchRuns(store, search);
        expect([first.runs.map(({ run }) => run.id), first.next]).toEqual([[40, 20], 20]);
        const second = await searchRuns(store, { ...search, before: 20 });
        expect([second.runs.map(({ run }) => run.id), second.next]).toEqual([[10], null]);
      }),

      atPlace("among given runs counts what it finds, and says where to go on", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        const pageOf = async (search: Partial<RunSearch>): Promise<unknown> => {
          const { runs, next } = await searchRuns(store, { status: "all", limitMax: 50, ...search });
          return [runs.map(({ run }) => run.id), next];
        };
        // What is not wanted takes nobody's place.
        expect(await pageOf({ ids: [10, 30, 50], text: "17", limitMax: 1 })).toEqual([[10], null]);
        expect(await pageOf({ ids: [20, 10, 50], limitMax: 2 })).toEqual([[50, 20], 20]);
        expect(await pageOf({ ids: [20, 10, 50], limitMax: 2, before: 20 })).toEqual([[10], null]);
        expect(await pageOf({ ids: [20, 10, 50], limitMax: 3 })).toEqual([[50, 20, 10], null]);
        expect(await pageOf({ ids: [20, 10, 50], bytesMax: 1 })).toEqual([[50], 50]);
        const many = Array.from({ length: 60 }, (_, id) => id);
        expect(await pageOf({ ids: many, status: "failed", limitMax: 1 })).toEqual([[40], 40]);
        expect(await pageOf({ ids: many, status: "failed", before: 40 })).toEqual([[20], null]);
      }),

      atPlace("ends a page by what is in it, and reads little beyond", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const input = { text: "x".repeat(100_000) };
        const ids = Array.from({ length: 30 }, (_, index) => 10 * (index + 1));
        await pen.write({ runs: ids.map((id) => newRun(makeRun(id, { input }))) });
        let read = 0;
        const counting: Searched = {
          listHeads: (before, limitMax) => store.listHeads(before, limitMax),
          listRuns: async (query) => {
            const runs = await store.listRuns(query);
            read += runs.length;
            return runs;
          },
        };
        const search = { status: "all", limitMax: 1000, bytesMax: 1_000_000 } as const;
        const first = await searchRuns(counting, search);
        expect([first.runs.length, first.next]).toEqual([10, 210]);
        expect(read).toBeLessThanOrEqual(12);
        const second = await searchRuns(counting, { ...search, before: 210, bytesMax: 10_000_000 });
        expect([second.runs.length, second.next]).toEqual([20, null]);
        expect(await searchRuns(counting, { ...search, limitMax: 0 })).toEqual({ runs: [], next: null });
      }),
    ],
  },

  {
    name: "what is counted",
    cases: [
      atPlace("has the heads of runs, newest first, and how many are alive", async (place, expect) => {
        const store = await place.open();
        await writeSearchable(store);
        const heads = await store.listHeads(40, 2);
        const greet = { name: "greet", createdBy: "ann", startedAt: 1000, completedAt: 3000 };
        expect(heads).toEqual([
          { ...greet, id: 30, status: "completed", createdAt: 20 * minute, terminalKind: "success" },
          { ...greet, id: 20, status: "failed", createdAt: 10 * minute, terminalKind: "failure" },
        ]);
        expect(await store.countLive()).toEqual({ running: 1 });
      }),

      atPlace("has what is due next of runs and rows, soonest first", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        expect([await store.listNextDue(10), await store.countLive()]).toEqual([[], {}]);
        const retry: Row = makeRow(21, { status: "pending", alarms: [{ kind: "retry", at: 4000 }], token: null });
        await pen.write({
          runs: [
            newRun(makeRun(10, { status: "scheduled", startedAt: null, alarms: [{ kind: "start", at: 5000 }] })),
            newRun(makeRun(20, { alarms: [{ kind: "run_timeout", at: 3000 }] })),
          ],
          rows: [newRow(20, retry)],
        });
        expect(await store.listNextDue(10)).toEqual([
          { run: 20, row: null, dueAt: 3000 },
          { run: 20, row: 21, dueAt: 4000 },
          { run: 10, row: null, dueAt: 5000 },
        ]);
        expect(await store.listNextDue(1)).toEqual([{ run: 20, row: null, dueAt: 3000 }]);
        expect(await store.countLive()).toEqual({ scheduled: 1, running: 1 });
      }),
    ],
  },
];
