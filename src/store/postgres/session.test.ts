import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { openTcpProxy, type TcpProxy } from "../../testing/tcp-proxy.ts";
import { createPool, openSession, openSettings } from "./connection.ts";
import { Session, SessionError } from "./session.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

async function open(url: string = database.url, answerWithinMs = 10_000): Promise<Session> {
  const session = await Session.connect(openSettings(url).config, { answerWithinMs });
  onTestFinished(() => session.destroy(new Error("the test is over")));
  return session;
}

async function openProxy(): Promise<TcpProxy> {
  const proxy = await openTcpProxy(database.url);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function processOf(session: Session): Promise<number> {
  const [[process] = []] = await session.query("select pg_backend_pid()");
  return Number(process);
}

describe("a session", () => {
  it("answers in the order in which it was asked, however much is under way", async () => {
    const session = await open();
    const order: number[] = [];
    const asked = [3, 2, 1, 0].map(async (no) => {
      const [[answer] = []] = await session.query(`select $1::int, pg_sleep(${no / 100})`, [no]);
      order.push(Number(answer));
    });
    expect(session.underWay).toBe(4);
    await Promise.all(asked);
    expect(order).toEqual([3, 2, 1, 0]);
  });

  it("gives numbers, texts, truths and nulls back as they were given", async () => {
    const session = await open();
    const text = `a "b" \\c 'd' {e,f} ü🙂\n`;
    const list = [text, null, "", "null"];
    expect(
      await session.query(
        "select $1::bigint, $2::text, $3::int2, null, $4::bool, $5::text[] = $6::text[], $5::text[]",
        [9_007_199_254_740_991, text, -7, true, list, list],
      ),
    ).toEqual([[9_007_199_254_740_991, text, -7, null, true, true, expect.any(String)]]);
    const rows = await session.query("select unnest($1::text[])", [list]);
    expect(rows.map(([value]) => value)).toEqual(list);
  });

  it("takes the statements of one exchange as one transaction", async () => {
    const session = await open();
    await session.run("create temporary table kept (no int primary key)");
    const insert = (no: number): { name: string; text: string; values: number[] } => ({
      name: "insert_kept",
      text: "insert into kept values ($1)",
      values: [no],
    });
    await session.pipeline([insert(1), insert(2)]);
    const failing = session.pipeline([insert(3), insert(1), insert(4)]);
    const behind = session.pipeline([insert(5)]);
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await behind;
    expect(await session.query("select no from kept order by no")).toEqual([[1], [2], [5]]);
  });

  it("prepares again what an exchange that failed may have left behind", async () => {
    const session = await open();
    const good = { name: "good", text: "select 1", values: [] };
    await expect(session.pipeline([good, { name: "bad", text: "select nothing", values: [] }])).rejects.toThrow(
      "nothing",
    );
    expect(await session.pipeline([good])).toEqual([[[1]]]);
    expect(await session.pipeline([good, { name: "bad", text: "select 2", values: [] }])).toEqual([[[1]], [[2]]]);
  });

  it("says what the server said last when that ends it, once, to all who wait", async () => {
    const session = await open();
    const other = await open();
    const ends: string[] = [];
    session.onEnd(({ message }) => ends.push(message));
    const process = await processOf(session);
    const waiting = [session.query("select pg_sleep(60)"), session.query("select 1")];
    const settled = Promise.allSettled(waiting);
    await other.query("select pg_terminate_backend($1)", [process]);
    for (const answer of await settled)
      expect(answer).toMatchObject({ status: "rejected", reason: expect.any(SessionError) });
    await expect(session.query("select 1")).rejects.toBeInstanceOf(SessionError);
    expect(ends).toEqual([expect.stringContaining("administrator")]);
    expect(session.isOpen).toBe(false);
  });

  it("ends when no answer comes in time, and knows it then", async () => {
    const proxy = await openProxy();
    const session = await open(proxy.through(database.url), 200);
    const ended = new Promise<Error>((resolve) => session.onEnd(resolve));
    proxy.disturb({ stalled: "both" });
    await expect(session.query("select 1")).rejects.toThrow("did not answer within 200 ms");
    expect((await ended).message).toContain("200 ms");
  });

  it("tells those who wait when the line is cut", async () => {
    const proxy = await openProxy();
    const session = await open(proxy.through(database.url));
    const waiting = session.query("select pg_sleep(60)");
    proxy.cut();
    await expect(waiting).rejects.toBeInstanceOf(SessionError);
  });

  it("answers what is under way before it ends", async () => {
    const session = await open();
    const asked = session.query("select 1, pg_sleep(0.01)");
    await session.end();
    expect((await asked)[0]?.[0]).toBe(1);
    await expect(session.query("select 1")).rejects.toThrow("was ended");
  });
});

describe("a pool", () => {
  it("opens new sessions in place of those that ended", async () => {
    const pool = createPool(openSettings(database.url));
    const other = await open();
    const read = async (): Promise<number> => Number((await pool.rows("who", "select pg_backend_pid()", []))[0]?.[0]);
    const before = await read();
    await other.query("select pg_terminate_backend($1)", [before]);
    const after = await read().catch(read);
    expect(after).not.toBe(before);
    await pool.close();
    await expect(read()).rejects.toMatchObject({ code: "STORE_LOST" });
  });

  it("reads on four sessions at a time, and no more", async () => {
    const pool = createPool(openSettings(database.url));
    const asked = Array.from({ length: 12 }, () => pool.rows("slow", "select pg_backend_pid(), pg_sleep(0.02)", []));
    expect(pool.underWay()).toBe(12);
    const processes = new Set((await Promise.all(asked)).map(([row]) => row?.[0]));
    expect(processes.size).toBe(4);
    expect(pool.underWay()).toBe(0);
    await pool.close();
  });
});

describe("a session that is opened for a purpose", () => {
  it("sees our schema alone, waits for nothing for ever, and does not change its plans", async () => {
    const session = await openSession(openSettings(`${database.url}?schema=some_schema`), "own");
    const shown = await session.query(`select current_setting('search_path'), current_setting('plan_cache_mode'),
      current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('synchronous_commit'),
      current_setting('application_name')`);
    expect(shown).toEqual([["some_schema", "force_generic_plan", "8s", "5s", "on", "stepwell"]]);
    await session.end();
  });

  it("does not wait for the disk when it need not", async () => {
    const session = await openSession(openSettings(database.url, { durability: "fast" }), "write");
    expect(await session.query("select current_setting('synchronous_commit')")).toEqual([["off"]]);
    await session.end();
  });

  it("is refused in our words when nobody answers, or not to us", async () => {
    const nowhere = openSettings("postgres://ann:secret@127.0.0.1:1/app");
    const problem = await openSession(nowhere, "read").catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(String(problem)).toContain("postgres://ann@127.0.0.1:1/app");
    expect(String(problem)).not.toContain("secret");
    const missing = new URL(database.url);
    missing.pathname = "/not_there";
    await expect(openSession(openSettings(missing.href), "read")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  });

  it("uses another process of the server for each", async () => {
    const [one, other] = [await open(), await open()];
    expect(await processOf(one)).not.toBe(await processOf(other));
  });
});
