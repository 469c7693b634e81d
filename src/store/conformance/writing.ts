import type { RunEvent } from "../../run/decision.ts";
import {
  changedRow,
  changedRun,
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
  type Group,
} from "./subject.ts";

const event: RunEvent = { id: "m1", kind: "started", at: 1000, row: null, by: "ann", data: { why: "asked" } };

export const writing: readonly Group[] = [
  {
    name: "a batch",
    cases: [
      atPlace("E1-01: is there as it was written once it is committed", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const run = makeRun(10, { seen: ["m1"], alarms: [{ kind: "run_timeout", at: 9000 }] });
        const row = makeRow(11);
        const signals = [{ id: "s1", name: "paid", data: { amount: 3 } }];
        const count = { all: 3, sinceRest: 2, rest: 1 };
        await pen.write({
          lastId: 11,
          flows: [flow],
          runs: [newRun(run, "order-1")],
          rows: [newRow(10, row)],
          events: [{ run: 10, event }],
          signals: [{ run: 10, signals }],
          visits: [{ run: 10, step: "start", count }],
        });
        const [loaded] = await pen.ownership.load([10]);
        expect(loaded?.flow).toBe("f1");
        expect(loaded?.frontier.run).toEqual({ ...run, live: 1, rowCount: 1 });
        expect([...(loaded?.frontier.rows ?? [])]).toEqual([[11, row]]);
        expect(loaded?.frontier.signals).toEqual(signals);
        expect(loaded?.frontier.visits.get("start")).toEqual(count);
        expect(await store.findRun(10)).toEqual({ run, flow: "f1", updatedAt: 2000, startKey: "order-1" });
        expect(await store.findFlow("f1")).toEqual(flow);
        expect(await store.listEvents(10)).toEqual([event]);
      }),

      atPlace("keeps entries under their kind and key, changes them and lets them go", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const entry = { kind: "breaker", key: "b", version: 1, updatedAt: 5, value: { count: 3 } };
        const other = { ...entry, key: "a", value: "text" };
        await pen.write({ entries: [entry, other, { ...entry, kind: "workflow" }] });
        expect(await store.listEntries("breaker")).toEqual([other, entry]);
        const all = await store.listEntries("breaker", "none", "workflow");
        expect(all.map(({ kind, key }) => `${kind} ${key}`)).toEqual(["breaker a", "breaker b", "workflow b"]);
        const changed = { ...entry, version: 2, updatedAt: 6, value: [1] };
        await pen.write({ entries: [changed, { ...other, version: 2, value: null }] });
        expect(await store.listEntries("breaker")).toEqual([changed]);
        expect(await store.findEntry("breaker", "b")).toEqual(changed);
        expect(await store.findEntry("breaker", "a")).toBeUndefined();
      }),

      atPlace(
        "is refused as a whole when an entry in it is no newer than the one that is there",
        async (place, expect) => {
          const store = await place.open();
          const pen = createPen(await claim(store));
          const entry = { kind: "breaker", key: "b", version: 2, updatedAt: 5, value: 1 };
          await pen.write({ entries: [entry] });
          const another = { ...entry, key: "c" };
          expect(await pen.hand({ entries: [another, { ...entry, value: 2 }] })).toMatchObject({ reason: "stale" });
          expect(await store.listEntries("breaker")).toEqual([entry]);
        },
      ),

      atPlace("changes rows and runs that are there", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const run = makeRun(10);
        const row = makeRow(11);
        await pen.write({ flows: [flow], runs: [newRun(run)], rows: [newRow(10, row)] });
        const done = finishRow(row, { ended: { output: "ok" } });
        const ended = endRun(run, { output: "ok" });
        await pen.write({ at: 3000, runs: [changedRun(ended)], rows: [changedRow(10, done, row)] });
        expect(await store.listRows(10)).toEqual([done]);
        expect(await store.findRun(10)).toEqual({ run: ended, flow: "f1", updatedAt: 3000, startKey: null });
      }),

      atPlace("leaves nothing when something in its middle is refused", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const last = await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
        const refused = await pen.hand({
          flows: [{ ...flow, hash: "f2" }],
          runs: [newRun(makeRun(20))],
          rows: [newRow(20, makeRow(21)), newRow(20, makeRow(11)), newRow(20, makeRow(22))],
          events: [{ run: 20, event }],
        });
        expect(refused).toMatchObject({ kind: "refused", reason: "constraint" });
        expect([await store.findFlow("f2"), await store.findRun(20), await store.findRow(21)]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
        expect(await store.findRow(11)).toMatchObject({ run: 10 });
        expect(await store.lastCommit()).toBe(last);
      }),

      atPlace("is refused when a row is not as its writer believed", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const row = makeRow(11);
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        const old = { ...row, version: 7 };
        const refused = await pen.hand({
          runs: [newRun(makeRun(20))],
          rows: [changedRow(10, finishRow(old), old)],
        });
        expect(refused).toMatchObject({ kind: "refused", reason: "stale" });
        expect(await store.listRows(10)).toEqual([row]);
        expect(await store.findRun(20)).toBeUndefined();
      }),

      atPlace("is refused when a run of its start key is there", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        await pen.write({ runs: [newRun(makeRun(10), "order-1")] });
        expect(await pen.hand({ runs: [newRun(makeRun(20), "order-1")] })).toMatchObject({
          kind: "refused",
          reason: "constraint",
        });
        expect((await store.findRunByKey("order-1"))?.run.id).toBe(10);
      }),

      atPlace("and those behind it commit in the order in which they were handed over", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const first = makeRow(11);
        const versions = Array.from({ length: 20 }, (_, index) => ({ ...first, version: index + 1, via: `v${index}` }));
        const handed = versions.map((row, index) => {
          const before = versions[index - 1];
          return before === undefined
            ? pen.hand({ runs: [newRun(makeRun(10))], rows: [newRow(10, row)] })
            : pen.hand({ rows: [changedRow(10, row, before)] });
        });
        expect((await Promise.all(handed)).map(({ kind }) => kind)).toEqual(versions.map(() => "committed"));
        expect((await store.findRow(11))?.row.via).toBe("v19");
        expect(await store.lastCommit()).toBe(20);
      }),

      atPlace("takes those behind it along when it fails", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        await pen.write({ runs: [newRun(makeRun(10))] });
        const failing = pen.hand({ runs: [newRun(makeRun(10))] });
        const behind = pen.hand({ runs: [newRun(makeRun(20))] });
        expect(await failing).toMatchObject({ kind: "refused", reason: "constraint" });
        expect(await behind).toMatchObject({ kind: "refused", reason: "behind" });
        expect(await store.findRun(20)).toBeUndefined();
      }),

      atPlace("writes an event once, however often its message is decided", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const second = { ...event, id: "m2", kind: "cancelled" };
        await pen.write({ runs: [newRun(makeRun(10))], events: [{ run: 10, event }] });
        await pen.write({
          events: [
            { run: 10, event: { ...event, kind: "again" } },
            { run: 10, event: second },
          ],
        });
        expect(await store.listEvents(10)).toEqual([event, second]);
      }),
    ],
  },

  {
    name: "what is written",
    cases: [
      atPlace("may be large, deep and odd", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const deep = JSON.parse(`${"[".repeat(120)}${"]".repeat(120)}`);
        const odd = JSON.parse(
          '{"__proto__":{"isAdmin":true},"nul":"a\\u0000b","half":"\\ud800","none":null,"tiny":1e-7}',
        );
        const row = makeRow(11, { args: { text: "ä🙂".repeat(50_000) }, via: "🙂" });
        const done = finishRow(row, { result: { deep, odd, long: "x".repeat(100_000) } });
        await pen.write({ runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        expect(await store.listRows(10)).toEqual([row]);
        await pen.write({ rows: [changedRow(10, done, row)] });
        expect(await store.listRows(10)).toEqual([done]);
        expect(JSON.stringify((await store.findRow(11))?.row.result)).toBe(JSON.stringify(done.result));
      }),

      atSharedPlace("is seen by those who only read, at once", async (place, expect) => {
        const owner = await place.open();
        const guest = await place.open();
        const pen = createPen(await claim(owner));
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
        expect((await guest.findRun(10))?.run.name).toBe("greet");
        expect(await guest.listRows(10)).toHaveLength(1);
        expect(await guest.lastCommit()).toBe(1);
      }),

      atSharedPlace("is still there when the store is opened again", async (place, expect) => {
        const before = await place.open();
        const pen = createPen(await claim(before));
        const row = makeRow(11, { warnings: ["slow"] });
        await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        await before.close();
        const after = await place.open();
        expect(await after.listRows(10)).toEqual([row]);
      }),
    ],
  },
];
