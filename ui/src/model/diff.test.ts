import { expect, test } from "vitest";
import { countChanges, diffLines, foldAlike } from "./diff.ts";

function brief(before: string, after: string): readonly string[] {
  const signs = { same: " ", removed: "-", added: "+" };
  return diffLines(before, after).map(({ kind, text }) => signs[kind] + text);
}

test("a changed line stands as removed and added, all else as it is", () => {
  expect(brief("a\nb\nc", "a\nB\nc")).toEqual([" a", "-b", "+B", " c"]);
});

test("equal texts differ in nothing", () => {
  expect(countChanges(diffLines("a\nb", "a\nb"))).toEqual({ added: 0, removed: 0 });
});

test("a block that was put in between is added, and nothing else moves", () => {
  expect(brief("a\nb", "a\nx\ny\nb")).toEqual([" a", "+x", "+y", " b"]);
});

test("lines carry their numbers on both sides", () => {
  expect(diffLines("a\nb", "b\nc")).toEqual([
    { kind: "removed", text: "a", before: 1, after: null },
    { kind: "same", text: "b", before: 2, after: 1 },
    { kind: "added", text: "c", before: null, after: 2 },
  ]);
});

test("both texts can be put together again from the difference", () => {
  const before = "one\ntwo\nthree\ntwo\nfour\nfive";
  const after = "two\nthree\nfour\ntwo\nsix\nfive";
  const lines = diffLines(before, after);
  expect(
    lines
      .filter(({ before: at }) => at !== null)
      .map(({ text }) => text)
      .join("\n"),
  ).toBe(before);
  expect(
    lines
      .filter(({ after: at }) => at !== null)
      .map(({ text }) => text)
      .join("\n"),
  ).toBe(after);
});

test("texts too long to be compared pair by pair are shown as replaced", () => {
  const long = (mark: string): string => Array.from({ length: 2500 }, (_none, at) => `${mark}${at}`).join("\n");
  expect(countChanges(diffLines(long("a"), long("b")))).toEqual({ added: 2500, removed: 2500 });
});

test("what is alike far from any change is folded", () => {
  const before = Array.from({ length: 30 }, (_none, at) => String(at)).join("\n");
  const parts = foldAlike(diffLines(before, before.replace("15", "x")));
  expect(parts.map(({ kind, lines }) => [kind, lines.length])).toEqual([
    ["gap", 12],
    ["lines", 8],
    ["gap", 11],
  ]);
});
