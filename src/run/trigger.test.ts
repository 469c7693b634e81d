import { expect, test } from "vitest";
import { triggerGroups, triggerOf, triggers } from "./trigger.ts";

const plain = { parent: null, origin: null, createdVia: null, createdAt: 1000, startedAt: 1000 };
const parent = { run: 1, uid: "u", row: 2, depth: 1 };

test.each([
  [{}, "direct"],
  [{ createdVia: "session" }, "page"],
  [{ createdVia: "mcp" }, "mcp"],
  [{ createdVia: "tok_1" }, "token"],
  [{ startedAt: null }, "schedule"],
  [{ startedAt: 5000, createdVia: "session" }, "schedule"],
  [{ origin: { kind: "retry", run: 1, uid: "u" }, startedAt: 5000 }, "retry"],
  [{ origin: { kind: "fork", run: 1, uid: "u" } }, "fork"],
  [{ parent, origin: { kind: "rerun", run: 1, uid: "u" } }, "child"],
] as const)("what set a run going is its nearest cause: %j is %s", (told, word) => {
  expect(triggerOf({ ...plain, ...told })).toBe(word);
});

test("a word for several stands for some that there are", () => {
  for (const group of Object.values(triggerGroups)) for (const word of group) expect(triggers).toContain(word);
});
