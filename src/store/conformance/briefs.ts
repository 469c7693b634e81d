import type { RunEvent } from "../../run/decision.ts";
import { historyOf } from "../../run/history.ts";
import type { Row } from "../../run/model.ts";
import type { Brief } from "../brief.ts";
import {
  atPlace,
  claim,
  createPen,
  endRun,
  finishRow,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  type Group,
} from "./subject.ts";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** As it should be read: nothing of what may be large. */
function briefOf({ args, result, ended, ...row }: Row): Brief {
  const last = ended === null ? result : ended.output;
  return {
    row,
    argsBytes: args === null ? null : bytesOf(args),
    resultBytes: result === null ? null : bytesOf(result),
    lastBytes: last === null ? 0 : bytesOf(last),
  };
}

const each = makeRow(11, { step: "all", name: "All", tool: null, args: null, token: null, key: null });
const itemOf = (id: number, index: number, fields: Partial<Row> = {}): Row =>
  makeRow(id, { step: "all", role: "item", index, serves: 11, causedBy: 12, via: "each", ...fields });

function eventOf(id: string, fields: Partial<RunEvent>): RunEvent {
  return { id, kind: "noted", at: 2000, row: null, by: "ann", data: id, ...fields };
}

export const briefs: readonly Group[] = [
  {
    name: "rows in brief",
    cases: [
      atPlace("have the lengths of what is left out, also of what stands out of the row", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const large = "é".repeat(50_000);
        const rows = [
          finishRow(makeRow(11, { args: { text: large } }), { result: large, ended: { output: large } }),
          finishRow(makeRow(12, { args: { a: "ü" } }), { result: false }),
          makeRow(13, { tool: null, args: null, key: null, warnings: ["careful"] }),
        ];
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: rows.map((row) => newRow(10, row)) });
        expect(await store.listBriefs(10, 10)).toEqual(rows.map(briefOf));
        expect(await store.listBriefs(10, 2)).toEqual(rows.slice(1).map(briefOf));
        expect(await store.listBriefs(99, 2)).toEqual([]);
      }),

      atPlace("are told without items, which come by their numbers, the newest try of each", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const list = makeRow(12, { step: "all", role: "items", status: "done", serves: 11, tool: null, token: null });
        const failed = itemOf(13, 1, { status: "failed", token: null, completedAt: 2000, finishedNo: 1 });
        const first = finishRow(itemOf(15, 0), { finishedNo: 2 });
        const again = finishRow(itemOf(16, 1, { attempt: 2, causedBy: 13, via: "retry" }), { finishedNo: 3 });
        const running = itemOf(17, 2);
        const elsewhere = itemOf(18, 0, { serves: 99 });
        const rows = [each, list, failed, first, again, running, elsewhere];
        await pen.write({ runs: [newRun(makeRun(10))], rows: rows.map((row) => newRow(10, row)) });
        expect((await store.listBriefs(10, 10)).map(({ row }) => row.id)).toEqual([11]);
        const items = { run: 10, each: 11, limitMax: 10 };
        expect(await store.listItems(items)).toEqual([first, again, running].map(briefOf));
        const ids = async (query: object): Promise<readonly number[]> =>
          (await store.listItems({ ...items, ...query })).map(({ row }) => row.id);
        expect(await ids({ limitMax: 2 })).toEqual([15, 16]);
        expect(await ids({ after: 1 })).toEqual([17]);
        expect(await ids({ status: "done" })).toEqual([15, 16]);
        expect(await ids({ status: "failed" })).toEqual([]);
        expect(await ids({ run: 20 })).toEqual([]);
        expect(await store.countItems(10)).toEqual(
          new Map([
            [11, { done: 2, running: 1 }],
            [99, { running: 1 }],
          ]),
        );
        expect(await store.countItems(20)).toEqual(new Map());
      }),
    ],
  },

  {
    name: "rows to which a step looks back",
    cases: [
      atPlace("are those that have arrived at a fork, and no others", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const still = { step: "fork", tool: null, args: null, key: null };
        const arrived = [
          finishRow(makeRow(12, { scope: "11:0" }), { arrived: true, finishedNo: 1, result: "é" }),
          finishRow(makeRow(14, { scope: "11:1" }), { arrived: true, finishedNo: 2, result: null }),
        ];
        const others = [
          makeRow(11, still),
          finishRow(makeRow(13, { scope: "11:1" }), { finishedNo: 3 }),
          finishRow(makeRow(15, { scope: "13:0" }), { arrived: true, finishedNo: 4 }),
        ];
        const rows = [...others, ...arrived];
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: rows.map((row) => newRow(10, row)) });
        expect(await store.listArrivals(10, 11)).toEqual(arrived.map(briefOf));
        expect(await store.listArrivals(20, 11)).toEqual([]);
        expect(await store.listArrivals(10, 12)).toEqual([]);
      }),

      atPlace("are the newest of a step that is done, however many came behind it", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const rows = [
          finishRow(makeRow(11, { step: "a" }), { finishedNo: 1 }),
          finishRow(makeRow(12, { step: "a", visit: 2 }), { finishedNo: 2 }),
          makeRow(13, { step: "a", visit: 3 }),
          finishRow(makeRow(14, { step: "a", role: "undo" }), { finishedNo: 3 }),
          finishRow(makeRow(15, { step: "b" }), { finishedNo: 4 }),
        ];
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: rows.map((row) => newRow(10, row)) });
        expect(await store.findNewest(10, "a")).toBe(12);
        expect(await store.findNewest(10, "c")).toBeUndefined();
        expect(await store.findNewest(20, "a")).toBeUndefined();
      }),
    ],
  },

  {
    name: "rows that may wait for a person",
    cases: [
      atPlace("are found among those of many runs, so many of each, behind one of them", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const gate = { title: "Go?", message: null, hash: "h", reminders: 0, answers: [] };
        const still = { tool: null, args: null, token: null, key: null, startedAt: null };
        const waiting = [
          makeRow(13, { ...still, status: "pending", gate }),
          itemOf(14, 0, { ...still, status: "pending", gate }),
          itemOf(15, 1, { status: "uncertain", token: null }),
          itemOf(16, 2, { status: "done", token: null, completedAt: 2000, finishedNo: 1, isHeld: true }),
          makeRow(17, { ...still, role: "probe", serves: 15 }),
        ];
        const others = [each, itemOf(12, 3), itemOf(18, 4, { status: "pending", token: null })];
        const ended = finishRow(makeRow(19), { finishedNo: 2 });
        await pen.write({
          runs: [10, 20, 30].map((id) => newRun(makeRun(id))),
          rows: [
            ...[...others, ...waiting, ended].map((row) => newRow(10, row)),
            newRow(20, makeRow(21, { ...still, status: "pending" })),
          ],
        });
        const found = await store.listWaits({ runs: [10, 20, 30], limitMax: 10 });
        expect(new Set(found.keys())).toEqual(new Set([10, 20]));
        expect(found.get(10)).toEqual(waiting.map(briefOf));
        expect(found.get(20)?.map(({ row }) => row.id)).toEqual([21]);
        const page = await store.listWaits({ runs: [10, 20], after: 14, limitMax: 2 });
        expect([10, 20].map((run) => page.get(run)?.map(({ row }) => row.id))).toEqual([[15, 16], [21]]);
        expect(await store.listWaits({ runs: [], limitMax: 2 })).toEqual(new Map());
        const gates = await store.listWaits({ runs: [10, 20], limitMax: 10, hasStates: false });
        expect(gates).toEqual(new Map([[10, waiting.map(briefOf)]]));
      }),

      atPlace("are given without what is large, whichever run they are of", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const large = "x".repeat(70_000);
        const small = finishRow(makeRow(11, { args: { a: 1 } }), { result: "ok", ended: { output: 7 } });
        const heavy = finishRow(makeRow(21, { args: { text: large } }), { result: large, ended: { output: large } });
        await pen.write({
          runs: [10, 20].map((id) => newRun(makeRun(id))),
          rows: [newRow(10, small), newRow(20, heavy)],
        });
        const found = await store.findShort([11, 21, 99]);
        const { row: _brief, ...lengths } = briefOf(small);
        expect(found.get(11)).toEqual({ run: 10, uid: makeRun(10).uid, row: small, ...lengths });
        expect(found.get(21)).toMatchObject({
          run: 20,
          row: { args: null, result: null, ended: { output: null } },
          resultBytes: 70_002,
          lastBytes: 70_002,
        });
        expect([found.size, await store.findShort([])]).toEqual([2, new Map()]);
      }),
    ],
  },

  {
    name: "how runs stand",
    cases: [
      atPlace("is told by what works, and by what does not, people first", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const gate = { title: "Go?", message: null, hash: "h", reminders: 0, answers: [] };
        const still = { tool: null, args: null, token: null, key: null, startedAt: null };
        const pending = { ...still, status: "pending" } as const;
        const open = { kind: "each", count: 9, started: 9, ended: 0, failed: 0, items: 12, copied: [] } as const;
        const rows = [
          makeRow(11, { token: null, open }),
          itemOf(13, 0, pending),
          makeRow(14, { ...still, childRun: 40 }),
          makeRow(15, pending),
          makeRow(16, { ...pending, gate }),
          itemOf(17, 1, { status: "uncertain", token: null }),
          makeRow(18, { ...still, role: "probe", serves: 17 }),
          finishRow(makeRow(19), { finishedNo: 1 }),
        ];
        const attention = { code: "poison", row: null, value: "too large" } as const;
        const runs = [
          makeRun(10),
          makeRun(20, { attention }),
          makeRun(30, { data: { attention: {} } }),
          endRun(makeRun(40)),
        ];
        await pen.write({
          runs: runs.map((run) => newRun(run)),
          rows: [
            ...rows.map((row) => newRow(10, row)),
            newRow(20, makeRow(21)),
            newRow(30, makeRow(31, { ...still, status: "ready" })),
          ],
        });
        const found = await store.listStandings({ runs: [10, 20, 30, 40, 50], limitMax: 10 });
        const still10 = { status: "running", hasAttention: false, isMachine: false, isWorking: false };
        const { rows: live, ...told } = found.get(10) ?? { rows: [] };
        expect(told).toEqual(still10);
        const byId = live.toSorted((one, other) => one.id - other.id);
        expect(byId).toEqual(rows.slice(0, -1).map((row) => briefOf(row).row));
        expect(found.get(20)).toEqual({ ...still10, hasAttention: true, isWorking: true, rows: [] });
        expect(found.get(30)).toEqual({ ...still10, isMachine: true, isWorking: true, rows: [] });
        expect(found.get(40)).toMatchObject({ status: "completed", isWorking: false, rows: [] });
        expect(found.has(50)).toBe(false);
        for (const [limitMax, ids] of [
          [3, [16, 17, 18]],
          [6, [11, 14, 15, 16, 17, 18]],
        ] as const) {
          const few = (await store.listStandings({ runs: [10], limitMax })).get(10);
          expect(few?.rows.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(ids);
        }
        expect(await store.listStandings({ runs: [], limitMax: 2 })).toEqual(new Map());
      }),
    ],
  },

  {
    name: "what happened in a run",
    cases: [
      atPlace("comes in the order of its history, in pages, without data that is large", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const rows = [finishRow(makeRow(11), { completedAt: 2000 }), makeRow(12, { createdAt: 2000, startedAt: 3000 })];
        const events = [
          eventOf("b", { row: 11 }),
          eventOf("a", { row: 11, by: null }),
          eventOf("c", { data: "x".repeat(100) }),
          eventOf("d", { at: 9000 }),
        ];
        await pen.write({
          runs: [10, 20].map((id) => newRun(makeRun(id))),
          rows: [...rows.map((row) => newRow(10, row)), newRow(20, makeRow(21))],
          events: events.map((event) => ({ run: 10, event })),
        });
        const wish = { run: 10, skip: 0, limitMax: 100, bytesMax: 50 };
        const all = await store.listMoments(wish);
        const told = historyOf(await store.listRows(10), await store.listEvents(10));
        expect(all.map(({ kind, at, row }) => ({ kind, at, row }))).toEqual(
          told.map(({ kind, at, row }) => ({ kind, at, row })),
        );
        expect(all.filter(({ kind }) => kind === "event")).toEqual([
          { kind: "event", at: 2000, row: null, event: "noted", by: "ann", data: null, dataBytes: 102 },
          { kind: "event", at: 2000, row: 11, event: "noted", by: "ann", data: "b", dataBytes: 3 },
          { kind: "event", at: 2000, row: 11, event: "noted", by: null, data: "a", dataBytes: 3 },
          { kind: "event", at: 9000, row: null, event: "noted", by: "ann", data: "d", dataBytes: 3 },
        ]);
        expect(await store.listMoments({ ...wish, skip: 2, limitMax: 3 })).toEqual(all.slice(2, 5));
        expect(await store.listMoments({ ...wish, run: 99 })).toEqual([]);
      }),
    ],
  },

  {
    name: "steps of many runs",
    cases: [
      atPlace("are counted by the status of their newest try", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const failed = makeRow(11, { status: "failed", token: null, completedAt: 2000, finishedNo: 1 });
        const tried = finishRow(makeRow(12, { attempt: 2, via: "retry" }), { finishedNo: 2 });
        const visited = makeRow(13, { visit: 2 });
        const noStep = makeRow(14, { step: "undo", role: "undo" });
        await pen.write({
          runs: [10, 20, 30].map((id) => newRun(makeRun(id))),
          rows: [...[failed, tried, visited, noStep].map((row) => newRow(10, row)), newRow(20, makeRow(21))],
        });
        expect(await store.countSteps([10, 20, 30, 40])).toEqual(
          new Map([
            [10, { done: 1, running: 1 }],
            [20, { running: 1 }],
          ]),
        );
        expect(await store.countSteps([])).toEqual(new Map());
      }),
    ],
  },

  {
    name: "runs that a run has started",
    cases: [
      atPlace("are found by it, newest first, with the step", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const parent = { run: 10, row: 11, depth: 1 };
        const children = [makeRun(20, { parent }), endRun(makeRun(30, { parent, name: "child" })), makeRun(40)];
        await pen.write({ runs: [makeRun(10), ...children].map((run) => newRun(run)) });
        const [first, second] = children;
        const known = [
          { id: 30, uid: second?.uid, name: "child", status: "completed", row: 11 },
          { id: 20, uid: first?.uid, name: "greet", status: "running", row: 11 },
        ];
        expect(await store.listChildren(10, 10)).toEqual(known);
        expect(await store.listChildren(10, 1)).toEqual(known.slice(0, 1));
        expect(await store.listChildren(20, 10)).toEqual([]);
      }),
    ],
  },
];
