import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";

const tools = {
  greet: () => "hello",
  fail: () => {
    throw new Error("out of order");
  },
};
const greet: Json = { start: { tool: "greet", done: true } };
const gated: Json = {
  start: { gate: { title: "Go?", message: "Really", expires_after: "2h" }, routes: { approved: "end", later: "end" } },
};

async function openService(): Promise<Service> {
  return createService(createWorld("memory"), { tools });
}

async function start(service: Service, body: Json): Promise<number> {
  const id = Number((await service.post("/api/workflow", body)).body["id"]);
  await service.settle();
  return id;
}

describe("schedules", () => {
  test("E3-38, E3-39: are listed with when and by whom, and cancelled one by one", async () => {
    await using service = await openService();
    const first = await start(service, { name: "morning", flow: greet, schedule: "tomorrow at 9am" });
    const second = await start(service, { name: "soon", flow: greet, schedule: "in 30 minutes", input: { a: 1 } });
    const running = await start(service, { name: "gated", flow: gated });
    const { list, headers } = await service.get("/api/schedules");
    const now = service.world.clock.now();
    expect(list).toMatchObject([
      { id: second, name: "soon", scheduled_at: now + 1_800_000, input: { a: 1 } },
      { id: first, name: "morning" },
    ]);
    expect(headers.get("x-next-cursor")).toBeNull();
    const page = await service.get("/api/schedules?limit=1");
    expect([page.list.length, page.headers.get("x-next-cursor")]).toEqual([1, String(second)]);
    expect((await service.get(`/api/schedules?cursor=${second}`)).list).toMatchObject([{ id: first }]);
    expect((await service.delete(`/api/schedules/${second}`)).body).toEqual({ id: second, status: "cancelled" });
    const refused = await service.delete(`/api/schedules/${running}`);
    expect(refused).toMatchObject({ status: 409, body: { details: { code: "not_scheduled" } } });
    expect((await service.delete("/api/schedules/17")).status).toBe(404);
    expect((await service.get("/api/schedules")).list).toMatchObject([{ id: first }]);
  });

  test("E3-41: a retry is an alarm: after 5 s, then after 30 s, then the run has failed", async () => {
    await using service = await openService();
    const flow = { start: { tool: "fail", done: true } };
    const id = await start(service, { name: "flaky", flow });
    const at = service.world.clock.now();
    expect((await service.get("/api/alarms")).list).toMatchObject([
      { kind: "retry", due_at: at + 5000, workflow_id: id, workflow: "flaky", step: "start" },
    ]);
    await service.world.clock.advance(5000);
    expect((await service.get("/api/alarms")).list).toMatchObject([{ kind: "retry", due_at: at + 35_000 }]);
    await service.world.clock.advance(30_000);
    expect((await service.get("/api/alarms")).list).toEqual([]);
    expect((await service.get(`/api/workflow/${id}`)).body).toMatchObject({ status: "failed" });
  });

  test("alarms of starts, gates and sleeps come soonest first", async () => {
    await using service = await openService();
    await start(service, { name: "later", flow: greet, schedule: "in 3 hours" });
    await start(service, { name: "gated", flow: gated });
    await start(service, {
      name: "slow",
      flow: { start: { wait: "30m", next: "go" }, go: { tool: "greet", done: true } },
    });
    const { list } = await service.get("/api/alarms");
    expect(list.map(({ kind, workflow }) => [kind, workflow])).toEqual([
      ["sleep", "slow"],
      ["expire", "gated"],
      ["start", "later"],
    ]);
    expect(list[2]).toMatchObject({ step_id: null, step: null });
    expect((await service.get("/api/alarms?limit=1")).list).toHaveLength(1);
  });
});

