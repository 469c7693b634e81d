import { describe, expect, test } from "vitest";
import { indentBehind } from "./indent.ts";

describe("the next line begins", () => {
  test.each([
    ["below a key that has no value yet", "    args:", 6],
    ["below one with a comment", "  draft: # the first", 4],
    ["below a text of many lines", "    text: |-", 6],
    ["beside a key that has its value", "    tool: log", 4],
    ["where an empty line ended", "    ", 4],
    ["where a comment began", "  # why", 2],
    ["at the first key of an entry", "  - name: submit", 4],
    ["below a key of an entry that has no value yet", "  - action:", 6],
    ["at the next entry, behind one that is whole", "  - { name: a, to: b }", 2],
    ["behind a dash that stands alone", "  -", 4],
    ["at the left of the page, at first", "", 0],
  ])("%s", (_where, line, column) => {
    expect(indentBehind(line)).toBe(column);
  });

  test("as brackets want it, within them", () => {
    expect(["    args: {", "parallel: [", "  { a: 1,"].map(indentBehind)).toEqual([null, null, null]);
  });
});
