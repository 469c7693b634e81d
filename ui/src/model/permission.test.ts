import { expect, test } from "vitest";
import { hashPassword } from "../../../src/access/password.ts";
import { findKeyProblem, rightWords } from "../../../src/access/permission.ts";
import {
  findPasswordProblem,
  holdingOf,
  keysIn,
  keysToBeginWith,
  permissions,
  startsWithoutTools,
  toggledKey,
} from "./permission.ts";

function permissionOf(key: string): (typeof permissions)[number] {
  const found = permissions.find((permission) => permission.key === key);
  if (found === undefined) throw new Error(key);
  return found;
}

test("every right of the server can be picked, and nothing else", () => {
  const keys = permissions.map(({ key }) => key);
  expect(keys.map(findKeyProblem)).toEqual(keys.map(() => undefined));
  expect(keys.filter((key) => key.startsWith("130001.")).toSorted()).toEqual(
    rightWords.map((right) => `130001.${right}`).toSorted(),
  );
});

test("a pick adds its key to the text or takes it away, and leaves what was written beside", () => {
  const read = permissionOf("130001.read");
  expect(toggledKey("tool:mail.* ", read)).toBe("tool:mail.* 130001.read");
  expect(toggledKey("130001.read, tool:mail.*\n130001.cancel.own", read)).toBe("tool:mail.* 130001.cancel.own");
  expect(keysIn(" a, b  a\n")).toEqual(["a", "b"]);
});

test("what a key above covers is held without being given; tools are not below it", () => {
  const holding = (text: string, key: string): string => holdingOf(keysIn(text), permissionOf(key));
  expect(holding("130001", "130001.read")).toBe("covered");
  expect(holding("130001.read", "130001.read")).toBe("given");
  expect(holding("130001.read.own", "130001.read")).toBe("none");
  expect(holding("130001", "tool:*")).toBe("none");
});

test("the first user begins as administrator, everybody after with reading and starting, and without tools", () => {
  expect(keysToBeginWith(true)).toBe("130001 tool:*");
  expect(keysToBeginWith(false)).toBe("130001.read 130001.start");
  expect([true, false].map((isFirst) => startsWithoutTools(keysIn(keysToBeginWith(isFirst))))).toEqual([false, true]);
  expect(["130001", "130001.read", "130001.start tool:mail.*"].map((text) => startsWithoutTools(keysIn(text)))).toEqual(
    [true, false, false],
  );
});

test("a password that is too short is told in the words of the server", async () => {
  expect(findPasswordProblem("12345678")).toBeNull();
  await expect(hashPassword("1234567")).rejects.toThrow(findPasswordProblem("1234567") ?? "nothing");
});
