import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../flow/json.ts";
import { listTools, type ToolList } from "./tool-list.ts";

const anything = { type: "object" };

function list(tools: readonly Json[], kind: "stdio" | "http" = "stdio"): Promise<ToolList> {
  return listTools(() => Promise.resolve({ tools }), kind);
}

test("a tool is read with all that is said about it", async () => {
  const given = {
    name: "a",
    title: "A",
    description: "does",
    inputSchema: anything,
    outputSchema: anything,
    annotations: { readOnlyHint: true },
    execution: { taskSupport: "required" },
  };
  const { definitions } = await list([given, { name: "b" }]);
  expect(definitions).toEqual([
    {
      name: "a",
      title: "A",
      description: "does",
      input: anything,
      output: anything,
      annotations: { readOnlyHint: true },
      taskSupport: "required",
    },
    {
      name: "b",
      title: null,
      description: null,
      input: anything,
      output: null,
      annotations: {},
      taskSupport: "forbidden",
    },
  ]);
});

test("one that makes no sense takes no other with it", async () => {
  const { definitions, problems } = await list([
    null,
    {},
    { name: "with space" },
    { name: "right\u202Eleft" },
    { name: "x".repeat(129) },
    { name: "a", inputSchema: [] },
    { name: "good" },
    { name: "good", description: "another" },
  ]);
  expect(definitions.map(({ name, description }) => `${name} ${description}`)).toEqual(["good null"]);
  expect(problems).toHaveLength(7);
});

test("all pages are read, until a server goes in circles", async () => {
  const pages: Record<string, JsonObject> = {
    "": { tools: [{ name: "a" }], nextCursor: "two" },
    two: { tools: [{ name: "b" }], nextCursor: "two" },
  };
  const { definitions } = await listTools((cursor) => Promise.resolve(pages[cursor ?? ""] ?? {}), "stdio");
  expect(definitions.map(({ name }) => name)).toEqual(["a", "b"]);
});

test.each<[string, (cursor: string | null) => JsonObject, RegExp]>([
  [
    "too many tools",
    () => ({ tools: Array.from({ length: 2001 }, (_, n) => ({ name: `t${n}` })) }),
    /more than 2000 tools/,
  ],
  [
    "too many bytes",
    (cursor) => ({ tools: [{ name: `${cursor}`, d: "x".repeat(9_000_000) }], nextCursor: `${cursor}.` }),
    /more than 16777216 bytes/,
  ],
  ["too many pages", (cursor) => ({ tools: [], nextCursor: `${cursor}.` }), /more than 500 pages/],
  ["no list", () => ({ tools: {} }), /in a form that is unknown/],
])("a list of %s is refused", async (_, page, message) => {
  await expect(listTools((cursor) => Promise.resolve(page(cursor)), "stdio")).rejects.toThrow(message);
});

describe("marks for headers", () => {
  const marked = (property: Json, more: JsonObject = {}): JsonObject => ({
    name: "a",
    inputSchema: { type: "object", properties: { one: property }, ...more },
  });
  const mark = (name: Json, type: Json = "string"): JsonObject => ({ type, "x-mcp-header": name });

  test.each<[string, JsonObject, number]>([
    ["on a simple property", marked(mark("Region")), 1],
    ["on a property of a property", marked({ type: "object", properties: { two: mark("Region") } }), 1],
    ["that is no name of a header", marked(mark("a b")), 0],
    ["that is empty", marked(mark("")), 0],
    ["that is no text", marked(mark(1)), 0],
    ["on a number", marked(mark("Region", "number")), 0],
    ["on the whole", marked({}, { "x-mcp-header": "Region" }), 0],
    ["in a list", marked({ type: "array", items: mark("Region") }), 0],
    ["in a definition", marked({}, { $defs: { two: mark("Region") } }), 0],
    ["twice the same", marked({ type: "object", properties: { a: mark("Region"), b: mark("region") } }), 0],
  ])("%s", async (_, given, count) => {
    expect((await list([given], "http")).definitions).toHaveLength(count);
    expect((await list([given], "stdio")).definitions).toHaveLength(1);
  });
});
