import { describe, expect, test } from "vitest";
import { createWorld, type World } from "../../testing/engine.ts";
import { openWire, tasks, type Wire, type WireWish } from "../../testing/mcp-wire.ts";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createHouse } from "./house.ts";
import { findWorkflowTool } from "./workflow-tools.ts";

const tools = {
  greet: ({ name }: { name?: string }) => `Hello ${name ?? ""}`,
  fail: () => {
    throw new Error("out of order");
  },
};

const greet: Json = {
  description: "Says hello",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  steps: { start: { tool: "greet", args: { name: "{{ input.name }}" }, done: true } },
};
const gated: Json = { steps: { start: { tool: null, next: "end" }, end: { set: {}, done: { output: "went on" } } } };

type Opened = { readonly world: World; readonly engine: Engine; readonly wire: Wire } & AsyncDisposable;

async function open(wish: WireWish = {}): Promise<Opened> {
  const world = createWorld("memory");
  const { engine } = await world.open({ tools, clock: systemClock });
  const wire = await openWire(engine, wish);
  return {
    world,
    engine,
    wire,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function namesOf(wire: Wire): Promise<readonly string[]> {
  const { result } = await wire.ask("tools/list");
  return (result["tools"] as readonly { readonly name: string }[]).map(({ name }) => name);
}

const readTools = ["workflow_list", "workflow_get", "workflow_template_list", "run_list", "run_get", "run_history"];
const seedTools = [
  "workflow_create",
  "workflow_list",
  "workflow_get",
  "workflow_cancel",
  "workflow_step_ready",
  "workflow_template_list",
  "workflow_template_save",
  "workflow_template_delete",
];

describe.each(["modern", "legacy"] as const)("the tools of a %s connection", (era) => {
  test("E3-25, E3-27: are those of the seeds, those of runs, and one for each enabled workflow", async () => {
    await using opened = await open({ era, grants: ["read", "run", "approve", "save"] });
    const { engine, wire } = opened;
    await engine.save(greet, { name: "Daily greeting" });
    await engine.save(greet, { name: "off" });
    await engine.workflows.disable("off");
    const names = await namesOf(wire);
    expect(names).toEqual(expect.arrayContaining([...seedTools, ...readTools, "workflow_approve", "run_respond"]));
    expect(names.filter((name) => name.includes("greeting") || name.includes("off"))).toEqual([
      "workflow_daily_greeting",
    ]);
    expect(await namesOf(wire)).toEqual(names);
  });

  test("AC-26: a workflow has its own description, input and title, and without them what the seeds say", async () => {
    await using opened = await open({ era });
    const { engine, wire } = opened;
    await engine.save(greet, { name: "greet" });
    await engine.save({ start: { set: {}, done: true } }, { name: "plain" });
    const { result } = await wire.ask("tools/list");
    const found = result["tools"] as readonly JsonObject[];
    expect(found.find(({ name }) => name === "workflow_greet")).toMatchObject({
      title: "greet",
      description: "Says hello",
      inputSchema: { required: ["name"] },
      outputSchema: { required: ["run_id", "status", "terminal_kind"] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      ...(era === "legacy" ? { execution: { taskSupport: "optional" } } : {}),
    });
    expect(found.find(({ name }) => name === "workflow_plain")).toMatchObject({
      description: "Run the plain workflow",
      inputSchema: { type: "object", properties: { input: { type: "string" } } },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
    expect(result).toMatchObject(era === "modern" ? { ttlMs: 10_000, cacheScope: "private" } : {});
  });

  test("AC-21, AC-26: a workflow is run by its tool, and as workflow:<name>, and answers with run, status and result", async () => {
    await using opened = await open({ era });
    const { engine, wire } = opened;
    await engine.save(greet, { name: "Daily greeting" });
    for (const name of ["workflow_daily_greeting", "workflow:Daily greeting"]) {
      const result = await wire.call(name, { name: "Ada" });
      expect(result).toMatchObject({
        content: [{ type: "text", text: "Hello Ada" }, { type: "text" }],
        structuredContent: { status: "completed", terminal_kind: "success", output: "Hello Ada" },
        _meta: { "stepwell/terminal_kind": "success" },
      });
      expect(result).not.toHaveProperty("isError");
    }
    expect(await engine.list()).toMatchObject([
      { run: { createdBy: "ann", createdVia: "mcp" } },
      { run: { name: "Daily greeting" } },
    ]);
  });

  test("AC-26: unknown tools and arguments that do not fit are -32602, with what is expected and given", async () => {
    await using opened = await open({ era });
    const { engine, wire } = opened;
    await engine.save(greet, { name: "greet" });
    expect(await wire.call("workflow_nothing")).toMatchObject({ protocolError: { code: -32602 } });
    expect(await wire.call("workflow_greet", { nam: "Ada" })).toMatchObject({
      protocolError: { code: -32602, data: { expected: ["name"], given: ["nam"] } },
    });
    const fixed = await wire.call("workflow_get", { run: 1 });
    expect(fixed).toMatchObject({ protocolError: { code: -32602, data: { expected: ["id"], given: ["run"] } } });
    expect(await engine.list()).toEqual([]);
  });

  test("what the engine refuses is an answer with its code, its words and a hint", async () => {
    await using opened = await open({ era });
    const result = await opened.wire.call("run_list", { status: "gone" });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "INPUT_INVALID", hint: expect.stringContaining("completed") } },
    });
    expect(await opened.wire.call("run_get", { run_id: "1-nothing" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "RUN_NOT_FOUND" } },
    });
  });

  test("a run that fails is an answer that says so", async () => {
    await using opened = await open({ era });
    const { engine, wire } = opened;
    await engine.save({ start: { tool: "fail", retry: { attempts: 1 }, done: true } }, { name: "bad" });
    expect(await wire.call("workflow_bad")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("out of order") }],
      structuredContent: { status: "failed", terminal_kind: "failure", error: { message: "out of order" } },
    });
  });
});

