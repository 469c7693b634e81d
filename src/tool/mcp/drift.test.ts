import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import type { ToolDefinition } from "./contract.ts";
import { findDrift, fromCanonical, toCanonical, withServerChange } from "./drift.ts";

const agreed: ToolDefinition = {
  name: "send",
  title: "Send",
  description: "Sends a letter.\nTo one person.",
  input: {
    type: "object",
    properties: {
      to: { type: "string", maxLength: 100 },
      speed: { enum: ["slow", "fast"] },
      pages: { type: "array", items: { type: "object", properties: { no: { type: "integer" } } } },
    },
    required: ["to"],
    additionalProperties: false,
  },
  output: { type: "object", properties: { id: { type: "string" }, cost: { type: "number" } }, required: ["id"] },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  taskSupport: "forbidden",
};

/** With other arguments. */
function withInput(change: JsonObject, others: JsonObject = {}): ToolDefinition {
  const properties = { ...(agreed.input["properties"] as JsonObject), ...change };
  return { ...agreed, input: { ...agreed.input, properties, ...others } };
}

function withOutput(change: JsonObject, others: JsonObject = {}): ToolDefinition {
  const properties = { ...(agreed.output?.["properties"] as JsonObject), ...change };
  return { ...agreed, output: { ...agreed.output, properties, ...others } };
}

function without(name: string): ToolDefinition {
  const { [name]: _, ...properties } = agreed.input["properties"] as { readonly [name: string]: JsonObject };
  return { ...agreed, input: { ...agreed.input, properties } };
}

const annotated = (annotations: JsonObject): ToolDefinition => ({ ...agreed, annotations });

const cases: readonly (readonly [what: string, found: ToolDefinition | null, kind: string, line: string])[] = [
  ["another description", { ...agreed, description: "Sends a letter.\nTo all." }, "description", "+ To all."],
  ["no description", { ...agreed, description: null }, "description", "- To one person."],
  ["another title", { ...agreed, title: "Mail" }, "description", "+ Mail"],
  ["a hidden word", { ...agreed, title: "Se\u200Bnd" }, "description", String.raw`+ Se\u{200b}nd`],
  [
    "words about an argument",
    withInput({ to: { type: "string", maxLength: 100, description: "whom" } }),
    "description",
    '+ "whom"',
  ],
  ["the order of required names", withInput({}, { required: ["to", "to"] }), "description", "another way"],
  [
    "an argument that may be given",
    withInput({ copy: { type: "string" } }),
    "additive",
    "+ copy: a new argument that may",
  ],
  ["a wider enum", withInput({ speed: { enum: ["slow", "fast", "now"] } }), "additive", '+ "now"'],
  ["no enum any more", withInput({ speed: {} }), "additive", "→ any"],
  ["a wider type", withInput({ to: { type: ["string", "null"], maxLength: 100 } }), "additive", "to: type:"],
  ["a looser bound", withInput({ to: { type: "string", maxLength: 200 } }), "additive", "maxLength: 100 → 200"],
  ["no bound", withInput({ to: { type: "string" } }), "additive", "maxLength: 100 → nothing"],
  ["nothing required", withInput({}, { required: [] }), "additive", "to: may be left out now"],
  ["other names allowed", withInput({}, { additionalProperties: true }), "additive", "other names: refused → allowed"],
  ["a new field of the result", withOutput({ at: { type: "string" } }), "additive", "+ result.at: a new field"],
  ["a field that is always there", withOutput({}, { required: ["id", "cost"] }), "additive", "result.cost: is always"],
  ["a better promise", annotated({ ...agreed.annotations, readOnlyHint: true }), "additive", "to change nothing"],
  ["another way to call it", { ...agreed, taskSupport: "required" }, "additive", "forbidden → required"],
  ["an argument that has gone", without("speed"), "narrowing", "- speed: the argument has gone"],
  ["a narrower enum", withInput({ speed: { enum: ["slow"] } }), "narrowing", '- "fast"'],
  ["a new enum", withInput({ to: { type: "string", maxLength: 100, enum: ["x"] } }), "narrowing", "values: any"],
  ["another type", withInput({ to: { type: "number", maxLength: 100 } }), "narrowing", '"string" → "number"'],
  ["a tighter bound", withInput({ to: { type: "string", maxLength: 10 } }), "narrowing", "maxLength: 100 → 10"],
  [
    "a new pattern",
    withInput({ to: { type: "string", maxLength: 100, pattern: "^a" } }),
    "narrowing",
    "pattern: nothing",
  ],
  [
    "a deeper type",
    withInput({ pages: { type: "array", items: { type: "object", properties: { no: { type: "string" } } } } }),
    "narrowing",
    "pages[].no: type:",
  ],
  [
    "another default",
    withInput({ speed: { enum: ["slow", "fast"], default: "fast" } }),
    "narrowing",
    "speed, default:",
  ],
  [
    "words that nobody knows",
    withInput({ to: { type: "string", maxLength: 100, $ref: "#/x" } }),
    "narrowing",
    "to, $ref:",
  ],
  ["a field of the result that has gone", { ...agreed, output: { type: "object" } }, "narrowing", "- result.id:"],
  ["a field that may be missing", withOutput({}, { required: [] }), "narrowing", "result.id: may be missing now"],
  ["a wider field", withOutput({ id: { type: ["string", "null"] } }), "narrowing", "result.id: type:"],
  ["no word on the result", { ...agreed, output: null }, "narrowing", "no longer says what its result"],
  [
    "a promise less",
    annotated({ ...agreed.annotations, idempotentHint: false }),
    "narrowing",
    "no longer promises that",
  ],
  [
    "a promise that is not made",
    annotated({ readOnlyHint: false, idempotentHint: true }),
    "narrowing",
    "to destroy nothing",
  ],
  [
    "a new argument that must be given",
    withInput({ key: { type: "string" } }, { required: ["to", "key"] }),
    "new_required",
    "+ key: a new argument that must be given",
  ],
  [
    "one that must be given now",
    withInput({}, { required: ["to", "speed"] }),
    "new_required",
    "speed: must be given now",
  ],
  ["that it is not there", null, "gone", "no more"],
];

