import { expect, test } from "vitest";
import { changeBetween, cureOf, hasErrors, markOf, sayFinding, sumUp, withLine, type Finding } from "./finding.ts";

const finding: Finding = {
  code: "dangling_name",
  isError: true,
  message: 'There is no step "tel".',
  pointer: "/a/next",
  line: 2,
  column: 9,
  patch: null,
};

test("a finding names its line", () => {
  expect(sayFinding(finding)).toBe('Line 2: There is no step "tel".');
  expect(sayFinding({ ...finding, line: null })).toBe('There is no step "tel".');
});

test("the word is marked at which it is", () => {
  const text = "a:\n  next: tel # no\nb: {}\n";
  const { from, to } = markOf(text, finding);
  expect(text.slice(from, to)).toBe("tel");
  const whole = markOf(text, { line: 3, column: null });
  expect(text.slice(whole.from, whole.to)).toBe("b");
  const end = markOf(text, { line: 99, column: 5 });
  expect(end.to).toBeGreaterThan(end.from);
  expect(markOf("", { line: 1, column: 1 })).toEqual({ from: 0, to: 1 });
});

test("errors keep it from being saved, warnings do not", () => {
  const warning = { ...finding, isError: false };
  expect([hasErrors([warning]), hasErrors([warning, finding])]).toEqual([false, true]);
});

test("what is wrong is counted, and why it was not saved is said where that was tried", () => {
  const warning = { ...finding, isError: false };
  expect(sumUp([], true)).toBe("Nothing is wrong.");
  expect(sumUp([warning], true)).toBe("1 warning");
  expect(sumUp([finding, finding, warning, warning], false)).toBe("2 errors, 2 warnings");
  expect(sumUp([finding], true)).toBe("It cannot be saved yet: 1 error");
});

test("what a cure takes away is named", () => {
  const remove = (...paths: readonly string[]) => paths.map((path) => ({ op: "remove", path }));
  expect(cureOf({ code: "unreachable_step", patch: remove("/steps/shout") })).toBe("Remove step shout");
  expect(cureOf({ code: "unreachable_step", patch: remove("/steps/a", "/steps/b") })).toBe("Remove 2 steps");
  expect(cureOf({ code: "unknown_key", patch: remove("/steps/a/no~1where") })).toBe("Remove no/where");
  expect(cureOf({ code: "unknown_key", patch: remove(`/${"long".repeat(10)}`) })).toMatch(/^Remove \w{30}…$/);
  expect(cureOf({ code: "duplicate_branch", patch: remove("/steps/a/parallel/1") })).toBe("Remove it");
  expect(cureOf({ code: "other", patch: remove("/a", "/b") })).toBe("Remove 2 parts");
  expect(cureOf({ code: "other", patch: [...remove("/a"), { op: "add", path: "/b", value: 1 }] })).toBe("Fix");
});

test("a finding without a line has that of its pointer", () => {
  expect(
    withLine('{\n "a": 1,\n "steps": [\n  {"x": 1}\n ]}', { ...finding, line: null, pointer: "/steps/0" }).line,
  ).toBe(4);
});

test("between two texts only what differs is changed", () => {
  expect(changeBetween("next: tel\n", "next: tell\n")).toEqual({ from: 9, to: 9, insert: "l" });
  expect(changeBetween("aXb", "ab")).toEqual({ from: 1, to: 2, insert: "" });
  expect(changeBetween("aa", "aaa")).toEqual({ from: 2, to: 2, insert: "a" });
  expect(changeBetween("a", "a")).toBeNull();
});
