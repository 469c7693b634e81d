import { describe, expect, test } from "vitest";
import { findKeyProblem, isCovered } from "./permission.ts";

describe("a key covers", () => {
  test.each([
    ["130001", "130001.start", true],
    ["130001", "130001.read.own", true],
    ["130001", "130001", true],
    ["130001.read", "130001.read.own", true],
    ["130001.read", "130001.start", false],
    ["130001.read.own", "130001.read", false],
    ["13000", "130001.read", false],
    ["130001.rea", "130001.read", false],
    ["130001", "tool:feed.fetch", false],
    ["tool:*", "tool:feed.fetch", true],
    ["tool:*", "130001.read", false],
    ["tool:feed.*", "tool:feed.fetch", true],
    ["tool:feed.*", "tool:feed", false],
    ["tool:feed.*", "tool:feeder.fetch", false],
    ["tool:feed.fetch", "tool:feed.fetch", true],
    ["tool:feed", "tool:feed.fetch", false],
    ["tool:feed.fetch", "tool:feed.fetch2", false],
  ])("%s and %s: %j", (key, wanted, isIt) => {
    expect(isCovered(wanted, [key])).toBe(isIt);
  });

  test("nothing without keys", () => {
    expect(isCovered("130001.read", [])).toBe(false);
  });
});

describe("a key that can be granted", () => {
  test.each(["130001", "130001.read", "130001.cancel.own", "130001.admin", "tool:*", "tool:feed.*", "tool:log"])(
    "%s",
    (key) => {
      expect(findKeyProblem(key)).toBeUndefined();
    },
  );

  test.each([
    "*",
    "130002",
    "130001.*",
    "130001.start.own",
    "130001.raed",
    "tool:",
    "tool:f*d",
    "tool:feed*",
    "tool:a b",
    "",
  ])("%j is none", (key) => {
    expect(findKeyProblem(key)).toContain("is no permission key");
  });

  test("a slip of the pen is told", () => {
    expect(findKeyProblem("130001.raed")).toContain('Did you mean "130001.read"?');
  });
});
