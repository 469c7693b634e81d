import type { Row, RunId } from "../../run/model.ts";
import type { AuditRecord } from "../audit.ts";
import type { OutcomePage, Rating } from "../outcome.ts";
import type { RowWrite, Store } from "../store.ts";
import {
  atPlace,
  claim,
  createPen,
  endRun,
  finishRow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  type Group,
  type Pen,
} from "./subject.ts";

const rating = (run: RunId, step: number | null, fields: Partial<Rating> = {}): Rating => ({
  run,
  step,
  by: "ann",
  quality: "up",
  feedback: null,
  at: 5000,
  ...fields,
});

const told: AuditRecord = {
  at: 1000,
  user: "ann",
  via: null,
  source: "cli",
  verb: "run.cancel",
  subject: "10",
  details: { reason: "wrong \u0000 order" },
};

function done(id: number, fields: Partial<Row> = {}): RowWrite {
  return newRow(10, finishRow(makeRow(id), { completedAt: 1000 + id, finishedNo: id, ...fields }));
}

/** Run 10 of "greet" with calls 11 to 13, and run 20 of "pay" with call 21, which failed. */
async function writeCalls({ write }: Pen): Promise<void> {
  const failed = finishRow(makeRow(21, { tool: "charge" }), {
    status: "failed",
    result: null,
    error: { code: "boom", message: "It broke." },
    completedAt: 1500,
  });
  await write({
    runs: [
      newRun(endRun(makeRun(10))),
      newRun(endRun(makeRun(20, { name: "pay", createdBy: "ben" }), { status: "failed" })),
    ],
    rows: [
      done(11, { result: { to: "Ann" } }),
      done(12, { result: "🙂ä".repeat(40_000), outcome: "sent" }),
      done(13, { tool: "mail.send", result: null }),
      newRow(20, failed),
      // Under way, of no tool, the list of an each, and taken over from another run: none of these is a call that is over.
      newRow(20, makeRow(22)),
      newRow(20, finishRow(makeRow(23, { tool: null, args: null }))),
      newRow(20, finishRow(makeRow(24, { role: "items", args: null }))),
      newRow(20, finishRow(makeRow(25, { startedAt: null, copiedFrom: 11 }))),
    ],
  });
}

async function listIds(store: Store, page: Partial<OutcomePage> = {}): Promise<readonly number[]> {
  const found = await store.listOutcomes({ limitMax: 20, lookedAtMax: 1000, ...page });
  return found.map(({ row }) => row);
}

const ratings: Group = {
  name: "ratings",
  cases: [
    atPlace("are kept, one of each person, and the next one takes its place", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await writeCalls(pen);
      const text = { feedback: "just so 🙂" };
      await pen.write({ ratings: [rating(10, 12, text), rating(10, 12, { by: "ben", quality: "down" })] });
      expect(await store.listRatings(10)).toEqual([
        rating(10, 12, text),
        rating(10, 12, { by: "ben", quality: "down" }),
      ]);
      await pen.write({ ratings: [rating(10, 12, { quality: "down", at: 6000 })] });
      expect(await store.listRatings(10)).toContainEqual(rating(10, 12, { quality: "down", at: 6000 }));
      expect(await store.listRatings(10)).toHaveLength(2);
      expect(await store.listRatings(20)).toEqual([]);
    }),

    atPlace("of a whole run replace those that the same person gave its steps", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await writeCalls(pen);
      await pen.write({ ratings: [rating(10, 11), rating(10, 12), rating(10, 12, { by: "ben" }), rating(20, 21)] });
      await pen.write({ ratings: [rating(10, null, { quality: "down" })] });
      expect(await store.listRatings(10)).toEqual([
        rating(10, null, { quality: "down" }),
        rating(10, 12, { by: "ben" }),
      ]);
      expect(await store.listRatings(20)).toEqual([rating(20, 21)]);
    }),

    atPlace("AC-73: go with their run, and are none of a run that has gone", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await writeCalls(pen);
      await pen.write({ ratings: [rating(10, 11), rating(20, null)] });
      await pen.write({ ratings: [rating(10, 12)], pruned: [10] });
      await pen.write({ ratings: [rating(10, null)] });
      expect(await store.listRatings(10)).toEqual([]);
      expect(await store.listRatings(20)).toEqual([rating(20, null)]);
      expect(await listIds(store)).toEqual([21]);
      expect(await listIds(store, { quality: "up" })).toEqual([21]);
    }),
  ],
};