describe("a time before anything is started with it", () => {
  test("is told as a start would understand it", async () => {
    await using service = await openService();
    const now = service.world.clock.now();
    const { status, body } = await service.post("/api/schedules/preview", {
      text: "in 30 minutes",
      tz: "Europe/Berlin",
    });
    expect([status, body]).toMatchObject([200, { at: now + 1_800_000, in_ms: 1_800_000, tz: "Europe/Berlin" }]);
    expect(body["text"]).toMatch(/^\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d\S* .*\(Europe\/Berlin\)$/);
    const begun = { name: "soon", flow: greet, schedule: "tomorrow at 9am", tz: "Asia/Tokyo" };
    const told = await service.post("/api/schedules/preview", { text: begun.schedule, tz: begun.tz });
    expect(told.body["at"]).toBe((await service.post("/api/workflow", begun)).body["scheduled_at"]);
    const unix = Math.floor(now / 1000) + 60;
    expect((await service.post("/api/schedules/preview", { text: unix })).body).toMatchObject({ at: unix * 1000 });
    expect((await service.get("/api/schedules")).list).toHaveLength(1);
  });

  test.each([["tomorow at 9am"], ["every monday"], ["yesterday"], [""], [-1]])(
    "%j is refused in the words in which a start refuses it",
    async (text) => {
      await using service = await openService();
      const same = { "x-request-id": "same" };
      const told = await service.post("/api/schedules/preview", { text }, same);
      const begun = await service.post("/api/workflow", { name: "a", flow: greet, schedule: text }, same);
      expect([told.status, told.body["code"]]).toEqual([422, "INPUT_INVALID"]);
      expect(told.body).toEqual(begun.body);
    },
  );

  test("a zone that is none is refused as well", async () => {
    await using service = await openService();
    const { status, body } = await service.post("/api/schedules/preview", { text: "tomorrow at 9am", tz: "Mars/Base" });
    expect([status, body["code"]]).toEqual([422, "INPUT_INVALID"]);
  });
});

describe("the inbox", () => {
  test("has what waits for a person, with requests that answer it", async () => {
    await using service = await openService();
    expect((await service.get("/api/inbox")).list).toEqual([]);
    const id = await start(service, { name: "gated", flow: gated });
    const { list } = await service.get("/api/inbox");
    const { step_id: stepId, hash } = list[0] ?? {};
    const step = Number(stepId);
    expect(list).toMatchObject([
      {
        kind: "gate",
        workflow_id: id,
        workflow: "gated",
        title: "Go?",
        message: "Really",
        actions: [
          { method: "POST", path: `/api/workflow/${step}/approve`, body: { hash } },
          { method: "POST", path: `/api/workflow/${step}/reject`, body: { hash } },
          { method: "POST", path: `/api/workflow/${step}/answer`, body: { outcome: "later", hash } },
        ],
      },
    ]);
    const { actions = [] } = list[0] ?? {};
    for (const action of actions as readonly { method: string; path: string; body: Json }[]) {
      if (!action.path.endsWith("/answer")) continue;
      const { status } = await service.send(action.method, action.path, JSON.stringify(action.body));
      expect(status).toBe(200);
    }
    await service.settle();
    expect((await service.get(`/api/workflow/${id}`)).body).toMatchObject({ status: "completed" });
    expect((await service.get("/api/inbox")).list).toEqual([]);
  });

  test("comes in pages by runs", async () => {
    await using service = await openService();
    const ids = [await start(service, { name: "a", flow: gated }), await start(service, { name: "b", flow: gated })];
    const first = await service.get("/api/inbox?limit=1");
    expect(first.list).toMatchObject([{ workflow_id: ids[1] }]);
    const cursor = first.headers.get("x-next-cursor") ?? "";
    const second = await service.get(`/api/inbox?limit=5&cursor=${cursor}`);
    expect([second.list.map((item) => item["workflow_id"]), second.headers.get("x-next-cursor")]).toEqual([
      [ids[0]],
      null,
    ]);
  });

  test("shows nobody what is another's", async () => {
    await using service = await openService();
    const { engine } = service;
    await engine.access.save("ann", { keys: ["130001.read.own", "130001.start"] });
    await engine.access.save("bob", { keys: ["130001.read.own", "130001.start"] });
    await engine.start(gated, { name: "anns", as: "ann" });
    await engine.start(greet, { name: "later", as: "ann", at: service.world.clock.now() + 60_000 });
    await service.settle();
    const { text: token } = await engine.access.tokens.create({ user: "bob", name: "t", scopes: ["130001"] });
    const bob = { authorization: `Bearer ${token}` };
    for (const path of ["/api/inbox", "/api/alarms", "/api/schedules", "/api/workflow?text=anns"])
      expect(await service.get(path, bob)).toMatchObject({ status: 200, list: [] });
    expect((await service.get("/api/stats", bob)).body).toMatchObject({ runs: 0, workflows: [] });
  });
});

