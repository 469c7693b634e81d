// Lines of the seeds that say what is kept and shown, seen through REST.

import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../../testing/engine.ts";
import { createService } from "../../testing/service.ts";

const oneStep = { start: { name: "notify", tool: "work", done: true } };

describe("a start", () => {
  test("E3-13: is there with its first step as soon as it is answered, or not at all", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: createDesk().call } });
    const { body } = await service.post("/api/workflow", { name: "notify", flow: oneStep });
    const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
    expect(run).toMatchObject({ name: "notify", status: "running" });
    expect(run["steps"]).toMatchObject([{ name: "notify", tool: "work" }]);
    const refused = await service.post("/api/workflow", { name: "notify", flow: { start: { next: "nowhere" } } });
    expect(refused.status).toBe(422);
    expect((await service.get("/api/workflow?status=all")).list).toHaveLength(1);
  });

  test("E3-15: needs no input", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: () => "done" } });
    for (const input of [{}, { input: null }, { input_json: null }, { input: "" }]) {
      const { body } = await service.post("/api/workflow", { name: "notify", flow: oneStep, ...input });
      await service.settle();
      const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
      expect(run).toMatchObject({ status: "completed", input: {}, output: "done" });
    }
  });

  test("E3-42, E3-43: fills in what the documented example names, in texts, lists and maps, to any depth", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: (input: unknown) => input } });
    const args = {
      message: "Hello {{input.name}}",
      recipients: ["{{input.email}}", "copy to {{input.name}}"],
      config: { region: "{{input.region}}", nested: { none: "[{{input.missing}}]", count: 3, on: true, list: [null] } },
    };
    const flow = { start: { name: "send", tool: "work", args, done: true } };
    const input = { name: "Ada", email: "ada@example.org", region: "eu" };
    const { body } = await service.post("/api/workflow", { name: "send", flow, input });
    await service.settle();
    const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
    expect(run["output"]).toEqual({
      message: "Hello Ada",
      recipients: ["ada@example.org", "copy to Ada"],
      config: { region: "eu", nested: { none: "[]", count: 3, on: true, list: [null] } },
    });
  });
});

test("E3-40: a schedule outlives the process, and begins when it is due", async () => {
  const world = createWorld("file");
  const tools = { work: () => "done" };
  const before = await createService(world, { tools });
  const { body } = await before.post("/api/workflow", { name: "later", flow: oneStep, schedule: "in 30 minutes" });
  await before.engine.stop();
  await using service = await createService(world, { tools });
  const path = `/api/workflow/${Number(body["id"])}`;
  expect((await service.get(path)).body).toMatchObject({ status: "scheduled", steps: [{ status: "pending" }] });
  await world.clock.advance(31 * 60_000);
  await service.settle();
  expect((await service.get(path)).body).toMatchObject({ status: "completed", output: "done" });
});

describe("a step", () => {
  test("E3-21, E3-22: is shown with each field under its name, while it runs, when it is done and when it has failed", async () => {
    const desk = createDesk();
    await using service = await createService(createWorld("memory"), { tools: { work: desk.call } });
    const flow = { start: { name: "work", tool: "work", args: { n: 1 }, retry: false, done: true } };
    const ids: unknown[] = [];
    for (const name of ["one", "other"]) ids.push((await service.post("/api/workflow", { name, flow })).body["id"]);
    await service.settle();
    const stepOf = async (at: number): Promise<unknown> =>
      ((await service.get(`/api/workflow/${Number(ids[at])}`)).body["steps"] as readonly unknown[])[0];
    const now = service.world.clock.now();
    const shown = {
      workflow_id: ids[0],
      name: "work",
      tool: "work",
      args_json: '{"n":1}',
      attempt: 1,
      started_at: now,
    };
    expect(await stepOf(0)).toMatchObject({ ...shown, status: "running", result_json: null, completed_at: null });
    desk.calls[0]?.done({ sum: 2 });
    desk.calls[1]?.fail(new Error("no room"));
    await service.settle();
    expect(await stepOf(0)).toMatchObject({ ...shown, status: "done", result_json: '{"sum":2}', completed_at: now });
    expect(await stepOf(1)).toMatchObject({ status: "failed", error: { message: "no room" }, completed_at: now });
  });
});

