import { describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Json } from "../../flow/json.ts";
import { createHouse } from "../mcp/house.ts";
import { listWorkflowTools } from "../mcp/workflow-tools.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";

const tools = { pushover_send: ({ message }: { message: string }) => `sent ${message}` };
const flow: Json = {
  start: { name: "send", tool: "pushover_send", args: { message: "{{input.msg}}" }, done: true },
};

function openService(): Promise<Service> {
  return createService(createWorld("memory"), { tools, clock: systemClock });
}

describe("/api/workflow/templates", () => {
  test("E3-29, E3-36: saves, lists by name, gives one with its flow as a text, and deletes softly", async () => {
    await using service = await openService();
    const saved = await service.post("/api/workflow/templates", {
      name: "pushover",
      flow_json: JSON.stringify(flow),
      input_json: '{"msg":"Hi"}',
      description: "Send a push notification",
    });
    expect([saved.status, saved.body]).toMatchObject([
      201,
      { name: "pushover", version: 1, is_new_version: true, description: "Send a push notification", warnings: [] },
    ]);
    await service.post("/api/workflow/templates", { name: "another", flow_json: flow });
    expect((await service.get("/api/workflow/templates")).list.map(({ name }) => name)).toEqual([
      "another",
      "pushover",
    ]);
    const path = `/api/workflow/templates/${Number(saved.body["id"])}`;
    const { body } = await service.get(path);
    expect(body).toMatchObject({ input_json: '{"msg":"Hi"}', cancelled_at: null, newest_version: 1 });
    expect(JSON.parse(body["flow_json"] as string)).toEqual(flow);
    expect((await service.get("/api/workflow/templates/pushover")).body).toEqual(body);
    const gone = await service.delete(`${path}?updated_at=${Number(body["updated_at"])}`);
    expect(gone.body["cancelled_at"]).toBe(gone.body["deleted_at"]);
    expect(gone.body["cancelled_at"]).toEqual(expect.any(Number));
    expect((await service.get("/api/workflow/templates")).list.map(({ name }) => name)).toEqual(["another"]);
    expect((await service.get("/api/workflow/templates?all=true")).list).toHaveLength(2);
  });

  test("tells the name of the MCP tool that it is, whatever it is called, and none when it is not offered", async () => {
    await using service = await openService();
    const long = `the ${"very ".repeat(12)}long digest`;
    for (const name of ["Café", "cafe", "言葉", long])
      await service.post("/api/workflow/templates", { name, flow_json: flow });
    const toolOf = async (name: string): Promise<unknown> =>
      (await service.get(`/api/workflow/templates/${encodeURIComponent(name)}`)).body["mcp_tool"];
    const told = [await toolOf("Café"), await toolOf("cafe"), await toolOf("言葉"), await toolOf(long)];
    expect(told).toEqual([
      "workflow_cafe",
      expect.stringMatching(/^workflow_cafe_[0-9a-f]{6}$/),
      expect.stringMatching(/^workflow_[0-9a-f]{6}$/),
      expect.stringMatching(/^workflow_the_very_.{1,22}_[0-9a-f]{6}$/),
    ]);
    // As they are listed to MCP clients.
    const offered = await listWorkflowTools(createHouse(service.engine), service.engine);
    expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(told));
    await service.post("/api/workflow/templates/cafe/disable", {});
    expect(await toolOf("cafe")).toBeNull();
    expect(await toolOf("Café@1")).toBe("workflow_cafe");
    await service.delete(`/api/workflow/templates/${encodeURIComponent("Café")}`);
    expect(await toolOf("Café")).toBeNull();
  });

  test("E3-36: what somebody else has changed is not deleted or overwritten: 409 with both versions", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow/templates", { name: "n", flow_json: flow });
    const stale = await service.delete(
      `/api/workflow/templates/${Number(body["id"])}?updated_at=${Number(body["updated_at"]) - 1}`,
    );
    expect([stale.status, stale.body["code"]]).toEqual([409, "REFUSED"]);
    const over = await service.post("/api/workflow/templates", { name: "n", flow_json: flow, expected_version: 7 });
    expect([over.status, over.body["details"]]).toMatchObject([409, { expectedVersion: 7, actualVersion: 1 }]);
  });

  test("E3-37: a template is loaded and started with another input", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow/templates", { name: "pushover", flow_json: flow });
    const { body: loaded } = await service.get(`/api/workflow/templates/${Number(body["id"])}`);
    const started = await service.post("/api/workflow", {
      name: "from-template",
      flow: loaded["flow_json"] ?? null,
      input: { msg: "Hello" },
    });
    await service.engine.result(Number(started.body["id"]));
    const { body: run } = await service.get(`/api/workflow/${Number(started.body["id"])}`);
    expect(run).toMatchObject({ name: "from-template", status: "completed", output: "sent Hello" });
  });

  test("versions are shown, compared and restored; what is disabled is not started", async () => {
    await using service = await openService();
    const path = "/api/workflow/templates/n";
    await service.post("/api/workflow/templates", { name: "n", flow_json: flow });
    const other = { start: { name: "send", tool: "pushover_send", args: { message: "other" }, done: true } };
    await service.post("/api/workflow/templates", { name: "n", flow_json: other, note: "shorter" });
    expect((await service.get(`${path}/versions`)).list).toMatchObject([
      { version: 2, note: "shorter" },
      { version: 1, note: null },
    ]);
    expect((await service.get(`${path}/diff?from=1&to=2`)).body).toMatchObject({ from: 1, to: 2 });
    expect((await service.post(`${path}/restore`, { version: 1 })).body).toMatchObject({ version: 3 });
    expect((await service.post(`${path}/disable`)).body["is_enabled"]).toBe(false);
    const refused = await service.post("/api/workflow", { name: "n" });
    expect([refused.status, refused.body["code"]]).toEqual([409, "WORKFLOW_DISABLED"]);
    expect((await service.post(`${path}/enable`)).body["is_enabled"]).toBe(true);
    expect((await service.post("/api/workflow", { name: "n", input: { msg: "x" } })).status).toBe(201);
  });

  test("AC-70: the history of one workflow is cleared, and only that", async () => {
    await using service = await openService();
    const short = { start: { set: {}, done: true } };
    for (const name of ["digest", "digest", "tides"])
      await service.engine.result((await service.engine.start(short, { name })).id);
    const { body } = await service.post("/api/workflow/prune", { workflow: "digest" });
    expect(body).toEqual({ runs: 2 });
    const { list } = await service.get("/api/workflow?status=all");
    expect(list.map(({ name }) => name)).toEqual(["tides"]);
    expect((await service.post("/api/workflow/prune", {})).status).toBe(422);
  });

  test("one run that has ended is removed; one that is alive is not, and it is said why", async () => {
    await using service = await openService();
    const { engine } = service;
    const { id } = await engine.start({ start: { set: {}, done: true } }, { name: "digest" });
    await engine.result(id);
    const { id: alive } = await engine.start({ start: { gate: {}, next: "end" } });
    expect(await service.post(`/api/workflow/${alive}/remove`)).toMatchObject({
      status: 409,
      body: { code: "REFUSED", hint: "Cancel it first.", details: { code: "not_removable" } },
    });
    expect(await service.post(`/api/workflow/${id}/remove`)).toMatchObject({ status: 200, body: { runs: 1 } });
    expect(await service.post(`/api/workflow/${id}/remove`)).toMatchObject({
      status: 404,
      body: { code: "RUN_NOT_FOUND" },
    });
    const { body } = await service.get(`/api/workflow/${alive}/outline`);
    expect(body["can"]).toMatchObject({ remove: false });
    await service.delete(`/api/workflow/${alive}`);
    expect((await service.get(`/api/workflow/${alive}/outline`)).body["can"]).toMatchObject({ remove: true });
  });

  test("E1-11, E1-10: an event of any source reaches the run that waits for it", async () => {
    await using service = await openService();
    const waiting = {
      start: { wait: { event: "paid" }, next: "ask" },
      ask: { tool: null, next: "end" },
      end: { set: {}, done: true },
    };
    const { body } = await service.post("/api/workflow", { flow: waiting });
    await service.settle();
    expect((await service.post("/api/workflow/emit", { event: "paid", data: { id: 7 } })).body).toEqual({ runs: 1 });
    await service.settle();
    const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
    const [, ask] = run["steps"] as readonly { readonly id: number; readonly status: string }[];
    expect(ask?.status).toBe("pending");
    await service.post(`/api/workflow/${ask?.id ?? 0}/approve`, { comment: "fine" });
    await service.engine.result(Number(body["id"]));
    expect((await service.get(`/api/workflow/${Number(body["id"])}`)).body).toMatchObject({ status: "completed" });
  });

  test("a flow is validated with patches that mend it", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow/validate", {
      flow: { start: { tool: "pushover_send", next: "sned" }, send: { tool: "pushover_send", done: true } },
    });
    expect(body["is_valid"]).toBe(false);
    expect(JSON.stringify(body["findings"])).toContain('Did you mean \\"send\\"?');
  });

  test("a text is mended by the patch of a finding, and keeps its comments and its layout", async () => {
    await using service = await openService();
    const text = "start: {tool: pushover_send,  next: sned} # first\nsend: {tool: pushover_send, done: true}\n";
    const { body } = await service.post("/api/workflow/validate", { flow: text });
    const [found] = body["findings"] as readonly { readonly patch: Json }[];
    const mended = await service.post("/api/workflow/mend", { text, patch: found?.patch ?? null });
    expect(mended.body).toEqual({ text: text.replace("sned", "send") });
    const refused = await service.post("/api/workflow/mend", { text: "a: [", patch: [{ op: "remove", path: "/a" }] });
    expect([refused.status, refused.body["code"]]).toEqual([422, "INPUT_INVALID"]);
  });

  test("a patch that does not fit the text, or is too large, is refused in words", async () => {
    await using service = await openService();
    const add = { op: "add", path: "/a/4000000000", value: 1 };
    const operations = Array.from({ length: 21 }, () => ({ op: "add", path: "/a", value: 1 }));
    for (const [body, detail] of [
      [{ text: '{"a":[1]}', patch: [add] }, "4000000000"],
      [{ text: "a: 1", patch: [{ op: "add", path: "/a/b", value: 1 }] }, "does not have"],
      [{ text: "a: 1", patch: operations }, "20"],
      [{ text: `a: ${"x".repeat(256_000)}`, patch: [] }, "256000"],
      [{ text: "a: 1", patch: [{ op: "add", path: "/b", value: "x".repeat(256_000) }] }, "256000"],
    ] as const) {
      const refused = await service.post("/api/workflow/mend", body);
      expect([refused.status, refused.body["code"]]).toEqual([422, "INPUT_INVALID"]);
      expect(JSON.stringify(refused.body)).toContain(detail);
    }
  });

  test("editors read the JSON Schema of flows", async () => {
    await using service = await openService();
    const { body } = await service.get("/api/workflow/schema");
    expect(body).toMatchObject({ title: "Stepwell flow", definitions: { step: { properties: { next: {} } } } });
  });
});

