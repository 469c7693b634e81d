import { randomBytes } from "node:crypto";
import type { RunId, RunRow } from "../../run/model.ts";
import type { Ownership, PruneQuery } from "../store.ts";
import {
  changedRun,
  claim,
  createPen,
  endRun,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  atPlace,
  atSharedPlace,
  type Group,
} from "./subject.ts";

const ended = (id: RunId, completedAt: number, fields: Partial<RunRow> = {}): RunRow =>
  endRun(makeRun(id, fields), { completedAt });

const child = (parent: RunId, row: number): Pick<RunRow, "parent"> => ({ parent: { run: parent, row, depth: 1 } });

async function listPrunable(ownership: Ownership, query: Partial<PruneQuery>): Promise<readonly RunId[]> {
  const { runs } = await ownership.listPrunable({ endedBefore: null, keepMax: null, rowsMax: 1000, ...query });
  return runs;
}

export const retention: readonly Group[] = [
  {
    name: "what may go",
    cases: [
      atPlace("has ended, the oldest end first", async (place, expect) => {
        const { ownership, write } = createPen(await claim(await place.open()));
        await write({
          runs: [ended(10, 3000), ended(20, 1000), makeRun(30), ended(40, 2000), makeRun(50, { status: "paused" })].map(
            (run) => newRun(run),
          ),
        });
        expect(await listPrunable(ownership, {})).toEqual([20, 40, 10]);
        expect(await listPrunable(ownership, { endedBefore: 2000 })).toEqual([20]);
        expect(await listPrunable(ownership, { keepMax: 2 })).toEqual([20]);
        expect(await listPrunable(ownership, { keepMax: 3 })).toEqual([]);
        expect(await listPrunable(ownership, { keepMax: 0, endedBefore: 2500 })).toEqual([20, 40]);
      }),

      atPlace("is what a root of one name has brought, when that is asked for", async (place, expect) => {
        const { ownership, write } = createPen(await claim(await place.open()));
        const runs = [
          ended(10, 3000, { name: "tides" }),
          ended(20, 1000, { name: "digest" }),
          ended(30, 2000, { name: "digest", ...child(10, 11) }),
          makeRun(40, { name: "digest" }),
        ];
        await write({ runs: runs.map((run) => newRun(run)) });
        expect(await listPrunable(ownership, { name: "digest" })).toEqual([20]);
        expect(await listPrunable(ownership, { name: "tides" })).toEqual([30, 10]);
        expect(await listPrunable(ownership, { name: "tides", endedBefore: 3000 })).toEqual([]);
        expect(await listPrunable(ownership, { name: "no\u0000body" })).toEqual([]);
      }),

      atPlace("is about as many rows as were asked for, and one run at least", async (place, expect) => {
        const { ownership, write } = createPen(await claim(await place.open()));
        const runs = [ended(100, 1000), ended(200, 2000), ended(300, 3000)];
        const rows = runs.flatMap(({ id }) => [1, 2, 3].map((n) => newRow(id, makeRow(id + n, { status: "done" }))));
        await write({ runs: runs.map((run) => newRun(run)), rows });
        expect(await listPrunable(ownership, { rowsMax: 8 })).toEqual([100, 200]);
        expect(await listPrunable(ownership, { rowsMax: 7 })).toEqual([100]);
        expect(await listPrunable(ownership, { rowsMax: 1 })).toEqual([100]);
        const all = { endedBefore: null, keepMax: null, rowsMax: 1 };
        const first = await ownership.listPrunable(all);
        expect(first.next).not.toBeNull();
        const rest = { ...all, rowsMax: 1000, ...(first.next === null ? {} : { after: first.next }) };
        const more = await ownership.listPrunable(rest);
        expect([first.runs, more.next]).toEqual([[100], null]);
        expect(more.runs[0]).toBe(200);
      }),

      atPlace("is a run with all its sub-runs, and none while one of them lives", async (place, expect) => {
        const { ownership, write } = createPen(await claim(await place.open()));
        await write({
          runs: [
            ended(10, 3000),
            ended(11, 2000, child(10, 1)),
            ended(12, 1000, child(11, 2)),
            ended(20, 3000),
            makeRun(21, child(20, 3)),
            makeRun(30),
            ended(31, 1000, child(30, 4)),
          ].map((run) => newRun(run)),
        });
        expect(await listPrunable(ownership, {})).toEqual([12, 11, 10]);
        await write({ runs: [changedRun(ended(21, 4000, child(20, 3)))] });
        expect(await listPrunable(ownership, {})).toEqual([12, 11, 10, 21, 20]);
      }),
    ],
  },

  {
    name: "what goes",
    cases: [
      atSharedPlace("goes with all that belongs to it, and with nothing else", async (place, expect) => {
        const store = await place.open();
        const { write } = createPen(await claim(store));
        const long = "x".repeat(100_000);
        const belongings = (run: RunId): Parameters<typeof write>[0] => ({
          flows: [flow],
          rows: [newRow(run, makeRow(run + 1, { status: "done", result: long, token: null }))],
          events: [{ run, event: { id: "m", kind: "k", at: 1, row: null, by: null, data: null } }],
          signals: [{ run, signals: [{ id: "s", name: "n", data: 1 }] }],
          visits: [{ run, step: "start", count: { all: 2, sinceRest: 2, rest: 0 } }],
        });
        await write({ runs: [newRun(ended(10, 1000), "k1")], ...belongings(10) });
        await write({ runs: [newRun(ended(20, 1000), "k2")], ...belongings(20) });
        await write({ pruned: [10] });
        expect(await store.findRun(10)).toBeUndefined();
        expect(await store.findRunByKey("k1")).toBeUndefined();
        expect(await store.findRow(11)).toBeUndefined();
        const counts = await place.query(`
        select (select count(*) from runs) as runs, (select count(*) from steps) as steps,
          (select count(*) from blobs) as blobs, (select count(*) from events) as events,
          (select count(*) from signals) as signals, (select count(*) from visits) as visits`);
        expect(counts).toEqual([{ runs: 1, steps: 1, blobs: 1, events: 1, signals: 1, visits: 1 }]);
        expect((await store.findRow(21))?.row.result).toBe(long);
      }),

      atPlace("is never a run that lives, even when it is named", async (place, expect) => {
        const store = await place.open();
        const { write } = createPen(await claim(store));
        await write({ runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
        await write({ pruned: [10, 99] });
        expect(await store.findRun(10)).toBeDefined();
        expect(await store.listRows(10)).toHaveLength(1);
      }),

      atPlace("makes room that is given back", async (place, expect) => {
        const store = await place.open();
        const { ownership, write } = createPen(await claim(store));
        // Nothing that could be stored in less.
        const text = randomBytes(37_500).toString("base64");
        for (let id = 1000; id < 1400; id += 2)
          await write({
            runs: [newRun(ended(id, 1000))],
            rows: [newRow(id, makeRow(id + 1, { status: "done", result: text }))],
          });
        await ownership.tidy();
        await write({ pruned: await listPrunable(ownership, {}) });
        // A server counts what is gone a moment after it has gone.
        const countFree = async (): Promise<number> => (await store.measure()).freeBytes;
        await expect.poll(countFree, { timeout: 30_000 }).toBeGreaterThan(9_000_000);
        const tidyOnce = async (): Promise<number> => {
          await ownership.tidy();
          return countFree();
        };
        await expect.poll(tidyOnce, { timeout: 30_000 }).toBeLessThan(9_000_000);
        expect((await store.measure()).walBytes).toBeLessThan(20_000_000);
      }),
    ],
  },
];