describe("the seeds' tools", () => {
  test("E3-26: workflow_create wants a name and a flow, and answers with the id at once", async () => {
    await using opened = await open();
    const { engine, wire } = opened;
    const flow = { start: { tool: "greet", args: { name: "{{input.name}}" }, done: true } };
    const { structuredContent: told } = await wire.call("workflow_create", { name: "n", flow, input: { name: "Ada" } });
    expect(told).toMatchObject({ id: expect.any(Number), status: "started" });
    const { id } = told as { readonly id: number };
    expect(await engine.result(id)).toMatchObject({ output: "Hello Ada" });
    expect(await wire.call("workflow_create", { name: "n" })).toMatchObject({ protocolError: { code: -32602 } });
    expect(await wire.call("workflow_create", { flow })).toMatchObject({ protocolError: { code: -32602 } });
    expect(await wire.call("workflow_create", { name: "n", flow: { one: {}, other: {} } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "FLOW_INVALID" } },
    });
    expect(await wire.call("workflow_get", { id })).toMatchObject({
      structuredContent: { id, status: "completed", flow_json: JSON.stringify(flow), steps: [{ name: "start" }] },
    });
    expect(await wire.call("workflow_list")).toMatchObject({ structuredContent: { workflows: [{ id }], next: null } });
  });

  test("E3-25: workflow_create takes a schedule, and workflow_cancel cancels", async () => {
    await using opened = await open();
    const { wire } = opened;
    const flow = { start: { tool: "greet", done: true } };
    const { structuredContent: told } = await wire.call("workflow_create", {
      name: "later",
      flow,
      schedule: "in 30 minutes",
    });
    expect(told).toMatchObject({ status: "scheduled" });
    const { id } = told as { readonly id: number };
    expect(await wire.call("workflow_cancel", { id })).toMatchObject({
      structuredContent: { id, status: "cancelled" },
    });
  });

  test.each([
    ["workflow_approve", "approved"],
    ["workflow_step_ready", '"status":"ready"'],
  ])("E0-38: %s(step_id) answers %s, and the run goes on", async (tool, told) => {
    await using opened = await open({ grants: ["read", "run", "approve"] });
    const { engine, wire } = opened;
    const { id } = await engine.start(gated, { as: "ann" });
    const [step] = (await engine.get(id)).steps;
    const result = await wire.call(tool, { step_id: step?.id ?? 0 });
    expect(result).toMatchObject({ content: [{ type: "text", text: expect.stringContaining(told) }] });
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "went on" });
  });

  test("E3-25: templates are saved, listed and deleted", async () => {
    await using opened = await open({ grants: ["read", "run", "save"] });
    const { wire } = opened;
    const saved = await wire.call("workflow_template_save", { name: "t", flow_json: JSON.stringify(gated) });
    expect(saved).toMatchObject({ structuredContent: { name: "t", version: 1, is_new_version: true } });
    expect(await wire.call("workflow_template_list")).toMatchObject({
      structuredContent: { templates: [{ name: "t", created_by: "ann" }] },
    });
    await wire.call("workflow_template_delete", { id: "t" });
    expect(await wire.call("workflow_template_list")).toMatchObject({ structuredContent: { templates: [] } });
  });
});

