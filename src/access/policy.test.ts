import { describe, expect, test } from "vitest";
import type { Asker } from "./permission.ts";
import { createPolicy, extentOf, mayCall, notAllowed } from "./policy.ts";
import { parsePrincipalId, toPrincipal } from "./principal.ts";

const policy = createPolicy([
  { id: "user:ann", groups: ["finance"], keys: ["130001.read"] },
  { id: "user:bob", groups: [], keys: ["130001.cancel.own", "tool:feed.*"] },
  { id: "group:finance", groups: [], keys: ["130001.answer", "tool:*"] },
]);
const open = createPolicy([]);

function asker(user: string, scopes: readonly string[] | null = null): Asker {
  return { user, via: null, scopes };
}

describe("who may do what", () => {
  test("without principals everybody may do everything", () => {
    expect(extentOf(open, asker("anybody"), "admin")).toBe("all");
    expect(mayCall(open, asker("anybody"), "feed.fetch")).toBe(true);
  });

  test("with principals a stranger may do nothing, and the program everything", () => {
    expect(extentOf(policy, asker("eve"), "read")).toBe("none");
    expect(mayCall(policy, asker("eve"), "log")).toBe(false);
    expect(extentOf(policy, asker("local"), "admin")).toBe("all");
    expect(mayCall(policy, asker("local"), "log")).toBe(true);
  });

  test("a user has the keys of its groups", () => {
    expect(extentOf(policy, asker("ann"), "answer")).toBe("all");
    expect(extentOf(policy, asker("ann"), "start")).toBe("none");
    expect(mayCall(policy, asker("ann"), "anything")).toBe(true);
  });

  test("a narrow key reaches as far as the user's own runs", () => {
    expect(extentOf(policy, asker("bob"), "cancel")).toBe("own");
    expect(mayCall(policy, asker("bob"), "feed.fetch")).toBe(true);
    expect(mayCall(policy, asker("bob"), "file.write")).toBe(false);
  });

  test("a token gives no more than the user has, and no more than it is for", () => {
    expect(extentOf(policy, asker("ann", ["130001"]), "start")).toBe("none");
    expect(extentOf(policy, asker("ann", ["130001.answer"]), "read")).toBe("none");
    expect(extentOf(policy, asker("ann", ["130001.read.own"]), "read")).toBe("own");
    expect(extentOf(policy, asker("local", ["130001.read"]), "admin")).toBe("none");
    expect(extentOf(open, asker("ann", ["130001.read"]), "cancel")).toBe("none");
  });

  test("the name of a group is nobody's name", () => {
    expect(extentOf(policy, asker("group:finance"), "answer")).toBe("none");
  });

  test("E3-23: the answer names the user and the permission that is missing", () => {
    const error = notAllowed(asker("eve"), "start");
    expect(error.code).toBe("NOT_ALLOWED");
    expect(error.message).toBe(
      'not_allowed "Workflow": "eve" may not start runs; the permission 130001.start is missing.',
    );
    expect(error.details).toEqual({ code: "not_allowed", user: "eve", permission: "130001.start" });
  });
});

describe("principals", () => {
  test.each([
    ["ann", "user:ann"],
    ["user:ann", "user:ann"],
    ["group:finance", "group:finance"],
    ["ann@example.com", "user:ann@example.com"],
    ["", undefined],
    ["user:", undefined],
    ["a b", undefined],
    ["role:x", undefined],
    ["ann\n", undefined],
    ["x".repeat(101), undefined],
  ])("%j is %j", (text, id) => {
    expect(parsePrincipalId(text)).toBe(id);
  });

  test("what is stored in another shape grants nothing", () => {
    expect(toPrincipal("user:ann", null)).toEqual({ id: "user:ann", groups: [], keys: [] });
    expect(toPrincipal("user:ann", { keys: "130001", groups: [1, "a"] })).toEqual({
      id: "user:ann",
      groups: ["a"],
      keys: [],
    });
  });
});
