import { readdirSync } from "node:fs";
import { get, type ClientRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { systemClock } from "../engine/clock.ts";
import { createDesk, createWorld, type World } from "../testing/engine.ts";
import { connect, toEvent, type Client, type Event } from "../testing/live-client.ts";
import { createService, type Service } from "../testing/service.ts";
import { listen } from "./serve.ts";
import type { LiveOptions } from "./live.ts";

const twoSteps = { start: { tool: "work", next: "then" }, then: { tool: "work", done: true } };
const tools = { work: () => null };

function statusesIn(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ data }) => {
    const { changes = [] } = JSON.parse(data) as { changes?: { name: string; step: string | null; status: string }[] };
    return changes.map(({ name, step, status }) => `${name}${step === null ? "" : `/${step}`} ${status}`);
  });
}

async function openService(world: World, live: LiveOptions = {}): Promise<Service> {
  return createService(world, { tools, app: { live: { clock: world.clock, ...live } } });
}

async function runOne({ engine, settle }: Service, name = "greet"): Promise<number> {
  const { id } = await engine.start(twoSteps, { name });
  await engine.result(id);
  await settle();
  return id;
}

describe("GET /api/events", () => {
  test("E0-43, AC-55: says hello with a cursor, then what happens, in order, with cursors that rise", async () => {
    await using service = await openService(createWorld("memory"));
    const client = await connect(service);
    expect(client.response.status).toBe(200);
    expect(client.response.headers.get("content-type")).toBe("text/event-stream");
    expect(client.response.headers.get("cache-control")).toBe("no-store");
    expect(await client.take()).toEqual([
      "retry: 1000",
      expect.stringMatching(/^event: hello\ndata: \{"cursor":"\d+"\}/),
    ]);
    const id = await runOne(service);
    const events = await client.takeEvents();
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(["change"]));
    expect(statusesIn(events).at(0)).toBe("greet running");
    expect(statusesIn(events).slice(-2).toSorted()).toEqual(["greet completed", "greet/then done"]);
    expect(JSON.parse(events[0]?.data ?? "")).toMatchObject({
      cursor: events[0]?.id,
      at: expect.any(Number),
      changes: [
        { run_id: id, step_id: null, name: "greet", step: null, status: "running", at: expect.any(Number) },
        {},
      ],
    });
    const ids = events.map((event) => Number(event.id));
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });

  test("AC-56: tells in one stream that runs and steps begin, end, fail and are cancelled", async () => {
    const desk = createDesk();
    await using service = await createService(createWorld("memory"), { tools: { work: desk.call } });
    const client = await connect(service);
    await client.take();
    const flow = { start: { tool: "work", retry: false, done: true } };
    const ids: unknown[] = [];
    for (const name of ["well", "badly", "never"])
      ids.push((await service.post("/api/workflow", { name, flow })).body["id"]);
    await service.settle();
    desk.calls[0]?.done(null);
    desk.calls[1]?.fail(new Error("no"));
    await service.delete(`/api/workflow/${Number(ids[2])}`);
    const told = new Set(statusesIn(await client.takeEvents()));
    for (const line of ["well running", "well/start running", "well/start done", "well completed"])
      expect(told).toContain(line);
    for (const line of ["badly/start failed", "badly failed", "never/start cancelled", "never cancelled"])
      expect(told).toContain(line);
  });

  test("goes on behind the last event that a client has seen, or behind the cursor that it asks for", async () => {
    await using service = await openService(createWorld("memory"));
    const first = await connect(service);
    await first.take();
    await runOne(service, "one");
    const [seen] = await first.takeEvents();
    await first.cancel();
    await runOne(service, "two");
    const again = await connect(service, "/api/events?after=0", { "last-event-id": seen?.id ?? "" });
    const events = await again.takeEvents();
    expect(events.some(({ event }) => event === "hello")).toBe(false);
    expect(statusesIn(events).slice(-2).toSorted()).toEqual(["two completed", "two/then done"]);
    expect(statusesIn(events)).not.toContain("one running");
    const whole = await connect(service, "/api/events?after=0");
    expect(statusesIn(await whole.takeEvents())).toContain("one completed");
  });

  test("tells who comes with a cursor of long ago, or of elsewhere, to read anew", async () => {
    await using service = await openService(createWorld("memory"));
    await runOne(service);
    for (const after of ["999999", "of elsewhere"]) {
      const client = await connect(service, "/api/events", { "last-event-id": after });
      expect(await client.takeEvents()).toMatchObject([{ event: "reset", id: expect.stringMatching(/^\d+$/) }]);
      await client.cancel();
    }
  });

  test("tells of one run, or of the runs of one name, alone", async () => {
    await using service = await openService(createWorld("memory"));
    const id = await runOne(service, "one");
    const ofRun = await connect(service, `/api/events?run=${id}&after=0`);
    const ofName = await connect(service, "/api/events?workflow=two");
    await runOne(service, "two");
    expect(new Set(statusesIn(await ofRun.takeEvents()).map((line) => line.slice(0, 3)))).toEqual(new Set(["one"]));
    expect(new Set(statusesIn(await ofName.takeEvents()).map((line) => line.slice(0, 3)))).toEqual(new Set(["two"]));
    expect(await service.get("/api/events?run=4")).toMatchObject({ status: 404, body: { code: "RUN_NOT_FOUND" } });
    expect(await service.get("/api/events?run=x")).toMatchObject({ status: 422, body: { code: "INPUT_INVALID" } });
  });

  test("beats every 15 seconds, with the cursor, also of what was not for this client", async () => {
    await using world = createWorld("memory");
    await using service = await openService(world);
    const client = await connect(service, "/api/events?workflow=none");
    const [, hello = ""] = await client.take();
    await runOne(service);
    expect(await client.take()).toEqual([]);
    await world.clock.advance(15_000);
    const [beat = ""] = await client.take();
    expect(beat).toMatch(/^: still here\nid: \d+$/);
    expect(Number(toEvent(beat).id)).toBeGreaterThan(Number(toEvent(hello).id));
    await world.clock.advance(30_000);
    expect(await client.take()).toHaveLength(2);
  });

  test("is described with all other routes, and answers HEAD without a stream", async () => {
    await using service = await openService(createWorld("memory"), { clientsMax: 1 });
    const { body } = await service.get("/api/openapi.json");
    expect(body).toHaveProperty(["paths", "/api/events", "get", "responses", "200", "content", "text/event-stream"]);
    for (let count = 0; count < 3; count++) expect((await service.send("HEAD", "/api/events")).status).toBe(200);
  });

  test("who may read only their own runs hears only of those, and who may not any more hears nothing", async () => {
    await using world = createWorld("memory");
    await using service = await openService(world);
    const { engine } = service;
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    await engine.access.save("bob", { keys: ["130001"] });
    const enter = async (user: string): Promise<Client> => {
      const { text } = await engine.access.tokens.create({ user, name: "mine" });
      const client = await connect(service, "/api/events", { authorization: `Bearer ${text}` });
      await client.take();
      return client;
    };
    expect((await service.get("/api/events")).status).toBe(401);
    const [ann, bob] = [await enter("ann"), await enter("bob")];
    await engine.result((await engine.as("ann").start(twoSteps, { name: "of ann" })).id);
    await runOne(service, "of others");
    expect(new Set(statusesIn(await ann.takeEvents()).map((line) => line.slice(0, 6)))).toEqual(new Set(["of ann"]));
    expect(statusesIn(await bob.takeEvents())).toContain("of others completed");
    await engine.access.revoke("ann", "130001.read.own");
    await runOne(service);
    expect([await ann.takeEvents(), ann.isOver()]).toEqual([[], true]);
    for (const { id } of await engine.access.tokens.list()) await engine.access.tokens.revoke(id);
    await world.clock.advance(15_000);
    await bob.take();
    expect(bob.isOver()).toBe(true);
  });
});