describe("what a connection may do", () => {
  test("AC-26: is to read and to run, unless somebody has said more: other tools are not shown, and the refusal says how", async () => {
    await using opened = await open();
    const names = await namesOf(opened.wire);
    expect(names).toContain("workflow_create");
    for (const name of ["workflow_approve", "workflow_step_ready", "run_respond"]) {
      expect(names).not.toContain(name);
      const args = name === "run_respond" ? { run_id: 1, answer: "approved" } : { step_id: 1 };
      expect(await opened.wire.call(name, args)).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "NOT_ALLOWED", hint: expect.stringContaining("stepwell mcp --approve") } },
      });
    }
    expect(names).not.toContain("workflow_template_save");
    expect(await opened.wire.call("workflow_template_save", { name: "a", flow_json: "{}" })).toMatchObject({
      structuredContent: { error: { code: "NOT_ALLOWED", hint: expect.stringContaining("stepwell mcp --save") } },
    });
  });

  test("who may not answer is not told to, by run_get either", async () => {
    await using opened = await open();
    const { engine, wire } = opened;
    const { id } = await engine.start(gated, { as: "ann" });
    const seen = await wire.call("run_get", { run_id: id });
    expect(seen).toMatchObject({ structuredContent: { status: "running" } });
    expect(seen["structuredContent"]).not.toHaveProperty("waiting");
    expect(JSON.stringify(seen["content"])).not.toContain("run_respond");
    // Else whoever asks after it does so for ever.
    const note = expect.stringMatching(
      /^It waits for a person: "start" waits for an answer .*This connection may not answer/,
    );
    expect(seen).toMatchObject({
      content: [{ text: expect.stringContaining("It waits for a person: ") }],
      structuredContent: { status: "running", note },
    });
    await using other = await openWire(engine, { grants: ["read", "approve"] });
    expect(JSON.stringify((await other.call("run_get", { run_id: id }))["content"])).toContain("run_respond");
  });

  test("is no more than its user may", async () => {
    await using opened = await open();
    const { engine } = opened;
    await engine.save(greet, { name: "greet" });
    await engine.access.save("bob", { keys: ["130001.read.own"] });
    await using wire = await openWire(engine, { user: "bob", grants: ["read", "run", "approve", "save"] });
    const names = await namesOf(wire);
    expect(names).toEqual([...names].filter((name) => readTools.includes(name) || name === "workflow_validate"));
    expect(await wire.call("workflow_greet", { name: "x" })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "NOT_ALLOWED" } },
    });
  });
});

