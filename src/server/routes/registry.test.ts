import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createDesk, createWorld } from "../../testing/engine.ts";
import { createService } from "../../testing/service.ts";
import { outcome } from "../../tool/function.ts";
import { createApp } from "../app.ts";

const flow: Json = {
  start: { name: "look", tool: "look", routes: { found: "work", missing: "work" } },
  work: { name: "work", tool: "work", effect: "write", retry: false, on_unknown: "fail", done: true },
};

describe("runs that are active", () => {
  test("AC-55, AC-57: are listed with when they began, and each shows its current step and what came before", async () => {
    const desk = createDesk();
    const tools = { look: () => outcome("found", "here"), work: desk.call };
    await using service = await createService(createWorld("memory"), { tools });
    const { body } = await service.post("/api/workflow", { name: "job", flow });
    await service.settle();
    const id = Number(body["id"]);
    const now = service.world.clock.now();
    const { list } = await service.get("/api/workflow?status=live");
    expect(list).toMatchObject([{ id, name: "job", status: "running", started_at: now, completed_at: null }]);
    const { body: active } = await service.get(`/api/workflow/${id}`);
    expect(active["steps"]).toMatchObject([
      {
        name: "look",
        tool: "look",
        status: "done",
        outcome: "found",
        result: "here",
        started_at: now,
        completed_at: now,
      },
      { name: "work", tool: "work", status: "running", started_at: now, completed_at: null },
    ]);
    desk.last().fail(new Error("no room"));
    await service.settle();
    const { body: over } = await service.get(`/api/workflow/${id}`);
    expect(over).toMatchObject({ status: "failed", completed_at: now, output: null, error: { message: "no room" } });
    expect(over["steps"]).toMatchObject([{ outcome: "found" }, { status: "failed", error: { message: "no room" } }]);
    expect((await service.get("/api/workflow?status=live")).list).toEqual([]);
  });

  test("AC-58: are cancelled with their calls, at once and for good, and others cannot be", async () => {
    const desk = createDesk();
    const tools = { look: () => outcome("found", "here"), work: desk.call };
    await using service = await createService(createWorld("memory"), { tools });
    const id = Number((await service.post("/api/workflow", { name: "job", flow })).body["id"]);
    await service.settle();
    const { signal } = desk.last().context;
    expect((await service.delete(`/api/workflow/${id}?reason=enough`)).status).toBe(200);
    await service.settle();
    expect(signal.aborted).toBe(true);
    const now = service.world.clock.now();
    const { body } = await service.get(`/api/workflow/${id}`);
    expect(body).toMatchObject({ status: "cancelled", cancelled_at: now, completed_at: now });
    const { list } = await service.get(`/api/workflow/${id}/history`);
    expect(list.map(({ event }) => event)).toContain("cancelled");
    expect((await service.delete("/api/workflow/17")).body).toMatchObject({ status: 404, code: "RUN_NOT_FOUND" });
    // Once more changes nothing; what has ended by itself is not cancelled any more.
    expect((await service.delete(`/api/workflow/${id}`)).body).toEqual({ id, status: "cancelled" });
    const short = { start: { tool: "look", done: true } };
    const ended = Number((await service.post("/api/workflow", { name: "short", flow: short })).body["id"]);
    await service.settle();
    expect((await service.delete(`/api/workflow/${ended}`)).body).toMatchObject({ status: 409, code: "REFUSED" });
  });

  test("AC-59: fail when the process has crashed in a call that must not be made twice, and say so", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const tools = { look: () => outcome("found", "here"), work: desk.call };
    const first = await world.open({ tools });
    const { id } = await first.engine.start(flow, { name: "job" });
    await world.settle();
    await first.crash();
    const { engine } = await world.open({ tools });
    await world.settle();
    const response = await createApp(engine, { isLoopback: true }).request(`http://localhost/api/workflow/${id}`);
    expect(await response.json()).toMatchObject({
      status: "failed",
      error: { message: '"work" may or may not have happened: the engine stopped.' },
    });
    expect(desk.calls).toHaveLength(1);
  });
});
