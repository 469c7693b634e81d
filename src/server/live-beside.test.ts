import { describe, expect, test } from "vitest";
import { createDesk, createWorld, type World } from "../testing/engine.ts";
import { connect, type Client, type Event } from "../testing/live-client.ts";
import { createService, type Service } from "../testing/service.ts";
import type { Tools } from "../tool/registry.ts";

const flow = { start: { tool: "work", done: true } };

async function openService(world: World, tools: Tools = { work: () => null }): Promise<Service> {
  return createService(world, { tools, app: { live: { clock: world.clock } } });
}

/** In short: what is told to have changed, each with its cursor. */
async function changedIn(client: Client): Promise<readonly string[]> {
  return (await client.takeEvents())
    .filter(({ event }) => event === "changed")
    .map(({ data }) => (JSON.parse(data) as { what: string }).what);
}

function progressIn(events: readonly Event[]): readonly unknown[] {
  return events.filter(({ event }) => event === "progress").map(({ data }) => JSON.parse(data) as unknown);
}

describe("what is kept beside the runs", () => {
  test("a workflow that is saved, switched off, switched on or deleted is told of, and of each once", async () => {
    await using service = await openService(createWorld("memory"));
    const { workflows } = service.engine;
    const client = await connect(service);
    await client.take();
    await workflows.save(flow, { name: "greet" });
    expect(await changedIn(client)).toEqual(["workflows"]);
    await workflows.disable("greet");
    expect(await changedIn(client)).toEqual(["workflows"]);
    await workflows.enable("greet");
    expect(await changedIn(client)).toEqual(["workflows"]);
    await workflows.delete("greet");
    expect(await changedIn(client)).toEqual(["workflows"]);
    await service.engine.result((await service.engine.start(flow)).id);
    expect(await changedIn(client)).toEqual([]);
  });

  test("what was saved while a client was away is told when it comes back behind its cursor", async () => {
    await using service = await openService(createWorld("memory"));
    const first = await connect(service);
    const [hello] = await first.takeEvents();
    await first.cancel();
    await service.engine.workflows.save(flow, { name: "greet" });
    const again = await connect(service, "/api/events", { "last-event-id": hello?.id ?? "" });
    const events = await again.takeEvents();
    expect(events.map(({ event }) => event)).toEqual(["changed"]);
    expect(Number(events[0]?.id)).toBeGreaterThan(Number(hello?.id));
  });

  test("who listens to one run, or to the runs of one name, is told of nothing else", async () => {
    await using world = createWorld("memory");
    await using service = await openService(world);
    const { id } = await service.engine.start(flow, { name: "greet" });
    const clients = [
      await connect(service, `/api/events?run=${id}`),
      await connect(service, "/api/events?workflow=greet"),
    ];
    for (const client of clients) await client.take();
    await service.engine.workflows.save(flow, { name: "greet" });
    await service.engine.tools.load({ other: () => null });
    await world.clock.advance(2000);
    for (const client of clients) expect(await changedIn(client)).toEqual([]);
  });

  test("tools that come, go or are replaced are told of within a second or so", async () => {
    await using world = createWorld("memory");
    await using service = await openService(world);
    const client = await connect(service);
    await client.take();
    await world.clock.advance(3000);
    expect(await changedIn(client)).toEqual([]);
    await service.engine.tools.load({ other: () => null });
    await world.clock.advance(1000);
    expect(await changedIn(client)).toEqual(["tools"]);
    await service.engine.tools.unload("other");
    await world.clock.advance(1000);
    expect(await changedIn(client)).toEqual(["tools"]);
    await world.clock.advance(3000);
    expect(await changedIn(client)).toEqual([]);
  });
});

describe("how far a call is", () => {
  test("is told as its tool says it, at most four times a second, the newest last", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    await using service = await openService(world, { work: desk.call });
    const client = await connect(service);
    const { id } = await service.engine.start(flow, { name: "greet" });
    await client.take();
    const { context } = desk.last();
    for (let count = 1; count <= 50; count++) context.progress(count / 100, `${count} of 100`);
    const [first, ...others] = progressIn(await client.takeEvents());
    expect(first).toEqual({ run_id: id, step_id: context.step, fraction: 0.01, message: "1 of 100" });
    expect(others).toEqual([]);
    await world.clock.advance(250);
    expect(progressIn(await client.takeEvents())).toMatchObject([{ fraction: 0.5, message: "50 of 100" }]);
    await world.clock.advance(10_000);
    expect(progressIn(await client.takeEvents())).toEqual([]);
    context.progress(null, "almost");
    expect(progressIn(await client.takeEvents())).toMatchObject([{ fraction: null, message: "almost" }]);
    const outline = `/api/workflow/${id}/outline`;
    expect((await service.get(outline)).body["progress"]).toEqual({
      [context.step]: { fraction: null, message: "almost" },
    });
    desk.last().done(null);
    await service.engine.result(id);
    expect((await service.get(outline)).body["progress"]).toEqual({});
  });

  test("is told to who may see the run, and to who asked for it", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    await using service = await openService(world, { work: desk.call });
    const { engine } = service;
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    await engine.access.save("bob", { keys: ["130001.read.own", "130001.start", "tool:*"] });
    const { id } = await engine.as("ann").start(flow, { name: "greet" });
    const enter = async (user: string, path: string): Promise<Client> => {
      const { text } = await engine.access.tokens.create({ user, name: "mine" });
      const client = await connect(service, path, { authorization: `Bearer ${text}` });
      await client.take();
      return client;
    };
    const hears = [
      await enter("ann", "/api/events"),
      await enter("ann", `/api/events?run=${id}`),
      await enter("ann", "/api/events?workflow=greet"),
    ];
    const hearsNot = [await enter("bob", "/api/events"), await enter("ann", "/api/events?workflow=other")];
    desk.last().context.progress(0.5);
    for (const client of hears) expect(progressIn(await client.takeEvents())).toMatchObject([{ fraction: 0.5 }]);
    for (const client of hearsNot) expect(progressIn(await client.takeEvents())).toEqual([]);
    desk.last().done(null);
    await engine.result(id);
  });

  test("of many calls is told together, as often as of one", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    await using service = await openService(world, { work: desk.call });
    const client = await connect(service);
    for (let count = 0; count < 5; count++) await service.engine.start(flow);
    await client.take();
    for (const part of [0.1, 0.2, 0.3]) for (const { context } of desk.calls) context.progress(part);
    await world.clock.advance(250);
    const told = progressIn(await client.takeEvents()).map((each) => (each as { fraction: number }).fraction);
    // The first one at once, and then the newest of each.
    expect(told).toEqual([0.1, 0.3, 0.3, 0.3, 0.3, 0.3]);
    await world.clock.advance(1000);
    expect(progressIn(await client.takeEvents())).toEqual([]);
    for (const call of desk.calls) call.done(null);
  });

  test("leaves nothing behind once nobody listens", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    await using service = await openService(world, { work: desk.call });
    await service.engine.start(flow, { name: "greet" });
    await service.settle();
    const before = world.clock.waiting;
    const client = await connect(service);
    await client.take();
    desk.last().context.progress(0.5);
    await client.take();
    await client.cancel();
    expect(world.clock.waiting).toBe(before);
    desk.last().done(null);
  });
});
