import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import { isObject, type Json, type JsonObject } from "../../flow/json.ts";
import type { Store } from "../../store/store.ts";
import { createDesk, createWorld } from "../../testing/engine.ts";
import type { FaultyStore } from "../../testing/faulty-store.ts";
import { createService, type Service } from "../../testing/service.ts";
import type { Tools } from "../../tool/registry.ts";
import { decisionSchema, inboxItemSchema } from "../contract/inbox-schema.ts";

const tools = { count: () => 42, send: () => "sent" };

async function openService(): Promise<Service> {
  return createService(createWorld("memory"), { tools, clock: systemClock });
}

/** With the store that it reads. */
async function openSpied(given: Tools = tools): Promise<{ readonly service: Service; readonly store: Store }> {
  const opened: Store[] = [];
  const prepare = ({ store }: FaultyStore): void => void opened.push(store);
  const service = await createService(createWorld("memory"), { tools: given, clock: systemClock, prepare });
  const [store] = opened;
  if (store === undefined) throw new Error("No store was opened.");
  return { service, store };
}

async function waitingIn({ get, settle }: Service): Promise<readonly JsonObject[]> {
  await settle();
  const { status, list } = await get("/api/inbox");
  expect(status).toBe(200);
  for (const item of list) expect(inboxItemSchema.safeParse(item).error).toBeUndefined();
  return list;
}

function gateOf(item: JsonObject | undefined): JsonObject {
  const gate = item?.["gate"];
  return isObject(gate) ? gate : {};
}

const publish: Json = {
  start: { tool: "count", next: "ask" },
  ask: {
    gate: {
      title: "Publish?",
      message: "{{ previous }} things",
      form: { type: "object", properties: { why: { type: "string" } } },
      approvers: ["user:local", "user:ann"],
      need: 2,
      expires_after: "2h",
    },
    routes: { later: "wait", rejected: "end" },
    next: "Send it",
  },
  "Send it": { tool: "send", done: true },
  wait: { tool: "count", done: true },
};