describe("a client that does not read", () => {
  test("is told the newest of each step at once when it does", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    await using service = await createService(world, {
      tools: { work: desk.call },
      app: { live: { clock: world.clock } },
    });
    const client = await connect(service);
    await service.settle();
    const { id } = await service.engine.start(twoSteps, { name: "greet" });
    await service.settle();
    desk.last().done();
    await service.settle();
    desk.last().done();
    await service.engine.result(id);
    await service.settle();
    const events = await client.takeEvents();
    // What was on its way already is as it was; all else is the newest.
    expect(events.length).toBeLessThanOrEqual(3);
    expect(statusesIn(events).slice(-3).toSorted()).toEqual(["greet completed", "greet/start done", "greet/then done"]);
  });

  test("is told to read anew when there is too much, and hears of what happens then", async () => {
    await using service = await openService(createWorld("memory"), { bytesMax: 2000 });
    const client = await connect(service);
    for (let count = 0; count < 20; count++) await runOne(service);
    const events = await client.takeEvents();
    const reset = events.findIndex(({ event }) => event === "reset");
    expect(reset).toBeGreaterThan(-1);
    expect(events.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThan(5000);
    const ids = events.map((event) => Number(event.id));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    await runOne(service, "after");
    expect(statusesIn(await client.takeEvents())).toContain("after completed");
  });

  test("of the past hears all the same, however much it is", async () => {
    await using service = await openService(createWorld("memory"));
    const names = Array.from({ length: 300 }, (_, at) => `${"long name ".repeat(15)}${at}`);
    // In turns: all at once they might be two commits.
    for (let at = 0; at < names.length; at += 50) {
      const started = await Promise.all(
        names.slice(at, at + 50).map((name) => service.engine.start(twoSteps, { name })),
      );
      await Promise.all(started.map(({ id }) => service.engine.result(id)));
    }
    const client = await connect(service, "/api/events?after=0");
    const events = await client.takeEvents();
    expect(events.length).toBeGreaterThan(3);
    const told = new Set(statusesIn(events));
    for (const name of names) expect(told.has(`${name} completed`)).toBe(true);
  });
});