describe("what the seeds' wrappers do", () => {
  test("E3-24: is all there: create now and later, list, get, cancel, ready, and templates", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: createDesk().call } });
    const flow = { start: { name: "ask", gate: { title: "Go?" }, next: "end" } };
    const { body: now } = await service.post("/api/workflow", { name: "a", flow, input: { n: 1 } });
    const { body: later } = await service.post("/api/workflow", { name: "b", flow, schedule: "in 30 minutes" });
    expect([now["status"], later["status"]]).toEqual(["started", "scheduled"]);
    expect((await service.get("/api/workflow")).list.map(({ name }) => name)).toEqual(["b", "a"]);
    const { body: got } = await service.get(`/api/workflow/${Number(now["id"])}`);
    const [{ id: step } = { id: 0 }] = got["steps"] as readonly { readonly id: number }[];
    expect((await service.delete(`/api/workflow/${Number(later["id"])}`)).status).toBe(200);
    expect((await service.post(`/api/workflow/${step}/ready`)).status).toBe(200);
    const { body: saved } = await service.post("/api/workflow/templates", {
      name: "t",
      flow_json: JSON.stringify(flow),
    });
    expect((await service.get("/api/workflow/templates")).list).toMatchObject([{ id: saved["id"], name: "t" }]);
    expect((await service.get(`/api/workflow/templates/${Number(saved["id"])}`)).body).toMatchObject({ name: "t" });
    expect((await service.delete(`/api/workflow/templates/${Number(saved["id"])}`)).status).toBe(200);
    expect((await service.get("/api/workflow/templates")).list).toEqual([]);
  });
});

describe("saved workflows", () => {
  test("AC-13, AC-23: one that is disabled, or that there is none of, starts nothing and says so", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: () => null } });
    const { body } = await service.post("/api/workflow/templates", { name: "notify", flow: oneStep });
    await service.post(`/api/workflow/templates/${Number(body["id"])}/disable`);
    const disabled = await service.post("/api/workflow", { name: "notify" });
    expect(disabled).toMatchObject({ status: 409, body: { code: "WORKFLOW_DISABLED" } });
    const unknown = await service.post("/api/workflow", { name: "notfy" });
    expect(unknown).toMatchObject({ status: 404, body: { code: "WORKFLOW_NOT_FOUND" } });
    expect(unknown.body["detail"]).toContain('"notfy"');
    expect((await service.get("/api/workflow?status=all")).list).toEqual([]);
  });

  test("AC-24: are listed by name, with whether they are enabled; none is an empty list", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: () => null } });
    expect((await service.get("/api/workflow/templates")).list).toEqual([]);
    for (const name of ["zeta", "alpha"]) await service.post("/api/workflow/templates", { name, flow: oneStep });
    const [first] = (await service.get("/api/workflow/templates")).list;
    await service.post(`/api/workflow/templates/${Number(first?.["id"])}/disable`);
    const { list } = await service.get("/api/workflow/templates");
    expect(list.map(({ name, is_enabled: isEnabled }) => [name, isEnabled])).toEqual([
      ["alpha", false],
      ["zeta", true],
    ]);
  });

  test("AC-25: runs that are active are listed, and cancelled by their id; what is unknown or over is told", async () => {
    await using service = await createService(createWorld("memory"), { tools: { work: createDesk().call } });
    const { body } = await service.post("/api/workflow", { name: "notify", flow: oneStep });
    const path = `/api/workflow/${Number(body["id"])}`;
    expect((await service.get("/api/workflow?status=live")).list).toMatchObject([{ id: body["id"] }]);
    expect((await service.delete(path)).status).toBe(200);
    expect((await service.get("/api/workflow?status=live")).list).toEqual([]);
    expect((await service.delete("/api/workflow/17")).body).toMatchObject({ code: "RUN_NOT_FOUND" });
    const { body: done } = await service.post("/api/workflow", { name: "n", flow: { start: { set: {}, done: true } } });
    await service.settle();
    const over = await service.delete(`/api/workflow/${Number(done["id"])}`);
    expect([over.status, over.body["details"]]).toMatchObject([409, { code: "already_ended" }]);
  });
});