const outcomes: Group = {
  name: "outcomes",
  cases: [
    atPlace("AC-61: are the calls that are over, with the beginning of what they gave", async (place, expect) => {
      const store = await place.open();
      await writeCalls(createPen(await claim(store)));
      const [failed, empty, long, first, ...more] = await store.listOutcomes({ limitMax: 20, lookedAtMax: 1000 });
      expect(more).toEqual([]);
      expect(first).toEqual({
        run: 10,
        workflow: "greet",
        flow: "f1",
        row: 11,
        name: "start",
        tool: "log",
        status: "done",
        attempt: 1,
        outcome: null,
        error: null,
        startedAt: 1000,
        completedAt: 1011,
        snapshot: '{"to":"Ann"}',
        quality: null,
        feedback: null,
      });
      expect([long?.outcome, long?.snapshot?.length, long?.snapshot?.slice(0, 4)]).toEqual(["sent", 2047, '"🙂ä']);
      expect(empty).toMatchObject({ row: 13, tool: "mail.send", snapshot: null });
      expect(failed).toMatchObject({ row: 21, status: "failed", error: { code: "boom", message: "It broke." } });
    }),

    atPlace(
      "AC-63: are found by tool, workflow and who started it, newest first, page by page",
      async (place, expect) => {
        const store = await place.open();
        await writeCalls(createPen(await claim(store)));
        expect(await listIds(store)).toEqual([21, 13, 12, 11]);
        expect(await listIds(store, { limitMax: 2 })).toEqual([21, 13]);
        expect(await listIds(store, { limitMax: 2, before: 13 })).toEqual([12, 11]);
        expect(await listIds(store, { tool: "log" })).toEqual([12, 11]);
        expect(await listIds(store, { workflow: "pay" })).toEqual([21]);
        expect(await listIds(store, { createdBy: "ann" })).toEqual([13, 12, 11]);
        expect(await listIds(store, { createdBy: "ann", tool: "charge" })).toEqual([]);
        expect(await listIds(store, { tool: "a\0b" })).toEqual([]);
        // Eight rows in all, of which the newest five are looked at.
        expect(await listIds(store, { lookedAtMax: 5 })).toEqual([21]);
      },
    ),

    atPlace("AC-63: have the quality of their newest rating, or that of their run", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await writeCalls(pen);
      await pen.write({ ratings: [rating(10, null, { feedback: "all of it" }), rating(10, 12, { quality: "down" })] });
      await pen.write({ ratings: [rating(10, 13, { quality: "down", at: 4000 })] });
      const qualities = (await store.listOutcomes({ limitMax: 20, lookedAtMax: 1000 })).map(
        ({ row, quality, feedback }) => [row, quality, feedback],
      );
      expect(qualities).toEqual([
        [21, null, null],
        [13, "up", "all of it"],
        [12, "down", null],
        [11, "up", "all of it"],
      ]);
      expect(await listIds(store, { quality: "up" })).toEqual([13, 11]);
      expect(await listIds(store, { quality: "up", before: 13, tool: "log" })).toEqual([11]);
      expect(await listIds(store, { quality: "down" })).toEqual([12]);
      expect(await listIds(store, { quality: "neutral" })).toEqual([21]);
      // Rated ones are found however old they are.
      expect(await listIds(store, { quality: "down", lookedAtMax: 1 })).toEqual([12]);
    }),

    atPlace("AC-63: are counted by tool, workflow and version", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await writeCalls(pen);
      await pen.write({ ratings: [rating(10, 11), rating(10, 12, { quality: "down" })] });
      const greet = { workflow: "greet", flow: "f1", step: null, failed: 0 };
      const expected = [
        {
          ...greet,
          tool: "charge",
          workflow: "pay",
          total: 1,
          up: 0,
          down: 0,
          failed: 1,
          durationMs: 500,
          timedCount: 1,
        },
        { ...greet, tool: "log", total: 2, up: 1, down: 1, durationMs: 23, timedCount: 2 },
        { ...greet, tool: "mail.send", total: 1, up: 0, down: 0, durationMs: 13, timedCount: 1 },
      ];
      expect(await store.countOutcomes({ lookedAtMax: 1000 })).toEqual(expected);
      expect(await store.countOutcomes({ lookedAtMax: 1000, workflow: "pay" })).toEqual(expected.slice(0, 1));
      expect(await store.countOutcomes({ lookedAtMax: 1000, createdBy: "zoe" })).toEqual([]);
    }),

    atPlace(
      "are counted by their steps for whoever asks, and two that call the same tool are told apart",
      async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        await pen.write({
          runs: [newRun(endRun(makeRun(10)))],
          rows: [done(11, { step: "Z" }), done(12, { step: "a" }), done(13, { step: "a" }), done(14, { tool: "mail" })],
        });
        const counted = await store.countOutcomes({ lookedAtMax: 1000, isByStep: true });
        expect(counted.map(({ tool, step, total }) => [tool, step, total])).toEqual([
          ["log", "Z", 1],
          ["log", "a", 2],
          ["mail", "start", 1],
        ]);
        expect((await store.countOutcomes({ lookedAtMax: 1000 })).map(({ step, total }) => [step, total])).toEqual([
          [null, 3],
          [null, 1],
        ]);
      },
    ),
  ],
};

