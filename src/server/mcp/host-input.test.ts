import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire } from "../../testing/mcp-wire.ts";

const ofEither = { oneOf: [{ $ref: "#/$defs/a" }, { type: "object", required: ["b"] }] };

test.each<[string, JsonObject, JsonObject]>([
  [
    "a choice at its top",
    { type: "object", ...ofEither, $defs: { a: { type: "object", required: ["a"] } } },
    { oneOf: [{ $ref: "#/properties/input/$defs/a" }, { required: ["b"] }] },
  ],
  [
    "a name that is not plain",
    { type: "object", properties: { a: { type: "integer" }, "Größe in cm": { type: "number" } }, required: ["a"] },
    { properties: { a: {}, "Größe in cm": {} } },
  ],
])(
  "a workflow whose input has %s is listed so that hosts can take it, and is called with either",
  async (_, input, inner) => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ clock: systemClock });
    const flow: Json = { input, steps: { start: { set: {}, done: { output: "{{ input.a }}" } } } };
    await engine.save(flow, { name: "odd" });
    await engine.save({ steps: { start: { set: {}, done: true } } }, { name: "plain" });
    await using wire = await openWire(engine);
    const { tools } = (await wire.ask("tools/list")).result as { readonly tools: readonly JsonObject[] };
    const schemaOf = (name: string): Json | undefined => tools.find((tool) => tool["name"] === name)?.["inputSchema"];
    const listed = schemaOf("workflow_odd") as JsonObject;
    expect(Object.keys(listed)).toEqual(["type", "properties", "required"]);
    expect(listed).toMatchObject({ type: "object", properties: { input: inner }, required: ["input"] });
    expect(schemaOf("workflow_plain")).toMatchObject({ properties: { input: { type: "string" } } });
    for (const given of [{ input: { a: 7 } }, { a: 7 }])
      expect(await wire.call("workflow_odd", given)).toMatchObject({ structuredContent: { output: 7 } });
    const refused = (await wire.ask("tools/call", { name: "workflow_odd", arguments: { input: {} } })).error;
    expect(refused).toMatchObject({ code: -32602 });
  },
);

test("what does not fit an input that only refers to another place is told with what would stand there", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  const input = {
    $ref: "#/$defs/order",
    $defs: { order: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } },
  };
  await engine.save({ input, steps: { start: { set: {}, done: { output: "{{ input.count }}" } } } }, { name: "order" });
  await using wire = await openWire(engine);
  expect(await wire.call("workflow_order", { count: 7 })).toMatchObject({ structuredContent: { output: 7 } });
  expect(await wire.call("workflow_order", { count: "x" })).toMatchObject({
    protocolError: {
      code: -32602,
      message: 'workflow_order: "count" must be integer. Expected: count; given: count.',
      data: { expected: ["count"] },
    },
  });
});

test.each<[string, Json]>([
  ["a text", { type: "string" }],
  ["a list", { type: "array" }],
])("a workflow that would take %s, and so could never be called, is refused when it is saved", async (_, input) => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  const saving = engine.save({ input, steps: { start: { set: {}, done: true } } }, { name: "odd" });
  await expect(saving).rejects.toMatchObject({ code: "FLOW_INVALID", message: expect.stringContaining("object") });
  await using wire = await openWire(engine);
  const { tools } = (await wire.ask("tools/list")).result as { readonly tools: readonly JsonObject[] };
  expect(tools.map(({ name }) => name)).not.toContain("workflow_odd");
});
