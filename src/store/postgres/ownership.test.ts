import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { StepwellError } from "../../error.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { openTcpProxy, type TcpProxy } from "../../testing/tcp-proxy.ts";
import { card, claim, createPen, makeRow, makeRun, newRow, newRun, type Pen } from "../conformance/subject.ts";
import type { Committed, InboxMessage, Ownership, Store } from "../store.ts";
import { createPool, openSession, openSettings } from "./connection.ts";
import { endLost } from "./lock.ts";
import { openPostgres, type PostgresOptions } from "./open.ts";
import type { Session } from "./session.ts";

let database: TestDatabase;
let admin: Session;

beforeAll(async () => {
  database = await createTestDatabase();
  await (await openPostgres(database.url)).close();
  admin = await openSession(openSettings(database.url), "migrate");
});

beforeEach(async () => {
  await admin.run("truncate runs, steps, commits, inbox; update partitions set epoch = '', owner = null");
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

async function open(options: PostgresOptions = {}, url: string = database.url): Promise<Store> {
  const store = await openPostgres(url, { durability: "fast", ...options });
  onTestFinished(() => store.close());
  return store;
}

async function openProxy(): Promise<TcpProxy> {
  const proxy = await openTcpProxy(database.url);
  // Whoever waits for a line that is stalled would wait until the end of its patience.
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Times in which a test need not wait long for anything, and others are not taken for dead by chance. */
const impatient = { answerWithinMs: 1000, pingEveryMs: 100, heartbeatMs: 100, deadAfterMs: 2000 } as const;

function lossOf(ownership: Ownership): Promise<StepwellError> {
  return new Promise((resolve) => ownership.onLost(resolve));
}

/** The session of the server that holds the first lock. */
async function findHolder(): Promise<number> {
  const [[pid] = []] = await admin.query("select session_pid from partitions where no = 0");
  return Number(pid);
}

async function endHolder(): Promise<void> {
  await admin.query("select pg_terminate_backend($1)", [await findHolder()]);
}

async function claimAtLast(store: Store): Promise<Ownership> {
  for (;;) {
    const claimed = await store.claim({ ...card, pid: 99 });
    if (claimed.kind === "owned") return claimed.ownership;
  }
}

async function runIds(): Promise<readonly unknown[]> {
  return (await admin.query("select id from runs order by id")).map(([id]) => id);
}

describe("an ownership", () => {
  it("is all of 64 locks, or none", async () => {
    const settings = openSettings(database.url);
    const other = await openSession(settings, "read");
    onTestFinished(() => other.end());
    await other.query("select pg_advisory_lock($1, 40)", [settings.lockClass]);
    const store = await open();
    expect((await store.claim(card)).kind).toBe("taken");
    expect(await other.query("select pg_try_advisory_lock($1, 0)", [settings.lockClass])).toEqual([[true]]);
    await other.query("select pg_advisory_unlock_all()");
    expect((await store.claim(card)).kind).toBe("owned");
  });

  it("is handed over at once by whoever releases it", async () => {
    const [first, second] = [await open(), await open()];
    const pen = createPen(await claim(first));
    const handed = [1, 2, 3].map((id) => pen.hand({ runs: [newRun(makeRun(id))] }));
    await pen.ownership.release();
    expect((await Promise.all(handed)).map(({ kind }) => kind)).toEqual(["committed", "committed", "committed"]);
    const next = createPen(await claim(second));
    await next.write({ runs: [newRun(makeRun(4))] });
    expect(await pen.hand({ runs: [newRun(makeRun(5))] })).toMatchObject({ kind: "unknown" });
    expect(await runIds()).toEqual([1, 2, 3, 4]);
  });

  it("is not given up for a claim while its heart beats, however often somebody asks", async () => {
    const [first, second] = [await open({ heartbeatMs: 20 }), await open({ deadAfterMs: 2000 })];
    const ownership = await claim(first);
    for (let ask = 0; ask < 20; ask++) expect((await second.claim({ ...card, pid: 88 })).kind).toBe("taken");
    await createPen(ownership).write({ runs: [newRun(makeRun(1))] });
  });

  it("P3: of somebody who is cut off is taken over, and nothing that comes late counts", async () => {
    const proxy = await openProxy();
    const [first, second] = [await open(impatient, proxy.through(database.url)), await open(impatient)];
    const pen = createPen(await claim(first));
    await pen.write({ runs: [newRun(makeRun(1))] });
    const lost = lossOf(pen.ownership);
    proxy.disturb({ stalled: "both" });
    const late = pen.hand({ runs: [newRun(makeRun(2))] });
    const behind = pen.hand({ runs: [newRun(makeRun(3))] });
    const next = createPen(await claimAtLast(second));
    await next.write({ runs: [newRun(makeRun(4))] });
    expect([await late, await behind].map(({ kind }) => kind)).toEqual(["unknown", "unknown"]);
    expect(await lost).toMatchObject({ code: "STORE_LOST" });
    proxy.disturb();
    await next.write({ runs: [newRun(makeRun(5))] });
    expect(await runIds()).toEqual([1, 4, 5]);
    expect((await first.claim(card)).kind).toBe("taken");
    await next.ownership.release();
    expect((await first.claim(card)).kind).toBe("owned");
  });

  it("P4: of somebody who stood still is gone when they go on, and their batch changes nothing", async () => {
    const proxy = await openProxy();
    const [first, second] = [
      // It does not notice by itself that nobody answers.
      await open({ heartbeatMs: 60_000, pingEveryMs: 60_000 }, proxy.through(database.url)),
      await open({ deadAfterMs: 100 }),
    ];
    const pen = createPen(await claim(first));
    await pen.write({ runs: [newRun(makeRun(1))] });
    proxy.disturb({ stalled: "to_client" });
    const next = createPen(await claimAtLast(second));
    await next.write({ runs: [newRun(makeRun(2))] });
    const late = pen.hand({ runs: [newRun(makeRun(3))] });
    proxy.disturb();
    expect(await late).toMatchObject({ kind: "unknown" });
    expect(await runIds()).toEqual([1, 2]);
  });

  it("is claimed once when many find its owner dead at the same time", async () => {
    const proxy = await openProxy();
    const dead = await open({ answerWithinMs: 1000 }, proxy.through(database.url));
    await claim(dead);
    proxy.disturb({ stalled: "both" });
    await admin.run("update partitions set heartbeat_at = clock_timestamp() - interval '1 hour'");
    const stores = await Promise.all([1, 2, 3, 4].map(() => open({ deadAfterMs: 30_000 })));
    const claims = await Promise.all(stores.map((store) => store.claim(card)));
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(["owned", "taken", "taken", "taken"]);
    expect(await findHolder()).toBeGreaterThan(0);
  });
});

describe("an ownership whose session ends", () => {
  it("is lost for good; what was handed over is unknown, and its store may claim again at once", async () => {
    const problems: string[] = [];
    const store = await open({ onProblem: ({ code }) => problems.push(code) });
    const pen = createPen(await claim(store));
    await pen.write({ runs: [newRun(makeRun(1))] });
    const onLost = vi.fn<(problem: StepwellError) => void>();
    pen.ownership.onLost(onLost);
    await holdUp(async () => {
      const handed = [2, 3].map((id) => pen.hand({ runs: [newRun(makeRun(id))] }));
      await endHolder();
      expect((await Promise.all(handed)).map(({ kind }) => kind)).toEqual(["unknown", "unknown"]);
    });
    expect(await pen.hand({ runs: [newRun(makeRun(4))] })).toMatchObject({ kind: "unknown" });
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(problems).toEqual(["STORE_LOST"]);
    const again = createPen(await claimAtLast(store));
    expect(again.ownership.epoch).not.toBe(pen.ownership.epoch);
    await again.write({ runs: [newRun(makeRun(5))] });
    expect(await runIds()).toEqual([1, 5]);
    await pen.ownership.release();
    await again.write({ runs: [newRun(makeRun(6))] });
  });

  it("is lost when it is idle, too: who listens afterwards hears of it", async () => {
    const ownership = await claim(await open());
    const lost = lossOf(ownership);
    await endHolder();
    expect((await lost).message).toContain("was lost");
    expect(await lossOf(ownership)).toBe(await lost);
  });

  it("is lost when an idle line is dead without a word", async () => {
    const proxy = await openProxy();
    const ownership = await claim(await open(impatient, proxy.through(database.url)));
    const lost = lossOf(ownership);
    proxy.disturb({ stalled: "both" });
    expect(await lost).toMatchObject({ code: "STORE_LOST" });
  });

  it("takes the sessions that read with it, which may be as dead", { timeout: 20_000 }, async () => {
    const proxy = await openProxy();
    const store = await open(impatient, proxy.through(database.url));
    const ownership = await claim(store);
    const before = await store.lastCommit();
    const lost = lossOf(ownership);
    proxy.cutServerSide();
    await lost;
    expect(await store.lastCommit()).toBe(before);
  });

  it("is ended on the server as well, so that its store need not wait for that", async () => {
    const settings = openSettings(database.url);
    const pool = createPool(settings, "write");
    onTestFinished(() => pool.close());
    const ownership = await claim(await open());
    const lost = lossOf(ownership);
    await endLost(pool, settings, "another0");
    await createPen(ownership).write({ runs: [newRun(makeRun(1))] });
    await endLost(pool, settings, ownership.epoch);
    expect(await lost).toMatchObject({ code: "STORE_LOST" });
  });

  it("never throws out of band, at whichever byte the line is cut", async () => {
    for (const bytes of [1, 40, 400, 1500]) {
      const proxy = await openProxy();
      const store = await open({}, proxy.through(database.url));
      const pen = createPen(await claimAtLast(store));
      const lost = lossOf(pen.ownership);
      const before = await runIds();
      proxy.disturb({ cutAfter: { direction: bytes % 2 === 0 ? "to_server" : "to_client", bytes } });
      const answers: Committed[] = [];
      for (let id = 1; answers.at(-1)?.kind !== "unknown"; id++)
        answers.push(await pen.hand({ runs: [newRun(makeRun(bytes * 100 + id))] }));
      await lost;
      const written = (await runIds()).length - before.length;
      const acknowledged = answers.length - 1;
      expect([acknowledged, acknowledged + 1]).toContain(written);
      proxy.disturb();
      await pen.ownership.release();
    }
  });
});

describe("an ownership that another has taken", () => {
  async function takeAway(): Promise<void> {
    await admin.run("update partitions set epoch = 'another0' where no = 63");
  }

  it("is lost with the next batch", async () => {
    const pen: Pen = createPen(await claim(await open()));
    const lost = lossOf(pen.ownership);
    await takeAway();
    expect(await pen.hand({ runs: [newRun(makeRun(1))] })).toMatchObject({ kind: "unknown" });
    expect(await lost).toMatchObject({ code: "STORE_LOST" });
    expect(await runIds()).toEqual([]);
  });

  it("is lost with the next beat of its heart", async () => {
    const ownership = await claim(await open({ heartbeatMs: 20 }));
    const lost = lossOf(ownership);
    await takeAway();
    expect((await lost).message).toContain("another process has taken it");
  });
});

describe("a batch that is on disk when its process has stood still", () => {
  const standStillMs = 60_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
  });

  async function readHeart(): Promise<unknown> {
    return (await admin.query("select heartbeat_at from partitions where no = 0"))[0]?.[0];
  }

  it("is acknowledged when the store is still ours, which is asked", async () => {
    const pen = createPen(await claim(await open({ heartbeatMs: 60_000 })));
    const before = await readHeart();
    await pen.write({ runs: [newRun(makeRun(1))] });
    expect(await readHeart()).toBe(before);
    const handed = [2, 3].map((id) => pen.hand({ runs: [newRun(makeRun(id))] }));
    vi.setSystemTime(Date.now() + standStillMs);
    expect((await Promise.all(handed)).map(({ kind }) => kind)).toEqual(["committed", "committed"]);
    expect(await readHeart()).not.toBe(before);
  });

  it("is unknown when another has taken over meanwhile", async () => {
    const proxy = await openProxy();
    const times = { heartbeatMs: 60_000, pingEveryMs: 60_000 };
    const [first, second] = [await open(times, proxy.through(database.url)), await open({ deadAfterMs: 100 })];
    const pen = createPen(await claim(first));
    const lost = lossOf(pen.ownership);
    proxy.disturb({ stalled: "to_client" });
    const handed = pen.hand({ runs: [newRun(makeRun(1))] });
    const next = createPen(await claimAtLast(second));
    expect(await runIds()).toEqual([1]);
    await next.write({ runs: [newRun(makeRun(2))] });
    vi.setSystemTime(Date.now() + standStillMs);
    proxy.disturb();
    expect(await handed).toMatchObject({ kind: "unknown" });
    expect(await lost).toMatchObject({ code: "STORE_LOST" });
  });
});

describe("batches", () => {
  it("are refused while somebody holds a table, and committed when it is free again", async () => {
    const pen = createPen(await claim(await open({ answerWithinMs: 1000 })));
    const batch = { runs: [newRun(makeRun(1))] };
    await holdUp(async () => {
      expect(await pen.hand(batch)).toMatchObject({ kind: "refused", reason: "busy" });
    });
    const again = createPen(pen.ownership);
    await again.write(batch);
  });

  it("are answered in their order, also one that is refused before it is sent", async () => {
    const pen = createPen(await claim(await open()));
    const order: string[] = [];
    const handed = [
      pen.hand({ runs: [newRun(makeRun(1))] }),
      pen.hand({ rows: [newRow(1, makeRow(11, { visit: 0.5 }))] }),
      pen.hand({ runs: [newRun(makeRun(2))] }),
    ].map(async (answer) => {
      const committed = await answer;
      order.push(committed.kind === "refused" ? committed.reason : committed.kind);
    });
    await Promise.all(handed);
    expect(order).toEqual(["committed", "constraint", "behind"]);
  });
});

describe("a hint", () => {
  it("tells guests of a commit, and the owner of a message, before they look by themselves", async () => {
    const [owner, guest] = [await open({ lookEveryMs: 60_000 }), await open({ lookEveryMs: 60_000 })];
    const pen = createPen(await claim(owner));
    const received = new Promise<readonly InboxMessage[]>((resolve) => {
      pen.ownership.onInbox((messages) => {
        if (messages.length > 0) resolve(messages);
      });
    });
    const hinted = new Promise<void>((resolve) => {
      guest.onHint(async () => {
        if ((await guest.lastCommit()) === pen.ownership.lastCommit + 1) resolve();
      });
    });
    await guest.post({ hello: 1 }, "ann");
    expect(await received).toMatchObject([{ message: { hello: 1 } }]);
    await pen.write({ runs: [newRun(makeRun(1))] });
    await hinted;
  });

  it("comes again after its line was cut", async () => {
    const proxy = await openProxy();
    const owner = await open();
    const guest = await open({}, proxy.through(database.url));
    const pen = createPen(await claim(owner));
    let hints = 0;
    guest.onHint(() => (hints += 1));
    await vi.waitUntil(() => hints > 0, { timeout: 10_000 });
    proxy.cut();
    const before = hints;
    await vi.waitUntil(() => hints > before, { timeout: 10_000 });
    const opened = hints;
    await pen.write({ runs: [newRun(makeRun(1))] });
    await vi.waitFor(() => expect(hints).toBeGreaterThan(opened), { timeout: 10_000 });
  });
});

/** While `act` runs, no batch can be written. */
async function holdUp(act: () => Promise<void>): Promise<void> {
  const other = await openSession(openSettings(database.url), "migrate");
  try {
    await other.run("begin; lock table commits in access exclusive mode");
    await act();
  } finally {
    other.destroy(new Error("let go"));
  }
}