const audit: Group = {
  name: "the audit",
  cases: [
    atPlace("tells who did what, newest first, page by page", async (place, expect) => {
      const store = await place.open();
      const { write } = createPen(await claim(store));
      const second = { ...told, user: "ben", via: "tok_1", verb: "run.pause", subject: null, details: {} };
      await write({ audit: [told, second] });
      await write({ audit: [{ ...told, verb: "workflow.save", subject: "greet" }] });
      const all = await store.listAudit({ limitMax: 10 });
      expect(all.map(({ no: _no, ...entry }) => entry)).toEqual([
        { ...told, verb: "workflow.save", subject: "greet" },
        second,
        told,
      ]);
      const [newest] = await store.listAudit({ limitMax: 1 });
      expect(newest).toEqual(all[0]);
      expect(await store.listAudit({ limitMax: 10, before: newest?.no ?? 0 })).toEqual(all.slice(1));
      expect(await store.listAudit({ limitMax: 10, user: "ben" })).toEqual(all.slice(1, 2));
      expect(await store.listAudit({ limitMax: 10, user: "ann", verb: "run.cancel" })).toEqual(all.slice(2));
      expect(await store.listAudit({ limitMax: 10, subject: "greet", user: "ann" })).toEqual(all.slice(0, 1));
      expect(await store.listAudit({ limitMax: 10, verb: "x\0" })).toEqual([]);
    }),

    atPlace("is not there when what it tells of is refused", async (place, expect) => {
      const store = await place.open();
      const pen = createPen(await claim(store));
      await pen.write({ runs: [newRun(makeRun(10))] });
      expect(await pen.hand({ runs: [newRun(makeRun(10))], audit: [told] })).toMatchObject({ kind: "refused" });
      expect(await store.listAudit({ limitMax: 10 })).toEqual([]);
    }),

    atPlace("goes by age and by number, a few at a time", async (place, expect) => {
      const store = await place.open();
      const { ownership, write } = createPen(await claim(store));
      const count = async (): Promise<number> => (await store.listAudit({ limitMax: 100 })).length;
      const prune = { before: 0, keepMax: 100, rowsMax: 100 };
      await ownership.pruneAudit(prune);
      await write({ audit: Array.from({ length: 10 }, (_, index) => ({ ...told, at: 1000 + index })) });
      await ownership.pruneAudit(prune);
      expect(await count()).toBe(10);
      await ownership.pruneAudit({ ...prune, before: 1005, rowsMax: 2 });
      expect(await count()).toBe(8);
      await ownership.pruneAudit({ ...prune, before: 1005 });
      expect((await store.listAudit({ limitMax: 100 })).at(-1)?.at).toBe(1005);
      await ownership.pruneAudit({ ...prune, keepMax: 3 });
      expect((await store.listAudit({ limitMax: 100 })).map(({ at }) => at)).toEqual([1009, 1008, 1007]);
    }),

    atPlace("never gives a number twice, however much has gone", async (place, expect) => {
      const store = await place.open();
      const { ownership, write } = createPen(await claim(store));
      await write({ audit: [told, told, told] });
      const numbers = async (): Promise<readonly number[]> =>
        (await store.listAudit({ limitMax: 10 })).map(({ no }) => no);
      const [last = 0] = await numbers();
      const everything = { before: Number.MAX_SAFE_INTEGER, keepMax: 0, rowsMax: 100 };
      for (const isThere of [true, false]) expect(await ownership.pruneAudit(everything)).toBe(isThere);
      expect(await numbers()).toEqual([]);
      await write({ audit: [told, told] });
      const [second = 0, first = 0] = await numbers();
      expect([first > last, second > first]).toEqual([true, true]);
    }),
  ],
};

export const outcomesAndAudit: readonly Group[] = [ratings, outcomes, audit];
