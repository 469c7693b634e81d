import { describe, expect, test } from "vitest";
import { validate } from "../flow/validate/validate.ts";
import { checkName, parseReference } from "./workflow-entry.ts";

const names = [
  "digest",
  "Daily digest (2)",
  "téléchargement",
  "team/digest",
  "news:daily",
  "3rd try",
  "_x",
  "x",
  "日報",
];

/** Texts that are flows, or were meant to be: never taken for a name. */
const texts = [
  "start: {tool: log, done: true}",
  '{"start": {"tool": "log", "done": true}}',
  "{start: {tool: log, done: true}}",
  "start:",
  "name: digest",
  "digest\n",
  "steps:\n  a: {tool: log}",
  "- tool: log",
  "# digest",
  "---",
  "",
  " ",
  "123",
  "1774093092892",
  "digest@0",
  "digest@",
  "digest@new",
  "digest@1@2",
  " digest",
  "digest ",
  "a\tb: c",
  "a\u0000b",
  "a\u2028b",
  "a\ud800b",
  "x".repeat(129),
];

describe("a name", () => {
  test.each(names)("may be %j, alone or with a version", (name) => {
    expect(parseReference(name)).toEqual({ name, no: null });
    expect(parseReference(`${name}@12`)).toEqual({ name, no: 12 });
    expect(checkName(name)).toBe(name);
  });

  test.each(names)("%j is no flow in any notation, so nothing that can be started is taken for a name", (name) => {
    expect(validate(name).ok).toBe(false);
  });

  test.each(texts)("is not seen in %j", (text) => {
    expect(parseReference(text)).toBeUndefined();
  });

  test("that cannot be one is refused when a flow is saved, with a hint", () => {
    expect(() => checkName("a@b")).toThrow('A workflow cannot be saved under the name "a@b".');
    expect(() => checkName(null)).toThrow("A workflow is saved under a name, and this flow has none.");
  });
});