describe("when it is over", () => {
  test("clients that have left leave nothing behind, and make room for others", async () => {
    await using world = createWorld("memory");
    await using service = await createService(world, { tools, app: { live: { clock: world.clock, clientsMax: 3 } } });
    const before = world.clock.waiting;
    const clients = [await connect(service), await connect(service), await connect(service)];
    const { status, body, headers } = await service.get("/api/events");
    expect([status, body["code"], headers.get("retry-after")]).toEqual([503, "OVERLOADED", "1"]);
    expect(world.clock.waiting).toBeGreaterThan(before);
    for (const client of clients) await client.cancel();
    expect(world.clock.waiting).toBe(before);
    expect((await connect(service)).response.status).toBe(200);
  });

  test("one user does not take the place of all others", async () => {
    await using world = createWorld("memory");
    await using service = await openService(world, { clientsOfOneMax: 2 });
    const enter = async (user: string): Promise<Client> => {
      const { text } = await service.engine.access.tokens.create({ user, name: "mine" });
      return connect(service, "/api/events", { authorization: `Bearer ${text}` });
    };
    await service.engine.access.save("ann", { keys: ["130001.read"] });
    await service.engine.access.save("bob", { keys: ["130001.read"] });
    const [first] = [await enter("ann"), await enter("ann")];
    const refused = await enter("ann");
    expect([refused.response.status, refused.response.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await enter("bob")).response.status).toBe(200);
    await first.cancel();
    expect((await enter("ann")).response.status).toBe(200);
  });

  test("streams end with the service, and with the engine", async () => {
    const ending = new AbortController();
    await using service = await openService(createWorld("memory"), { ending: ending.signal });
    const client = await connect(service);
    await client.take();
    ending.abort();
    await client.take();
    expect(client.isOver()).toBe(true);
    await using other = await openService(createWorld("memory"));
    const last = await connect(other);
    await last.take();
    await other.engine.stop();
    await last.take();
    expect(last.isOver()).toBe(true);
  });

  test("200 clients that come and go over a socket leave no descriptor and no listener", async () => {
    await using world = createWorld("memory");
    await using service = await createService(world, {
      tools,
      clock: systemClock,
      app: { live: { clock: world.clock } },
    });
    const listener = await listen({ host: "127.0.0.1", port: 0 });
    listener.handle((request) => service.fetch(request));
    const comeAndGo = async (): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const request: ClientRequest = get({ port: listener.port, path: "/api/events", agent: false }, (response) => {
        response.on("error", () => {});
        response.once("data", () => request.destroy());
        response.once("close", resolve);
      });
      request.on("error", reject);
      await promise;
    };
    await comeAndGo();
    await expect.poll(() => world.clock.waiting).toBe(0);
    const before = readdirSync("/proc/self/fd").length;
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, comeAndGo));
    await expect.poll(() => world.clock.waiting).toBe(0);
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 5);
    await listener.close();
  });
});
