import { expect, test } from "vitest";
import { toPlainJson as asTheEngine } from "../../../src/tool/mcp/jsonc.ts";
import { toPlainJson } from "./jsonc.ts";

test.each([
  '{ "a": 1 }',
  '\uFEFF{ "a": [1, 2, ], /* why, */ "b": "// no comment", } // end',
  '{\n  // one\n  "a": "quo\\"te, }", /* two\n lines */ }\n',
  '{ "url": "https://example.com/*" , }',
  '{ "a": "not closed\n } // x',
  "/* never closed , }",
  '{ "a": 1 / 2, } / /',
  "[1, , ]",
])("comments and commas too many are taken out as the engine does it: %s", (text) => {
  expect(toPlainJson(text)).toBe(asTheEngine(text));
});

test("what is meant to hurt takes no longer than what is not", () => {
  for (const text of ["/*".repeat(200_000), '"\\'.repeat(200_000), ", ".repeat(200_000)])
    expect(toPlainJson(text)).toHaveLength(text.length);
});
