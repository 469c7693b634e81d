import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";
import { caller, greet } from "../../testing/sharing.ts";

const rss = readFileSync(join(import.meta.dirname, "../../../examples/seeds/002-rss-export.json"), "utf8");
const base = "/api/workflow/templates";

async function openService(): Promise<Service> {
  return createService(createWorld("memory"));
}

async function readExport({ fetch }: Service, path: string): Promise<Response> {
  return fetch(new Request(`http://localhost${path}`, { headers: { host: "localhost" } }));
}

describe("GET …/export", () => {
  test("AC-49, AC-50: is an attachment with the text of the file, under the seed's path as well", async () => {
    await using service = await openService();
    const { id } = await service.engine.save(greet("hello"), { name: "Say hello/../now" });
    await service.engine.save(caller("main", "Say hello/../now"));
    const text = await service.engine.workflows.exportText(id);
    for (const path of [`${base}/${id}/export`, `/workflows/${id}/export`]) {
      const response = await readExport(service, path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("content-disposition")).toBe(
        "attachment; filename=\"Say_hello_.._now.json\"; filename*=UTF-8''Say_hello_.._now.json",
      );
      expect(await response.text()).toBe(text);
    }
    const { body } = await service.get(`${base}/main/export`);
    expect(body).toMatchObject({ stepwell: 1, workflow: { name: "main" }, workflows: [{ name: "Say hello/../now" }] });
  });

  test.each([
    ["Übersicht für Ann", "_bersicht_f_r_Ann.json"],
    ['quote" and ; x', "quote_and_x.json"],
    ["con", "workflow_con.json"],
    ["_._x", "x.json"],
  ])("AC-50: a workflow called %j comes as %j", async (name, fileName) => {
    await using service = await openService();
    await service.engine.save(greet("hello"), { name });
    const response = await readExport(service, `${base}/${encodeURIComponent(name)}/export`);
    expect(response.headers.get("content-disposition")).toContain(`filename="${fileName}"`);
  });

  test("AC-50: of an id that nobody has is not found", async () => {
    await using service = await openService();
    for (const path of [`${base}/12/export`, "/workflows/12/export", `${base}/..%2F..%2Fetc%2Fpasswd/export`]) {
      const { status, body } = await service.get(path);
      expect([status, body["code"]]).toEqual([404, "WORKFLOW_NOT_FOUND"]);
    }
  });
});

describe("POST …/import", () => {
  test("AC-51, AC-52: brings a file of AlexClaw in, disabled, with a plan before it and a warning", async () => {
    await using service = await openService();
    const planned = await service.send("POST", `${base}/import?plan=true`, rss);
    expect(planned.status).toBe(200);
    expect(planned.body).toMatchObject({
      name: "RSS digest",
      workflows: [{ name: "RSS digest", as: "RSS digest", state: "new", action: "create" }],
      resources: [{ name: "News feed", url: "https://example.org/feed.xml", action: "create" }],
      missing_tools: ["llm_transform", "rss_fetch", "score_items", "telegram_notify"],
      missing_secrets: [],
      permissions: ["tool:llm_transform", "tool:rss_fetch", "tool:score_items", "tool:telegram_notify"],
    });
    expect((await service.get(base)).list).toEqual([]);
    const { status, body, headers } = await service.send("POST", `${base}/import`, rss);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${base}/${JSON.stringify(body["id"])}`);
    expect(body).toMatchObject({
      ...planned.body,
      workflow: { id: body["id"], name: "RSS digest", is_enabled: false, version: 1 },
    });
    expect(body["warnings"]).toContain("Resource 'News feed' created");
    const names = [];
    for (let count = 0; count < 2; count++)
      names.push((await service.send("POST", `${base}/import`, rss)).body["name"]);
    expect(names).toEqual(["RSS digest (imported 1)", "RSS digest (imported 2)"]);
  });

  test("AC-53: what was exported comes back, and is started when whoever imports it says so", async () => {
    await using service = await openService();
    await using elsewhere = await openService();
    await service.engine.save(greet("hello"));
    await service.engine.save(caller("main", "greet@1"));
    const text = await (await readExport(service, `${base}/main/export`)).text();
    const { body } = await elsewhere.send("POST", `${base}/import?enable=true`, text);
    expect(body).toMatchObject({ workflow: { is_enabled: true } });
    expect(await (await readExport(elsewhere, `${base}/main/export`)).text()).toBe(text);
    const started = await elsewhere.engine.start("main");
    expect(await elsewhere.engine.result(started.id)).toMatchObject({ output: { message: "hello" } });
  });

  const newer = '{"version":2,"workflow":{"name":"a"},"steps":[]}';
  const badStep = '{"version":1,"workflow":{"name":"a"},"steps":[{"position":1}]}';
  const large = JSON.stringify({ stepwell: 1, more: "x".repeat(1_048_576) });
  const missing = [{ code: "unknown_version" }, { code: "workflow_missing" }];
  const problems: readonly { readonly what: string; readonly text: string; readonly answer: Json }[] = [
    { what: "no JSON", text: '{"version": 1,', answer: { status: 400, code: "BODY_UNREADABLE", details: { line: 1 } } },
    {
      what: "a list",
      text: "[]",
      answer: { status: 422, code: "INPUT_INVALID", details: { problems: [{ code: "not_an_object", pointer: "" }] } },
    },
    { what: "nothing", text: "", answer: { status: 422, code: "INPUT_INVALID", details: { problems: missing } } },
    {
      what: "another version",
      text: newer,
      answer: { status: 422, details: { problems: [{ code: "unknown_version", pointer: "/version" }] } },
    },
    {
      what: "a bad step",
      text: badStep,
      answer: {
        status: 422,
        code: "FLOW_INVALID",
        details: { findings: [{ code: "missing_key", pointer: "/steps/0" }] },
      },
    },
    { what: "too much", text: large, answer: { status: 413, code: "TOO_LARGE" } },
  ];

  test.each(problems)("AC-52: refuses $what, and keeps nothing of it", async ({ text, answer }) => {
    await using service = await openService();
    expect((await service.send("POST", `${base}/import`, text)).body).toMatchObject(answer as object);
    expect((await service.get(`${base}?all=true`)).list).toEqual([]);
  });
});

test("AC-54: POST …/clone makes a copy that is disabled", async () => {
  await using service = await openService();
  const { id } = await service.engine.save(greet("hello", { triggers: [{ cron: "0 8 * * *" }] }));
  const { status, body } = await service.post(`${base}/${id}/clone`);
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "greet (copy)", is_enabled: false, version: 1, is_new_version: true });
  expect((await service.get(`${base}/greet%20(copy)`)).body["flow"]).toEqual(greet("hello"));
  expect((await service.post(`${base}/12/clone`)).status).toBe(404);
});
