import { expect, test } from "vitest";
import { mayDo, maySettle, rightToSettle, sayMayNot } from "./right.ts";

test("a right that reaches no further than one's own runs is none on those of others", () => {
  const ann = { user: "ann", rights: ["read", "cancel.own"] };
  expect(mayDo(ann, "read", "ben")).toBe(true);
  expect(mayDo(ann, "cancel", "ann")).toBe(true);
  expect(mayDo(ann, "cancel", "ben")).toBe(false);
  expect(mayDo(ann, "start")).toBe(false);
});

test("where it is not about a run, one's own are enough", () => {
  expect(mayDo({ user: "ann", rights: ["cancel.own"] }, "cancel")).toBe(true);
});

test("a gate is answered, what is held is operated, and who agrees to a tool is an admin", () => {
  expect([rightToSettle("gate"), rightToSettle("uncertain"), rightToSettle("changed_tool")]).toEqual([
    "answer",
    "operate",
    "admin",
  ]);
});

test("what is not allowed is said in words, with the permission that is missing and who grants it", () => {
  expect(sayMayNot("save")).toBe(
    "You may not save workflows here: the permission 130001.save is missing. Ask somebody with 130001.admin for it.",
  );
});

test("what waits is answered by who has the right for its kind, also when it is that of their own runs", () => {
  const gate = { kind: "gate", createdBy: "ann" } as const;
  const held = { kind: "uncertain", createdBy: "ann" } as const;
  const reader = { user: "ben", rights: ["read"] };
  const owner = { user: "ann", rights: ["read", "answer.own"] };
  expect([gate, held].map((item) => maySettle(reader, item))).toEqual([false, false]);
  expect([gate, held].map((item) => maySettle(owner, item))).toEqual([true, false]);
  expect(maySettle({ user: "ben", rights: ["answer.own"] }, gate)).toBe(false);
});