describe("the list of tools", () => {
  test.each(["modern", "legacy"] as const)(
    "AC-28: whoever listens is told when a workflow comes, in a %s connection",
    async (era) => {
      await using opened = await open({ era, lookEveryMs: 1 });
      const { engine, wire } = opened;
      await namesOf(wire);
      if (era === "modern") {
        void wire.ask("subscriptions/listen", { notifications: { toolsListChanged: true } });
        await wire.heard("notifications/subscriptions/acknowledged");
      }
      const told = wire.heard("notifications/tools/list_changed");
      await engine.save(greet, { name: "new" });
      await told;
      expect(await namesOf(wire)).toContain("workflow_new");
    },
  );

  test("is told page by page", async () => {
    await using opened = await open();
    const { engine, wire } = opened;
    for (let each = 0; each < 101; each++) await engine.save({ start: { set: {}, done: true } }, { name: `w${each}` });
    const first = (await wire.ask("tools/list")).result;
    const second = (await wire.ask("tools/list", { cursor: first["nextCursor"] ?? "" })).result;
    const all = [first, second].flatMap(({ tools: page }) => page as readonly { readonly name: string }[]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(101);
    expect(second).not.toHaveProperty("nextCursor");
    expect((await wire.ask("tools/list", { cursor: "nothing" })).error).toMatchObject({ code: -32602 });
  });

  test("says which store is served, so that an engine knows itself", async () => {
    await using opened = await open();
    const { result } = await opened.wire.ask("server/discover");
    expect(result["capabilities"]).toMatchObject({
      tools: { listChanged: true },
      ...tasks,
      experimental: { "stepwell/store": { id: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(result["capabilities"]).not.toHaveProperty("tasks");
  });
});

test("the tool of a workflow is the version that was listed, also while another is saved", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ tools, clock: systemClock });
  await engine.save({ description: "first", steps: { start: { set: {}, done: true } } }, { name: "one" });
  const listed = (await engine.workflows.list()).map((workflow) => ({ ...workflow, description: null }));
  await engine.save({ description: "second", steps: { start: { set: {}, done: true } } }, { name: "one" });
  const get = (reference: string): Promise<unknown> => engine.workflows.get(reference);
  const late = { workflows: { list: () => Promise.resolve(listed), get } } as unknown as Engine;
  const house = createHouse(engine);
  expect(await findWorkflowTool(house, late, "workflow_one")).toMatchObject({ description: "first" });
});

describe("resources", () => {
  test.each(["stepwell", "alexclaw"])("AC-27: %s:// has workflows and runs, each and as lists", async (scheme) => {
    await using opened = await open();
    const { engine, wire } = opened;
    const { id } = await engine.save(greet, { name: "greet" });
    const run = await engine.start("greet", { as: "ann", input: { name: "Ada" } });
    await engine.result(run.id);
    const read = async (path: string): Promise<Json> => {
      const { result, error } = await wire.ask("resources/read", { uri: `${scheme}://${path}` });
      if (error !== null) return error;
      const [content] = result["contents"] as readonly { readonly text: string }[];
      return JSON.parse(content?.text ?? "") as Json;
    };
    expect(await read("workflows/list")).toMatchObject([{ id, name: "greet" }]);
    expect(await read(`workflows/${id}`)).toMatchObject({ id, flow: { description: "Says hello" } });
    expect(await read("runs/list")).toMatchObject([{ id: run.id }]);
    expect(await read(`runs/${run.id}`)).toMatchObject({ id: run.id, steps: [{ name: "start" }] });
    expect(await read(`runs/${run.uid}`)).toMatchObject({ id: run.id });
    for (const path of ["runs/17", "workflows/nothing", "nothing/1", "runs/%"])
      expect(await read(path)).toMatchObject({ code: -32602 });
    const { result } = await wire.ask("resources/list");
    const uris = (result["resources"] as readonly { readonly uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining([`${scheme}://workflows/list`, `${scheme}://runs/list`]));
    const { result: templates } = await wire.ask("resources/templates/list");
    expect(JSON.stringify(templates)).toContain(`${scheme}://runs/{id}`);
  });

  test("AC-27: the list has the fifty newest runs", async () => {
    await using opened = await open();
    const { engine, wire } = opened;
    for (let each = 0; each < 51; each++) await engine.start({ start: { set: {}, done: true } }, { as: "ann" });
    const { result } = await wire.ask("resources/read", { uri: "stepwell://runs/list" });
    const [content] = result["contents"] as readonly { readonly text: string }[];
    expect(JSON.parse(content?.text ?? "")).toHaveLength(50);
  });
});