describe("searching runs", () => {
  test("finds runs by what set them going, and one by its id, its uid or a step of it", async () => {
    await using service = await openService();
    const first = await start(service, { name: "broken", flow: { start: { tool: "fail", retry: false, done: true } } });
    const later = await start(service, { name: "greet", flow: greet, schedule: "in 1 minute" });
    await service.world.clock.advance(120_000);
    await service.settle();
    const second = Number((await service.post(`/api/workflow/${first}/retry`, {})).body["id"]);
    await service.settle();
    const third = Number((await service.post(`/api/workflow/${second}/retry`, {})).body["id"]);
    await service.settle();
    const list = async (query: string): Promise<readonly JsonObject[]> =>
      (await service.get(`/api/workflow?${query}`)).list;
    const ids = async (query: string): Promise<readonly Json[]> => (await list(query)).map(({ id = null }) => id);
    expect(await ids("trigger=schedule")).toEqual([later]);
    expect(await ids("trigger=run")).toEqual([third, second]);
    expect(await ids("trigger=person, schedule")).toEqual([later, first]);
    expect((await list("trigger=retry")).map(({ origin }) => origin)).toMatchObject([
      { kind: "retry", id: second, attempt: 3 },
      { kind: "retry", id: first, attempt: 2 },
    ]);
    const { uid, steps } = (await service.get(`/api/workflow/${later}`)).body;
    const [step] = steps as readonly JsonObject[];
    for (const id of [later, uid as string, Number(step?.["id"])]) expect(await ids(`id=${id}`)).toEqual([later]);
    expect(await ids(`id=${later},${first}&status=failed`)).toEqual([first]);
    expect(await ids("id=nobody")).toEqual([]);
    const { status, body } = await service.get("/api/workflow?trigger=weather");
    expect([status, body["code"]]).toEqual([422, "INPUT_INVALID"]);
  });

  test("finds runs by status, time, text and a field of the input", async () => {
    await using service = await openService();
    const ada = await start(service, { name: "greet", flow: greet, input: { order: { no: 17 }, who: "Ada" } });
    await service.world.clock.advance(60_000);
    const since = service.world.clock.now();
    const bob = await start(service, { name: "gated", flow: gated, input: { order: { no: "17" }, who: "Bob" } });
    const broken = await start(service, {
      name: "broken",
      flow: { start: { tool: "fail", retry: false, done: true } },
    });
    const ids = async (query: string): Promise<readonly Json[]> =>
      (await service.get(`/api/workflow?${query}`)).list.map(({ id = null }) => id);
    expect(await ids("text=ADA")).toEqual([ada]);
    expect(await ids("text=out+of+order")).toEqual([broken]);
    expect(await ids("field=order.no=17")).toEqual([ada]);
    expect(await ids("field=order.no=%2217%22")).toEqual([bob]);
    expect(await ids("field=who=Bob&status=live")).toEqual([bob]);
    expect(await ids("status=failed,completed")).toEqual([broken, ada]);
    expect(await ids("status=live,failed")).toEqual([broken, bob]);
    expect(await ids(`since=${since}`)).toEqual([broken, bob]);
    expect(await ids(`until=${new Date(since).toISOString()}`)).toEqual([ada]);
    for (const query of ["status=runing", "since=soon", "until=12:00", "field=order"]) {
      const { status, body } = await service.get(`/api/workflow?${query}`);
      expect([query, status, body["code"]]).toEqual([query, 422, "INPUT_INVALID"]);
    }
    const page = await service.get("/api/workflow?text=o&limit=2");
    expect([page.list.map(({ id }) => id), page.headers.get("x-next-cursor")]).toEqual([[broken, bob], String(bob)]);
    expect((await service.get("/api/stats")).body).toMatchObject({
      runs: 3,
      statuses: { completed: 1, failed: 1, running: 1 },
      is_complete: true,
    });
  });
});
