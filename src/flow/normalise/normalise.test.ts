import { describe, expect, test } from "vitest";
import { hashOf } from "../hash.ts";
import type { Json, JsonObject } from "../json.ts";
import { validate } from "../validate/validate.ts";
import { rewriteAlexClaw } from "./alexclaw.ts";
import { originOf } from "./origins.ts";

function normal(input: Json): JsonObject {
  const report = validate(input);
  expect(report.findings.filter((found) => found.severity === "error")).toEqual([]);
  return JSON.parse(JSON.stringify(report.document)) as JsonObject;
}

function version(input: Json): string {
  return hashOf(normal(input));
}

const greet = { tool: "greet", args: { name: "World" }, next: "count" };
const count = { tool: "count", done: true };

describe("one spelling for one meaning", () => {
  test("layout, comments, key order and x-ui make no new version", () => {
    const json = { format: "stepwell/v1", start: "greet", steps: { greet, count } };
    const yaml = `
# a comment
steps:
  count: { done: true, tool: count }
  greet:
    next: count        # and another one
    args: { name: World }
    tool: greet
start: greet
x-ui: { greet: [1, 2] }
format: stepwell/v1
`;
    expect(version(yaml)).toBe(version(json));
    expect(version({ ...json, steps: { greet: { ...greet, "x-ui": { x: 1 } }, count } })).toBe(version(json));
    expect(version({ ...json, steps: { greet: { ...greet, args: { name: "You" } }, count } })).not.toBe(version(json));
  });

  test("a bare map is a document whose start is the step start", () => {
    expect(normal({ start: { ...greet, name: "greet" }, count: { ...count, name: "count" } })).toEqual({
      format: "stepwell/v1",
      start: "start",
      steps: { start: { ...greet, name: "greet" }, count },
    });
  });

  test("targets are stored by key, whatever name they were written with", () => {
    const steps = {
      start: { tool: "x", name: "search", next: "again" },
      again: { wait: "1m", branch: [{ if: "input.more", then: "search" }], else: "end" },
    };
    expect(normal(steps)["steps"]).toMatchObject({
      again: { branch: [{ if: "input.more", then: "start" }], else: "end" },
    });
  });

  test("on, on_error and the prefix on_ become routes", () => {
    const written = { a: { tool: "x", on: { on_items: "b", empty: "end" }, on_error: "b", next: "b" }, b: count };
    expect(normal(written)["steps"]).toMatchObject({ a: { routes: { items: "b", empty: "end", error: "b" } } });
  });

  test("a tool that is null is a gate, done: false is nothing, attempt is not kept", () => {
    expect(normal({ start: { tool: null, args: {}, attempt: 1, done: false } })["steps"]).toEqual({
      start: { gate: {} },
    });
  });

  test("the seeds' older words for policies are replaced", () => {
    const step = { tool: "x", on_missing_skill: "skip", fallback_skill: "y", on_circuit_open: "fallback", done: true };
    expect(normal({ start: step })["steps"]).toEqual({
      start: { tool: "x", on_missing_tool: "skip", fallback: "y", on_circuit_open: "fallback", done: true },
    });
  });

  test("the normal form is its own normal form", () => {
    for (const input of [
      { start: { ...greet, name: "hello" }, count },
      {
        steps: [
          { tool: "x", position: 5 },
          { tool: "y", position: 10, routes: [{ branch: "on_items", goto: 5 }], input_from: 5 },
        ],
      },
      {
        initial: "draft",
        states: { draft: {}, out: { terminal: true, kind: "success" } },
        transitions: [{ name: "go", from: "draft", to: "out" }],
      },
    ]) {
      expect(normal(normal(input))).toEqual(normal(input));
    }
  });
});

describe("pipelines", () => {
  test("positions become names, gaps are kept, the list is in their order", () => {
    const document = normal({
      steps: [
        { position: 10, name: "send", tool: "notify" },
        {
          position: 5,
          tool: "rss",
          routes: [
            { branch: "on_items", goto: 10 },
            { branch: "on_empty", goto: "end" },
          ],
        },
      ],
    });
    expect(document["steps"]).toEqual([
      { name: "step_5", position: 5, tool: "rss", routes: { items: "send", empty: "end" } },
      { name: "send", position: 10, tool: "notify" },
    ]);
  });

  test("findings point at the list as it was written", () => {
    const report = validate({
      steps: [
        { position: 2, tool: "x", next: "zzzzzz" },
        { position: 1, tool: "y" },
      ],
    });
    expect(report.findings.map((found) => found.pointer)).toEqual(["/steps/0/next"]);
  });

  test("a start by position is allowed", () => {
    const input = {
      start: "step_2",
      steps: [{ tool: "x" }, { tool: "y", branch: [{ if: "input.again", then: 1 }], else: "end" }],
    };
    expect(validate(input).plan?.start).toBe("step_2");
  });

  test("a skill with its config is a tool with its args and policies", () => {
    const step = {
      name: "sum",
      skill: "llm_transform",
      config: {
        on_circuit_open: "skip",
        on_missing_skill: "skip",
        fallback_skill: "other",
        timeout_ms: 30_000,
        style: "{{ short }}",
      },
      prompt_template: "Sum up {input}",
      llm_tier: "light",
    };
    expect(normal({ steps: [step] })["steps"]).toEqual([
      {
        name: "sum",
        tool: "llm_transform",
        args: {
          input: "{{ previous }}",
          config: { style: '{{ "{{" }} short }}' },
          prompt_template: "Sum up {input}",
          llm_tier: "light",
        },
        on_circuit_open: "skip",
        on_missing_tool: "skip",
        fallback: "other",
        timeout: "30000ms",
      },
    ]);
  });
});