describe("what has become of a tool", () => {
  test.each(cases)("%s is told of", (_, found, kind, line) => {
    const drift = findDrift(agreed, found);
    expect(drift?.kind).toBe(kind);
    expect(drift?.lines.join("\n")).toContain(line);
  });

  test("is nothing when the same is written in another order", () => {
    const { required, ...others } = agreed.input;
    expect(findDrift(agreed, { ...agreed, input: { required: required ?? [], ...others } })).toBeUndefined();
  });

  test("is the gravest of several, which stands first", () => {
    const found = { ...withInput({ key: {} }, { required: ["to", "key"] }), description: "Other.", title: null };
    const drift = findDrift(agreed, found);
    expect([drift?.kind, drift?.lines[0]]).toEqual([
      "new_required",
      "+ key: a new argument that must be given, anything",
    ]);
  });

  test("has lines that are few, short and steer no terminal, whatever a server says", () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, no) => [`a${no}\u001B[31m`, {}]));
    const found = { ...withInput(properties), description: `${"x".repeat(100_000)}\n\u202E${"y\n".repeat(5000)}` };
    const lines = findDrift(agreed, found)?.lines ?? [];
    expect(lines).toHaveLength(60);
    expect(lines.at(-1)).toMatch(/^and \d+ more$/);
    expect(lines.every((line) => line.length < 400 && !/[\p{Cc}\p{Cf}]/u.test(line))).toBe(true);
  });

  test("can be said of schemas that no reader would follow", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 200; level += 1) deep = { type: "object", properties: { a: deep } };
    expect(findDrift(withInput({ to: deep }), withInput({ to: { ...deep, properties: { a: {} } } }))?.kind).toBe(
      "narrowing",
    );
    expect(findDrift(agreed, { ...agreed, input: { type: 7, properties: [], required: "to" } })?.kind).toBe(
      "narrowing",
    );
  });

  test("includes another program behind it", () => {
    const lines = ["The server behind it:"];
    expect(withServerChange(undefined, lines)).toEqual({ kind: "server", lines });
    expect(withServerChange(findDrift(agreed, null), lines).kind).toBe("gone");
  });
});

test("a definition comes back from its text as it was", () => {
  expect(fromCanonical(JSON.parse(JSON.stringify(toCanonical(agreed))) as JsonObject)).toEqual(agreed);
  for (const wrong of [
    null,
    [],
    {},
    { name: "a" },
    { name: "a", input: [] },
    { name: "a", input: {}, taskSupport: "no" },
  ])
    expect(fromCanonical(wrong)).toBeUndefined();
});
