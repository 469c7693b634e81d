import { expect, test } from "vitest";
import { findKeyProblem, isCovered } from "./permission.ts";
import { expandScopes, findScopeProblem, scopeWords } from "./scope.ts";

test("there are five words, and each stands for keys that can be granted", () => {
  expect(scopeWords).toEqual(["read", "run", "approve", "save", "admin"]);
  for (const word of scopeWords) {
    expect(findScopeProblem(word)).toBeUndefined();
    expect(expandScopes([word]).map(findKeyProblem)).toEqual(expandScopes([word]).map(() => undefined));
    expect(isCovered("130001.read", expandScopes([word]))).toBe(true);
  }
});

test.each<[string, readonly string[], readonly string[]]>([
  ["read", ["130001.read.own"], ["130001.start", "130001.answer", "130001.save", "130001.admin", "tool:log"]],
  ["run", ["130001.start", "130001.operate", "tool:feed.fetch"], ["130001.answer", "130001.save", "130001.secrets"]],
  ["approve", ["130001.answer"], ["130001.start", "130001.cancel", "tool:log"]],
  ["save", ["130001.save"], ["130001.start", "130001.answer", "tool:log"]],
  ["admin", ["130001.admin", "130001.secrets", "130001.answer", "tool:log"], []],
])("%s allows %j and not %j", (word, allowed, refused) => {
  const keys = expandScopes([word]);
  expect(allowed.filter((key) => !isCovered(key, keys))).toEqual([]);
  expect(refused.filter((key) => isCovered(key, keys))).toEqual([]);
});

test("words and keys go together, and none stands there twice", () => {
  expect(expandScopes(["save", "tool:mail.*", "read", "130001.start"])).toEqual([
    "130001.read",
    "130001.save",
    "tool:mail.*",
    "130001.start",
  ]);
});

test.each(["reed", "constructor", "", "130001.rea"])("%j is refused, and the words are named", (scope) => {
  expect(expandScopes([scope])).toEqual([scope]);
  expect(findScopeProblem(scope)).toMatch(
    /is no permission key\..*A token may also be for read, run, approve, save, admin\./,
  );
});