describe("who may not", () => {
  test("E3-23: without the permission the answer is a 403 in JSON, and nothing is done", async () => {
    await using service = await openService();
    await service.engine.access.save("ann", { keys: ["130001.read"] });
    const { text } = await service.engine.access.tokens.create({ user: "ann", name: "reader" });
    const authorization = `Bearer ${text}`;
    for (const [path, body] of [
      ["/api/workflow", { flow }],
      ["/api/workflow/templates", { name: "n", flow_json: flow }],
    ] as const) {
      const answer = await service.post(path, body, { authorization });
      expect([answer.status, answer.body["code"]]).toEqual([403, "NOT_ALLOWED"]);
      expect(answer.body["detail"]).toContain('not_allowed "Workflow"');
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
    expect((await service.get("/api/workflow?status=all", { authorization })).list).toEqual([]);
    expect((await service.get("/api/workflow")).status).toBe(401);
  });
});

describe("what goes wrong in a run", () => {
  test("E3-44: an unknown tool is told as it is in the library, in the run and where its result would stand", async () => {
    await using service = await openService();
    const { body } = await service.post("/api/workflow", { flow: { start: { tool: "Pushover_Send", done: true } } });
    await service.engine.result(Number(body["id"]));
    const { body: run } = await service.get(`/api/workflow/${Number(body["id"])}`);
    expect(run).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("Unknown tool: Pushover_Send") },
    });
    const [step] = run["steps"] as readonly { readonly result_json: string }[];
    expect(JSON.parse(step?.result_json ?? "null")).toMatchObject({
      error: { message: expect.stringContaining("Unknown tool") },
    });
  });
});
