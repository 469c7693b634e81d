import { describe, expect, it } from "vitest";
import { parseExpression } from "./parse.ts";
import { isKnownRoot, rootNames } from "./references.ts";

function referencesIn(source: string): readonly unknown[] {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.expression.references.map(({ root, path, computed, at }) => [root, path, computed, at]);
}

describe("references", () => {
  it.each<[string, readonly unknown[]]>([
    ["1 + 2", []],
    ["input", [["input", [], false, 0]]],
    ["steps.look.result.items", [["steps", ["look", "result", "items"], false, 0]]],
    ["steps['read-feed'].result[0]", [["steps", ["read-feed", "result", 0], false, 0]]],
    ["(steps).look", [["steps", ["look"], false, 1]]],
    [
      "steps[input.which].result",
      [
        ["steps", [], true, 0],
        ["input", ["which"], false, 6],
      ],
    ],
    ["input.a[-1].b", [["input", ["a"], true, 0]]],
    ["input[true]", [["input", [], true, 0]]],
    [
      "input.a.size() + index",
      [
        ["input", ["a"], false, 0],
        ["index", [], false, 17],
      ],
    ],
    ["has(input.a.b)", [["input", ["a", "b"], false, 4]]],
    [
      "!input.a ? -item : [event, {data: 'x'}]",
      [
        ["input", ["a"], false, 1],
        ["item", [], false, 12],
        ["event", [], false, 20],
        ["data", [], false, 28],
      ],
    ],
    [
      "input.a ?? input.a",
      [
        ["input", ["a"], false, 0],
        ["input", ["a"], false, 11],
      ],
    ],
    [
      "previous.map(x, x.id + item.id)",
      [
        ["previous", [], false, 0],
        ["item", ["id"], false, 23],
      ],
    ],
    [
      "item.map(item, item.id) + item.rest",
      [
        ["item", [], false, 0],
        ["item", ["rest"], false, 26],
      ],
    ],
    [
      "input.map(x, input.map(y, [x, y, z]))",
      [
        ["input", [], false, 0],
        ["input", [], false, 13],
        ["z", [], false, 33],
      ],
    ],
    [
      "input.map(x, x[input.key])",
      [
        ["input", [], false, 0],
        ["input", ["key"], false, 15],
      ],
    ],
    ["keys(input)[0].b", [["input", [], false, 5]]],
    ["nobody.knows", [["nobody", ["knows"], false, 0]]],
  ])("%s", (source, references) => {
    expect(referencesIn(source)).toEqual(references);
  });

  it("knows the roots of the language and no other", () => {
    expect(rootNames.every(isKnownRoot)).toBe(true);
    expect(["nobody", "toString", "__proto__", "Input", ""].some(isKnownRoot)).toBe(false);
  });
});