describe("GET /api/inbox", () => {
  test("tells what a run is about by the first plain value of its input, cut where it is long", async () => {
    await using service = await openService();
    const inputs: readonly JsonObject[] = [
      { order: { no: 17 }, city: "Bremen", n: 3 },
      { n: 0 },
      { text: "x".repeat(500) },
      { text: " a\n b " },
      { none: null, empty: " ", list: ["a"] },
    ];
    for (const input of inputs) await service.engine.start(publish, { name: "publish", input });
    await expect.poll(async () => (await waitingIn(service)).length).toBe(inputs.length);
    const told = (await waitingIn(service)).map(({ about }) => about);
    expect(told.toReversed()).toEqual(["Bremen", "0", `${"x".repeat(80)}…`, "a b", null]);
  });

  test("shows of a gate what is approved, what each answer leads to, and who has answered", async () => {
    await using service = await openService();
    const { id, uid } = await service.engine.start(publish, { name: "publish" });
    const [item] = await waitingIn(service);
    expect(item).toMatchObject({ kind: "gate", workflow_id: id, uid, call: null, crossroads: null, change: null });
    expect(item?.["gate"]).toMatchObject({
      title: "Publish?",
      message: "42 things",
      form: { type: "object", properties: { why: { type: "string" } } },
      choices: [
        { outcome: "approved", label: "Approve", leads_to: "Send it", tool: "send", ends_as: null },
        { outcome: "rejected", label: "Reject", leads_to: null, tool: null, ends_as: "completed" },
        { outcome: "later", label: "later", leads_to: "wait", tool: "count", ends_as: null },
      ],
      need: 2,
      answers: [],
      approvers: ["user:local", "user:ann"],
      data: 42,
    });
    const { expires_at: expiresAt, due_at: dueAt } = gateOf(item);
    expect([typeof expiresAt, dueAt]).toEqual(["number", expiresAt]);
    await service.engine.answer(Number(item?.["step_id"]), { by: "ann", outcome: "approved", comment: "fine" });
    const [again] = await waitingIn(service);
    expect(gateOf(again)["answers"]).toMatchObject([{ by: "ann", outcome: "approved", comment: "fine" }]);
    const outline = await service.get(`/api/workflow/${id}/outline`);
    expect(outline.body["waiting"]).toEqual([again]);
  });

  test("says how the run ends with an answer behind which nothing runs", async () => {
    await using service = await openService();
    const end = { set: {}, done: true };
    const flows: readonly { readonly [step: string]: Json }[] = [
      { ask: { gate: {}, done: true } },
      { ask: { gate: {}, routes: { error: "tell" }, done: { kind: "cancel" } }, tell: end },
      { ask: { gate: {}, routes: { rejected: "end" }, done: { kind: "failure" } } },
      { start: { set: {}, parallel: ["ask", "two"] }, ask: { gate: {}, done: true }, two: end },
      {
        start: { set: {}, parallel: ["ask", "two"], on_branch_error: "collect" },
        ask: { gate: {}, done: true },
        two: end,
      },
    ];
    const told: Json[] = [];
    for (const flow of flows) {
      const { id } = await service.engine.start(flow);
      const items = await waitingIn(service);
      const choices = gateOf(items.find((item) => item["workflow_id"] === id))["choices"];
      const list = Array.isArray(choices) ? choices.filter(isObject) : [];
      told.push(list.map((choice) => choice["ends_as"] ?? choice["leads_to"] ?? null));
      // And what is said comes true.
      await service.engine.answer(Number(items.find((item) => item["workflow_id"] === id)?.["step_id"]), {
        by: "ann",
        outcome: "rejected",
      });
      await service.settle();
      told.push((await service.engine.result(id)).status);
    }
    expect(told).toEqual([
      ["completed", "failed"],
      "failed",
      ["cancelled", "tell"],
      "completed",
      ["failed", "completed"],
      "completed",
      ["path", "failed"],
      "failed",
      ["path", "path"],
      "completed",
    ]);
  });

  test("shows of a gate behind a fork what each branch has given, and nothing that is large", async () => {
    await using service = await openService();
    const gathered: Json = {
      start: { set: {}, parallel: ["one", "two"] },
      one: { tool: "count", join: "ask" },
      two: { set: { b: 2 }, join: "ask" },
      ask: { gate: {}, done: true },
    };
    await service.engine.start(gathered, { name: "gathered" });
    const [behindFork] = await waitingIn(service);
    expect(gateOf(behindFork)["data"]).toEqual({ one: 42, two: { b: 2 } });
    await service.engine.start({ start: { gate: {}, done: true } }, { input: { text: "x".repeat(70_000) } });
    const [first] = await waitingIn(service);
    expect(gateOf(first)["data"]).toEqual({ $omitted: 70_011 });
  });

  test("reads no value that is too large to be shown, and all results of a fork only while they are small together", async () => {
    const { service: opened, store } = await openSpied({ grow: () => "x".repeat(40_000) });
    await using service = opened;
    const branches = ["one", "two", "three"];
    await service.engine.start({
      start: { set: {}, parallel: branches },
      ...Object.fromEntries(branches.map((name) => [name, { tool: "grow", join: "ask" }])),
      ask: { gate: {}, done: true },
    });
    const large = { text: "y".repeat(70_000) };
    await service.engine.start({ start: { set: large, next: "ask" }, ask: { gate: {}, done: true } });
    await service.settle();
    const whole = vi.spyOn(store, "findRow");
    const [single, gathered] = await waitingIn(service);
    expect(gateOf(single)["data"]).toEqual({ $omitted: 70_011 });
    expect(gateOf(gathered)["data"]).toEqual({ $omitted: 3 * 40_002 });
    expect(whole).not.toHaveBeenCalled();
  });

  test("what is too large to be shown is given whole by itself, to whoever asks for what led to the gate", async () => {
    await using service = await createService(createWorld("memory"), {
      tools: { grow: () => "x".repeat(40_000) },
      clock: systemClock,
    });
    const start = async (flow: Json, input: JsonObject = {}): Promise<void> => {
      await service.engine.start(flow, { input });
    };
    const large = { text: "y".repeat(70_000) };
    await start({ start: { gate: {}, done: true } }, large);
    await start({ start: { set: large, next: "ask" }, ask: { gate: {}, done: true } });
    await start({
      start: { set: large, next: "other" },
      other: { set: { a: 1 }, next: "ask" },
      ask: { gate: {}, input_from: "start", done: true },
    });
    const branches = ["one", "two"];
    await start({
      start: { set: {}, parallel: branches },
      ...Object.fromEntries(branches.map((name) => [name, { tool: "grow", join: "ask" }])),
      ask: { gate: {}, done: true },
    });
    const before = [];
    for (const { workflow_id: run, step_id: step } of await waitingIn(service)) {
      const { status, body } = await service.get(`/api/workflow/${Number(run)}/steps/${Number(step)}?part=previous`);
      expect(status).toBe(200);
      before.push(body);
    }
    const grown = "x".repeat(40_000);
    expect(before).toEqual([{ one: grown, two: grown }, large, large, large]);
  });

  test("shows what waits also where a value cannot be read", async () => {
    const { service: opened, store } = await openSpied();
    await using service = opened;
    const behind: Json = { start: { tool: "count", next: "ask" }, ask: { gate: {}, done: true } };
    for (const name of ["a", "b"]) await service.engine.start(behind, { name });
    await service.settle();
    vi.spyOn(store, "findShort").mockRejectedValueOnce(new RangeError("Invalid string length"));
    const items = await waitingIn(service);
    expect(items.map((item) => [item["workflow"], gateOf(item)["data"]])).toEqual([
      ["b", { $omitted: 0 }],
      ["a", 42],
    ]);
  });

  test("comes in pages that end within a run, and nothing is told twice or left out", async () => {
    await using service = await openService();
    const branches = ["one", "two", "three", "four", "five"];
    const many: Json = {
      start: { set: {}, parallel: branches },
      ...Object.fromEntries(branches.map((name) => [name, { gate: { title: name }, join: "last" }])),
      last: { set: {}, done: true },
    };
    for (const name of ["a", "b"]) await service.engine.start(many, { name });
    const all = await waitingIn(service);
    expect(all.map(({ workflow, title }) => [workflow, title])).toEqual(
      ["b", "a"].flatMap((name) => branches.map((branch) => [name, branch])),
    );
    const pages: JsonObject[][] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await service.get(`/api/inbox?limit=3${more}`);
      pages.push([...page.list]);
      cursor = page.headers.get("x-next-cursor");
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
    expect(pages.flat()).toEqual(all);
    const newest = Number(all[0]?.["workflow_id"]);
    expect((await service.get(`/api/inbox?cursor=${newest}`)).list).toEqual(all.slice(5));
    expect((await service.get("/api/inbox?cursor=1:2:3")).status).toBe(422);
  });

  test("asks once what whoever looks may see, however many runs there are", async () => {
    const { service: opened, store } = await openSpied();
    await using service = opened;
    const asked = vi.spyOn(store, "listEntries");
    const count = async (): Promise<number> => {
      asked.mockClear();
      await waitingIn(service);
      return asked.mock.calls.filter(([kind]) => kind === "principal").length;
    };
    await service.engine.start({ start: { gate: {}, done: true } });
    const ofOne = await count();
    for (let no = 0; no < 5; no += 1) await service.engine.start({ start: { gate: {}, done: true } });
    expect(await count()).toBe(ofOne);
  });

  test("shows the steps from which to choose where nothing says what follows", async () => {
    await using service = await openService();
    await service.engine.start({
      start: { tool: "count", branch: [{ if: "result > 50", then: "more" }] },
      more: { tool: "send", done: true },
    });
    const [item] = await waitingIn(service);
    expect(item).toMatchObject({
      kind: "no_branch_matched",
      gate: null,
      crossroads: {
        value: 42,
        steps: [
          { key: "start", name: "start" },
          { key: "more", name: "more" },
        ],
      },
    });
  });

  test("shows of a call that nobody knows the end of what was called, with what, and what went wrong", async () => {
    const desk = createDesk();
    await using service = await createService(createWorld("memory"), { tools: { work: desk.call } });
    const large = { text: "x".repeat(10_000) };
    for (const args of [{ to: "ann" }, large])
      await service.engine.start({ start: { tool: "work", effect: "write", args, done: true } });
    await service.world.clock.advance(120_000);
    const [second, first] = await waitingIn(service);
    expect(first).toMatchObject({
      kind: "uncertain",
      gate: null,
      call: { tool: "work", args: { to: "ann" }, error: { code: "timeout" }, attempt: 1, since: first?.["since"] },
    });
    expect(second?.["call"]).toMatchObject({ args: { $omitted: 10_011 } });
  });

  test("state=done tells who has answered what of late, newest first, in pages", async () => {
    await using service = await openService();
    const gate: Json = { start: { gate: { title: "Sure?" }, routes: { rejected: "end" }, done: true } };
    const runs = [];
    for (const name of ["a", "b"]) runs.push(await service.engine.start(gate, { name }));
    await service.settle();
    for (const { workflow, step_id: step } of (await waitingIn(service)).toReversed()) {
      const verb = workflow === "a" ? "approve" : "reject";
      await service.post(`/api/workflow/${Number(step)}/${verb}`, { comment: `said ${verb}` });
    }
    const done = await service.get("/api/inbox?state=done");
    for (const item of done.list) expect(decisionSchema.safeParse(item).error).toBeUndefined();
    expect(done.list).toMatchObject([
      { workflow: "b", workflow_id: runs[1]?.id, outcome: "rejected", comment: "said reject", title: "Sure?" },
      { workflow: "a", workflow_id: runs[0]?.id, outcome: "approved", comment: "said approve", status: "done" },
    ]);
    const first = await service.get("/api/inbox?state=done&limit=1");
    const next = await service.get(`/api/inbox?state=done&cursor=${first.headers.get("x-next-cursor")}`);
    expect([...first.list, ...next.list]).toEqual(done.list);
  });
});

describe("an answer that comes too late", () => {
  test.each(["approve", "reject", "ready", "answer"])(
    "by %s is told who was first, with what and when",
    async (verb) => {
      await using service = await openService();
      const { id } = await service.engine.start({
        start: { gate: {}, next: "rest" },
        rest: { wait: { event: "go" }, done: true },
      });
      await service.settle();
      const [gate] = (await service.engine.get(id)).steps;
      await service.engine.answer(gate?.id ?? 0, { by: "ada", outcome: "approved", comment: "yes" });
      const [answered] = (await service.engine.get(id)).steps;
      const { status, body } = await service.post(
        `/api/workflow/${gate?.id}/${verb}`,
        verb === "answer" ? { outcome: "rejected" } : {},
      );
      expect([status, body["code"]]).toEqual([409, "REFUSED"]);
      const at = answered?.gate?.answers[0]?.at;
      expect(body["details"]).toMatchObject({ by: "ada", at, outcome: "approved", comment: "yes" });
    },
  );
});
