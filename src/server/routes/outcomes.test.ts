import { expect, test } from "vitest";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";

const flow = {
  name: "greet",
  steps: { start: { tool: "search", next: "write" }, write: { tool: "write", retry: false, done: true } },
};

async function openService(): Promise<{ readonly service: Service; readonly id: number } & AsyncDisposable> {
  const fail = (): never => {
    throw new Error("It is too long.");
  };
  const service = await createService(createWorld("memory"), { tools: { search: () => ({ found: 1 }), write: fail } });
  const { body } = await service.post("/api/workflow", { flow });
  const id = Number(body["id"]);
  await service.engine.result(id);
  return { service, id, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

test("AC-60, AC-61: outcomes tell of every call, newest first", async () => {
  await using opened = await openService();
  const { service, id } = opened;
  const { status, list } = await service.get("/api/outcomes");
  expect(status).toBe(200);
  const [written, searched] = list;
  expect(searched).toEqual({
    run_id: id,
    workflow: "greet",
    flow: expect.any(String) as string,
    step_id: expect.any(Number) as number,
    name: "start",
    tool: "search",
    quality: "neutral",
    feedback: null,
    duration_ms: 0,
    snapshot: '{"found":1}',
    status: "done",
    attempt: 1,
    outcome: "success",
    error: null,
    at: service.world.clock.now(),
  });
  expect(written).toMatchObject({ tool: "write", status: "failed", error: { message: "It is too long." } });
  expect((await service.get(`/api/outcomes?cursor=${Number(written?.["step_id"])}`)).list).toEqual([searched]);
  expect((await service.get("/api/outcomes?tool=search&limit=1")).list).toEqual([searched]);
  expect((await service.get("/api/outcomes?workflow=other")).list).toEqual([]);
  expect((await service.get("/api/outcomes?quality=great")).status).toBe(422);
});

test("AC-62, AC-63: runs and steps are rated, found by their quality and counted", async () => {
  await using opened = await openService();
  const { service, id } = opened;
  const rate = `/api/workflow/${id}/rate`;
  expect((await service.post(rate, { rating: "+", text: "well done" })).body).toEqual({
    id,
    step_id: null,
    status: "rated",
  });
  await service.world.clock.advance(1);
  const { list } = await service.get(`/api/workflow/${id}/ratings`);
  expect(list.map(({ number, name, quality }) => [number, name, quality])).toEqual([
    [1, "start", "up"],
    [2, "write", "up"],
  ]);
  const step = list[1]?.["step_id"];
  expect((await service.post(rate, { step: 2, rating: "👎", text: "too long" })).body["step_id"]).toBe(step);
  expect((await service.get("/api/outcomes?quality=down")).list).toMatchObject([
    { step_id: step, quality: "down", feedback: "too long" },
  ]);
  const { body } = await service.get("/api/statistics");
  expect(body).toMatchObject({ total: 2, up: 1, down: 1, failed: 1, mean_duration_ms: 0 });
  expect((await service.get("/api/statistics?tool=search")).body).toMatchObject({
    total: 1,
    groups: [{ tool: "search", workflow: "greet", version: null, step: null, up: 1 }],
  });
  const bySteps = (await service.get("/api/statistics?by=step&workflow=greet")).body["groups"];
  expect(bySteps).toMatchObject([{ step: "start" }, { step: "write" }]);
  expect((await service.get("/api/statistics?by=tool")).status).toBe(422);
});

test("AC-62: what is no rating, no run or no step is a problem with a code", async () => {
  await using opened = await openService();
  const { service, id } = opened;
  const rate = async (run: number, body: Parameters<Service["post"]>[1]): Promise<readonly unknown[]> => {
    const answer = await service.post(`/api/workflow/${run}/rate`, body);
    return [answer.status, answer.body["code"]];
  };
  expect(await rate(id, { rating: "maybe" })).toEqual([422, "INPUT_INVALID"]);
  expect(await rate(id, {})).toEqual([422, "INPUT_INVALID"]);
  expect(await rate(17, { rating: "up" })).toEqual([404, "RUN_NOT_FOUND"]);
  expect(await rate(id, { rating: "up", step: 9 })).toEqual([404, "STEP_NOT_FOUND"]);
  expect((await service.get("/api/workflow/17/ratings")).status).toBe(404);
});

test("AC-73: runs that are removed take their outcomes along", async () => {
  await using opened = await openService();
  const { service, id } = opened;
  await service.post(`/api/workflow/${id}/rate`, { rating: "up" });
  await service.world.clock.advance(1000);
  await service.engine.prune({ endedBefore: service.world.clock.now() });
  expect((await service.get("/api/outcomes")).list).toEqual([]);
  expect((await service.get("/api/outcomes?quality=up")).list).toEqual([]);
  expect((await service.get(`/api/workflow/${id}/ratings`)).status).toBe(404);
});

test("the audit says who did what from where, to those who may read it", async () => {
  await using opened = await openService();
  const { service, id } = opened;
  const { engine } = service;
  await engine.access.save("ann", { keys: ["130001.read", "130001.answer"] });
  await engine.access.save("root", { keys: ["130001"] });
  const headers = async (user: string): Promise<{ readonly authorization: string }> => {
    return { authorization: `Bearer ${(await engine.access.tokens.create({ user, name: "t" })).text}` };
  };
  const ann = await headers("ann");
  const root = await headers("root");
  await service.post(`/api/workflow/${id}/rate`, { rating: "up" }, ann);
  const { list } = await service.get(`/api/audit?verb=run.rate&limit=5`, root);
  expect(list).toEqual([
    {
      no: expect.any(Number) as number,
      at: service.world.clock.now(),
      user: "ann",
      via: expect.stringMatching(/^tok_/u) as string,
      source: "rest local",
      verb: "run.rate",
      subject: String(id),
      details: { quality: "up" },
    },
  ]);
  expect((await service.get(`/api/audit?cursor=${Number(list[0]?.["no"])}&user=ann`, root)).list).toEqual([]);
  expect((await service.get("/api/audit", ann)).status).toBe(403);
});
