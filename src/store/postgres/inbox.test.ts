import { Client, type QueryResult } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { createTestDatabase } from "../../testing/postgres.ts";
import { claim, createPen } from "../conformance/subject.ts";
import type { InboxMessage, Store } from "../store.ts";
import { createPool, type Pool } from "./connection.ts";
import { appendMessage, pruneInbox, watchInbox } from "./inbox.ts";
import { openPostgres } from "./open.ts";

let place: PostgresPlace;
let writer: Pool;

beforeEach(async () => {
  place = await createPostgresPlace({ durability: "fast" });
  writer = createPool(place.settings, "write");
});

afterEach(async () => {
  await writer.close();
  await place[Symbol.asyncDispose]();
});

const post = { message: { kind: "start" }, by: "ann", at: 1 };

/** What comes, until it is told to stop. */
class Watched {
  readonly messages: InboxMessage[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  readonly watch = watchInbox({
    reader: place.pool,
    listener: (messages) => {
      this.messages.push(...messages);
      if (this.#waiting !== undefined && this.messages.length >= this.#waiting.count) this.#waiting.resolve();
    },
    lookEveryMs: 20,
  });

  async take(count: number): Promise<readonly unknown[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { count, resolve };
    const awake = setInterval(() => {}, 1000);
    if (this.messages.length < count) await promise;
    clearInterval(awake);
    return this.messages.map(({ message }) => message);
  }
}

describe("the watch", () => {
  test("hands over a message that becomes visible after one with a higher id", async () => {
    const slow = new Client({ connectionString: place.url, options: "-c search_path=stepwell" });
    await slow.connect();
    await slow.query("begin");
    await slow.query(`insert into inbox (at, by, message) values (1, 'bob', '"slow"')`);
    await appendMessage(writer, { ...post, message: "swift" });
    const watched = new Watched();
    expect(await watched.take(1)).toEqual(["swift"]);
    await slow.query("commit");
    await slow.end();
    expect(await watched.take(2)).toEqual(["swift", "slow"]);
    watched.watch.stop();
  });

  test("hands over each message once, also those that stay open for long", async () => {
    const watched = new Watched();
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await appendMessage(writer, { ...post, message: count }));
      await watched.take(count + 1);
    }
    await place.write({ answers: [{ id: ids[1] ?? 0, answer: "ok" }] });
    await appendMessage(writer, { ...post, message: "last" });
    expect(await watched.take(6)).toEqual([0, 1, 2, 3, 4, "last"]);
    watched.watch.stop();
  });

  test("hands over nothing after it was stopped", async () => {
    const watched = new Watched();
    watched.watch.stop();
    await appendMessage(writer, post);
    const other = new Watched();
    await other.take(1);
    other.watch.stop();
    expect(watched.messages).toEqual([]);
  });
});

describe("a post", () => {
  test("arrives once, though its session is cut while it is acknowledged", async () => {
    let cuts = 0;
    const cutting: Pool = {
      ...writer,
      rows: async (...given) => {
        const answer = await writer.rows(...given);
        cuts += 1;
        // The row is on disk, and nobody was told.
        if (cuts < 3) await writer.rows("cut", "select pg_terminate_backend(pg_backend_pid())", []);
        return answer;
      },
    };
    const id = await appendMessage(cutting, post);
    expect(cuts).toBe(3);
    expect(await place.session.query("select id from inbox")).toEqual([[id]]);
  });

  test("is given up after a while, with the reason", async () => {
    const broken: Pool = {
      ...writer,
      rows: () => writer.rows("cut", "select pg_terminate_backend(pg_backend_pid())", []),
    };
    await expect(appendMessage(broken, post, 10)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  });

  test("leaves only answers that are old to go", async () => {
    const ids = [];
    for (const at of [1, 1, 100]) ids.push(await appendMessage(writer, { ...post, at }));
    await place.write({ answers: [ids[0] ?? 0, ids[2] ?? 0].map((id) => ({ id, answer: null })) });
    await pruneInbox(writer, 50);
    expect(await place.session.query("select id from inbox order by id")).toEqual([[ids[1]], [ids[2]]]);
  });
});

describe("a post within a transaction of the program", () => {
  let store: Store;
  let client: Client;

  beforeEach(async () => {
    store = await openPostgres(place.url, { durability: "fast" });
    client = new Client({ connectionString: place.url });
    await client.connect();
    await client.query("create table orders (id integer)");
  });

  afterEach(async () => {
    await client.end();
    await store.close();
  });

  const within = {
    query: (text: string, values: readonly unknown[]) => client.query(text, [...values]),
  };

  test("is there with what the program wrote, when it commits", async () => {
    await client.query("begin");
    await client.query("insert into orders values (1)");
    const id = await store.post("start", "ann", within);
    expect(await place.session.query("select count(*) from inbox")).toEqual([[0]]);
    await client.query("commit");
    const received = Promise.withResolvers<readonly InboxMessage[]>();
    const { ownership, write } = createPen(await claim(store));
    ownership.onInbox(received.resolve);
    const awake = setInterval(() => {}, 1000);
    expect(await received.promise).toEqual([{ id, message: "start", by: "ann" }]);
    clearInterval(awake);
    await write({ answers: [{ id, answer: 7 }] });
    expect(await store.findAnswer(id)).toEqual({ answer: 7 });
  });

  test("is gone with it, when it is taken back", async () => {
    await client.query("begin");
    await store.post("start", "ann", within);
    await client.query("rollback");
    expect(await place.session.query("select count(*) from inbox")).toEqual([[0]]);
  });

  test("is refused when that is on another database with a store of its own", async () => {
    await using other = await createTestDatabase();
    await (await openPostgres(other.url, { durability: "fast", clock: () => 99 })).close();
    const stranger = new Client({ connectionString: other.url });
    await stranger.connect();
    await stranger.query("begin");
    const query = (text: string, values: readonly unknown[]): Promise<QueryResult> => stranger.query(text, [...values]);
    await expect(store.post("start", "ann", { query })).rejects.toThrow(/is on another database than postgres/);
    await stranger.end();
  });
});