describe("AlexClaw exports", () => {
  const exported = {
    version: 1,
    workflow: {
      name: "News",
      description: "Morning news",
      schedule: "0 8 * * *",
      enabled: true,
      default_provider: "local",
      metadata: { requires_2fa: true },
    },
    steps: [
      {
        position: 1,
        name: "Fetch",
        skill: "rss",
        config: null,
        routes: [
          { branch: "on_items", goto: 2 },
          { branch: "default", goto: 4 },
        ],
        input_from: null,
      },
      { position: 2, name: "Send", skill: "notify", config: { chat: 7, deep: [true, null] }, routes: [] },
      { position: 4, name: "Send", skill: "notify" },
    ],
    resources: [{ name: "feed", type: "rss_feed", url: "https://example.org/feed" }],
  };

  test("AC-49: an export is read as a pipeline with its steps, routes, positions and resources", () => {
    const report = validate(exported);
    expect(report.ok).toBe(true);
    expect(report.notation).toBe("pipeline");
    expect(JSON.parse(JSON.stringify(report.document))).toEqual({
      format: "stepwell/v1",
      name: "News",
      description: "Morning news",
      triggers: [{ cron: "0 8 * * *" }],
      requires_2fa: true,
      resources: { feed: exported.resources[0] },
      "x-alexclaw": { enabled: true, default_provider: "local", metadata: { requires_2fa: true } },
      steps: [
        {
          name: "Fetch",
          tool: "rss",
          args: { input: "{{ previous }}" },
          routes: { items: "Send", default: "Send 2", error: "Send 2" },
        },
        { name: "Send", tool: "notify", args: { input: "{{ previous }}", config: { chat: 7, deep: [true, null] } } },
        { name: "Send 2", position: 4, tool: "notify", args: { input: "{{ previous }}" } },
      ],
    });
  });

  test("findings point into the export as it is", () => {
    const pointers = (input: Json): readonly string[] => validate(input).findings.map((found) => found.pointer);
    expect(pointers(exported).toSorted()).toEqual(["/workflow/metadata/requires_2fa", "/workflow/schedule"]);
    const odd = { version: 1, workflow: { name: "x" }, steps: [{ skill: "x", config: { on_circuit_open: "jump" } }] };
    expect(pointers(odd)).toEqual(["/steps/0/config/on_circuit_open"]);
    expect(pointers({ version: 1, workflow: { name: "x" }, steps: [{ skill: 7 }] })).toEqual(["/steps/0/skill"]);
  });

  const exportOf = (step: JsonObject, rest: JsonObject = {}): JsonObject => ({
    version: 1,
    workflow: { name: "n" },
    steps: [{ name: "a", skill: "a", ...step }],
    ...rest,
  });

  test("keys that an export does not have are passed over, in steps and in routes", () => {
    const written = exportOf({ id: 3, colour: null, routes: [{ branch: "on_items", goto: "end", id: 4 }] });
    expect(normal(written)["steps"]).toEqual([
      { name: "a", tool: "a", args: { input: "{{ previous }}" }, routes: { items: "end" } },
    ]);
  });

  test("nulls of resources and of policies in config say nothing", () => {
    const resources = [{ name: "feed", type: null, url: null, tags: ["a"] }];
    const config = { on_circuit_open: null, on_missing_skill: null, fallback_skill: null, timeout_ms: null };
    const document = normal(exportOf({ config }, { resources }));
    expect(document["resources"]).toEqual({ feed: { name: "feed", tags: ["a"] } });
    expect(document["steps"]).toEqual([{ name: "a", tool: "a", args: { input: "{{ previous }}" } }]);
  });

  test.each<[string, JsonObject, string, string]>([
    [
      "the route for errors that default stands for",
      exportOf({
        routes: [
          { branch: "on_items", goto: 1 },
          { branch: "default", goto: 99 },
        ],
      }),
      "dangling_name",
      "/steps/0/routes/1/goto",
    ],
    [
      "a timeout that is no duration",
      exportOf({ config: { timeout_ms: "soon" } }),
      "bad_duration",
      "/steps/0/config/timeout_ms",
    ],
    [
      "a timeout that is no text",
      exportOf({ config: { timeout_ms: [3] } }),
      "bad_duration",
      "/steps/0/config/timeout_ms",
    ],
  ])("a finding about %s points into the export", (_, written, code, pointer) => {
    const places = validate(written)
      .findings.filter((found) => found.code === code)
      .map((found) => found.pointer);
    expect(new Set(places)).toEqual(new Set([pointer]));
  });

  test("a finding about a resource points at its place in the list", () => {
    const { origins } = rewriteAlexClaw(exportOf({}, { resources: [{ name: "old" }, { name: "a/b" }] }));
    expect(originOf(origins, "/resources/a~1b/type")).toBe("/resources/1/type");
  });

  test("a timeout with its unit is kept as it is", () => {
    expect(normal(exportOf({ config: { timeout_ms: "3s" } }))["steps"]).toMatchObject([{ timeout: "3s" }]);
  });

  test("an export without resources, triggers and settings is a plain pipeline", () => {
    const report = validate({
      version: 1,
      workflow: { name: "x" },
      steps: [
        {
          skill: "a",
          routes: [
            { branch: "on_error", goto: 1 },
            { branch: "default", goto: "end" },
          ],
        },
      ],
    });
    expect(report.findings.map(({ code }) => code)).toEqual(["loop_without_wait"]);
    expect(Object.keys(report.document ?? {})).toEqual(["format", "name", "steps"]);
  });
});
