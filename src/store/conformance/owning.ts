import type { InboxMessage, Ownership } from "../store.ts";
import {
  card,
  changedRow,
  claim,
  createPen,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  atPlace,
  atSharedPlace,
  type Group,
} from "./subject.ts";

/** The messages that come until there are `count`. */
async function receive(ownership: Ownership, count: number): Promise<readonly InboxMessage[]> {
  const { promise, resolve } = Promise.withResolvers<readonly InboxMessage[]>();
  const received: InboxMessage[] = [];
  ownership.onInbox((messages) => {
    received.push(...messages);
    if (received.length >= count) resolve(received);
  });
  // The store's own timer keeps no process alive.
  const awake = setInterval(() => {}, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(awake);
  }
}

export const owning: readonly Group[] = [
  {
    name: "the ownership",
    cases: [
      atPlace("E3-05: has one holder at a time, and whoever comes second learns who it is", async (place, expect) => {
        const store = await place.open();
        const ownership = await claim(store, { ...card, pid: 77, address: "http://127.0.0.1:1" });
        expect(await store.claim({ ...card, pid: 88 })).toEqual({
          kind: "taken",
          owner: { ...card, pid: 77, address: "http://127.0.0.1:1" },
        });
        await ownership.release();
        expect((await store.claim({ ...card, pid: 88 })).kind).toBe("owned");
        expect(await store.findOwner()).toEqual({ ...card, pid: 88 });
      }),

      atSharedPlace("X9: is refused to everybody else who has opened the same place", async (place, expect) => {
        const [first, second] = [await place.open(), await place.open()];
        const ownership = await claim(first);
        expect(await second.claim({ ...card, pid: 88 })).toEqual({ kind: "taken", owner: card });
        await ownership.release();
        expect((await second.claim({ ...card, pid: 88 })).kind).toBe("owned");
        expect((await first.claim(card)).kind).toBe("taken");
      }),

      atSharedPlace("ends when its store is closed", async (place, expect) => {
        const [first, second] = [await place.open(), await place.open()];
        await claim(first);
        await first.close();
        expect((await second.claim(card)).kind).toBe("owned");
      }),

      atPlace("has an epoch of its own each time", async (place, expect) => {
        const store = await place.open();
        const first = await claim(store);
        await first.release();
        const second = await claim(store);
        expect(first.epoch).toMatch(/^[a-z0-9]{8}$/);
        expect(second.epoch).toMatch(/^[a-z0-9]{8}$/);
        expect(second.epoch).not.toBe(first.epoch);
      }),

      atPlace("E0-05: goes on with the ids and commits of the one before", async (place, expect) => {
        const store = await place.open();
        const first = await claim(store);
        expect([first.lastId, first.lastCommit]).toEqual([0, 0]);
        const pen = createPen(first);
        await pen.write({ lastId: 1_774_093_092_892, runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
        await pen.write({ lastId: 1_774_093_092_895 });
        await first.release();
        const second = await claim(store);
        expect([second.lastId, second.lastCommit]).toEqual([1_774_093_092_895, 2]);
      }),

      atPlace("waits at its end for what was handed over", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const handed = [10, 20, 30].map((id) => pen.hand({ runs: [newRun(makeRun(id))] }));
        await pen.ownership.release();
        expect((await Promise.all(handed)).map(({ kind }) => kind)).toEqual(["committed", "committed", "committed"]);
        expect(await store.listRuns({ status: "all", limitMax: 10 })).toHaveLength(3);
      }),
    ],
  },

  {
    name: "the inbox",
    cases: [
      atPlace("brings each message once, in order, and its answer back", async (place, expect) => {
        const store = await place.open();
        const pen = createPen(await claim(store));
        const first = await store.post({ kind: "start" }, "ann");
        const received = receive(pen.ownership, 2);
        const second = await store.post({ kind: "cancel", run: 3 }, "bob");
        expect(await received).toEqual([
          { id: first, message: { kind: "start" }, by: "ann" },
          { id: second, message: { kind: "cancel", run: 3 }, by: "bob" },
        ]);
        expect(await store.findAnswer(first)).toBeUndefined();
        await pen.write({
          answers: [
            { id: first, answer: { ok: true } },
            { id: second, answer: null },
          ],
        });
        expect(await store.findAnswer(first)).toEqual({ answer: { ok: true } });
        expect(await store.findAnswer(second)).toEqual({ answer: null });
        expect(await store.findAnswer(second + 1)).toBeUndefined();
      }),

      atSharedPlace("reaches the owner from any other process", async (place, expect) => {
        const [owner, guest] = [await place.open(), await place.open()];
        const pen = createPen(await claim(owner));
        const received = receive(pen.ownership, 1);
        const id = await guest.post({ kind: "approve" }, "bob");
        expect(await received).toEqual([{ id, message: { kind: "approve" }, by: "bob" }]);
        await pen.write({ answers: [{ id, answer: "done" }] });
        expect(await guest.findAnswer(id)).toEqual({ answer: "done" });
      }),

      atSharedPlace("brings all messages of guests while the owner writes as fast as it can", async (place, expect) => {
        const [owner, guest] = [await place.open(), await place.open()];
        const pen = createPen(await claim(owner));
        const received = receive(pen.ownership, 30);
        const over = new AbortController();
        const writing = (async () => {
          for (let id = 1000; !over.signal.aborted; id += 1) await pen.write({ runs: [newRun(makeRun(id))] });
        })();
        const posted = [];
        for (let count = 0; count < 30; count += 1) posted.push(await guest.post(count, "ann"));
        const messages = await received;
        over.abort();
        await writing;
        expect(messages.map(({ id }) => id)).toEqual(posted);
        expect(messages.map(({ message }) => message)).toEqual(posted.map((_, index) => index));
      }),

      atPlace("keeps what nobody has answered for the next owner", async (place, expect) => {
        const store = await place.open();
        const first = createPen(await claim(store));
        const received = receive(first.ownership, 2);
        const answered = await store.post("one", "ann");
        const open = await store.post("two", "ann");
        await received;
        await first.write({ answers: [{ id: answered, answer: 1 }] });
        await first.ownership.release();
        expect(await receive(await claim(store), 1)).toEqual([{ id: open, message: "two", by: "ann" }]);
      }),

      atSharedPlace("forgets answers that are old", async (place, expect) => {
        let now = 1000;
        const store = await place.open({ clock: () => now });
        const pen = createPen(await claim(store));
        const ids = [await store.post("one", "ann"), await store.post("two", "ann")];
        await pen.write({ answers: [{ id: ids[0] ?? 0, answer: 1 }] });
        now += 24 * 3_600_000;
        const young = await store.post("three", "ann");
        await pen.write({ answers: [{ id: young, answer: 3 }] });
        await pen.ownership.tidy();
        expect(await place.query("select id from inbox order by id")).toEqual([{ id: ids[1] }, { id: young }]);
      }),
    ],
  },

  {
    name: "the work that waits",
    cases: [
      atPlace("E0-35: is given oldest first, and no more than asked for", async (place, expect) => {
        const pen = createPen(await claim(await place.open()));
        const ready = [13, 11, 12].map((id) => makeRow(id, { status: "ready", readyAt: 1000 + (20 - id) }));
        await pen.write({
          flows: [flow],
          runs: [newRun(makeRun(10))],
          rows: [
            ...ready.map((row) => newRow(10, row)),
            newRow(10, makeRow(14)),
            newRow(10, makeRow(15, { status: "pending" })),
          ],
        });
        expect(await pen.ownership.listReady(50)).toEqual([13, 12, 11].map((row) => ({ run: 10, row })));
        expect(await pen.ownership.listReady(2)).toHaveLength(2);
      }),

      atPlace("E1-15: of an owner that is gone is found by its epoch", async (place, expect) => {
        const store = await place.open();
        const first = createPen(await claim(store));
        const old = makeRow(11, { token: `11.${first.ownership.epoch}` });
        await first.write({ runs: [newRun(makeRun(10))], rows: [newRow(10, old)] });
        expect(await first.ownership.listInterrupted()).toEqual([]);
        await first.ownership.release();
        const second = createPen(await claim(store));
        const own = makeRow(12, { token: `12.${second.ownership.epoch}` });
        const pending = makeRow(13, { status: "pending" });
        await second.write({ rows: [newRow(10, own), newRow(10, pending)] });
        expect(await second.ownership.listInterrupted()).toEqual([{ run: 10, row: 11, token: old.token }]);
      }),

      atPlace("E3-40: is due at its time, also after the owner has changed", async (place, expect) => {
        const store = await place.open();
        const first = createPen(await claim(store));
        const retry = makeRow(11, { status: "pending", readyAt: null, alarms: [{ kind: "retry", at: 5000 }] });
        const scheduled = makeRun(20, { status: "scheduled", startedAt: null, alarms: [{ kind: "start", at: 7000 }] });
        await first.write({ runs: [newRun(makeRun(10)), newRun(scheduled)], rows: [newRow(10, retry)] });
        await first.ownership.release();
        const second = createPen(await claim(store));
        const { ownership } = second;
        expect(await ownership.listDue(4999, 10)).toEqual([]);
        expect(await ownership.nextDueAt(0)).toBe(5000);
        expect(await ownership.listDue(5000, 10)).toEqual([10]);
        expect(await ownership.nextDueAt(5000)).toBe(7000);
        expect(await ownership.listDue(7000, 10)).toEqual([10, 20]);
        expect(await ownership.nextDueAt(7000)).toBeUndefined();
        const over = { ...retry, version: 2, status: "ready" as const, readyAt: 5000, alarms: [] };
        await second.write({ rows: [changedRow(10, over, retry)] });
        expect(await ownership.listDue(5000, 10)).toEqual([]);
      }),

      atPlace("E0-36: is overdue when it runs longer than it may", async (place, expect) => {
        const pen = createPen(await claim(await place.open()));
        const slow = makeRow(11, { alarms: [{ kind: "timeout", at: 121_000 }] });
        await pen.write({ runs: [newRun(makeRun(10))], rows: [newRow(10, slow)] });
        expect(await pen.ownership.listOverdue(120_999, 10)).toEqual([]);
        expect(await pen.ownership.listOverdue(121_000, 10)).toEqual([10]);
      }),
    ],
  },
];
