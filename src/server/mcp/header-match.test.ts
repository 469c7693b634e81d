import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { findMismatch } from "./header-match.ts";

const marks = [
  { path: ["region"], name: "Region" },
  { path: ["who", "id"], name: "Who" },
  { path: ["dry"], name: "Dry" },
];

function wrap(text: string): string {
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

describe("what stands in the headers", () => {
  test.each<[string, JsonObject, Readonly<Record<string, string>>]>([
    ["as it is", { region: "eu" }, { "Mcp-Param-Region": "eu" }],
    ["as a text that looks like Base64", { region: wrap("eu") }, { "mcp-param-region": wrap(wrap("eu")) }],
    ["in Base64", { region: "Zürich\n" }, { "mcp-param-region": wrap("Zürich\n") }],
    ["with the sign that some begin texts with", { region: "\uFEFFeu" }, { "mcp-param-region": wrap("\uFEFFeu") }],
    ["empty", { region: "" }, { "mcp-param-region": "" }],
    ["as a literal, without the end of Base64", { region: "=?base64?eu" }, { "mcp-param-region": "=?base64?eu" }],
    ["as a number", { who: { id: 42 } }, { "mcp-param-who": "42" }],
    ["as a number in another form", { who: { id: -42 } }, { "mcp-param-who": "-42.0" }],
    ["as a yes or no", { dry: false }, { "mcp-param-dry": "false" }],
    ["not, as the argument does not", { region: null, who: {} }, {}],
    ["though nothing of it is in the call", {}, { "mcp-param-region": "eu", "mcp-param-other": "x" }],
    ["not, where a client may not know the number", { who: { id: 2 ** 60 } }, {}],
    ["not, where it is no simple value, which the schema will refuse", { region: ["eu"], who: 7 }, {}],
  ])("fits: %s", (_, given, headers) => {
    expect(findMismatch(marks, given, new Headers(headers))).toBeNull();
  });

  const of = {
    region: ["Mcp-Param-Region", /"region"/],
    who: ["Mcp-Param-Who", /"who.id"/],
    dry: ["Mcp-Param-Dry", /"dry"/],
  } as const;

  test.each<[string, keyof typeof of, readonly [JsonObject, Readonly<Record<string, string>>]]>([
    ["missing", "region", [{ region: "eu" }, {}]],
    ["something else", "region", [{ region: "eu" }, { "mcp-param-region": "us" }]],
    ["in other letters", "region", [{ region: "eu" }, { "mcp-param-region": "EU" }]],
    ["a number where a text is wanted", "region", [{ region: "42" }, { "mcp-param-region": "42.0" }]],
    ["another number", "who", [{ who: { id: 42 } }, { "mcp-param-who": "43" }]],
    ["a number for a text in another form of it", "region", [{ region: 42 }, { "mcp-param-region": "43.0" }]],
    ["Base64 of nothing, by its form", "region", [{ region: "=?base64?=" }, { "mcp-param-region": "=?base64?=" }]],
    ["a number in words of its own", "who", [{ who: { id: 42 } }, { "mcp-param-who": "0x2a" }]],
    ["another answer", "dry", [{ dry: true }, { "mcp-param-dry": "1" }]],
  ])("does not fit: %s", (_, name, [given, headers]) => {
    const [header, named] = of[name];
    expect(findMismatch(marks, given, new Headers(headers))).toEqual({ header, reason: expect.stringMatching(named) });
  });

  test.each<[string, string]>([
    ["Base64 without its end", "=?base64?SGVsbG8?="],
    ["signs that are none of Base64", "=?base64?SG!!?="],
    ["bytes that are no text", "=?base64?/w==?="],
  ])("does not fit: %s", (_, value) => {
    const mismatch = findMismatch(marks, { region: "Hello" }, new Headers({ "mcp-param-region": value }));
    expect(mismatch).toEqual({ header: "Mcp-Param-Region", reason: "it is no Base64 of a text" });
  });
});
