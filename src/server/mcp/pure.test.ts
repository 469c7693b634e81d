import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";
import { validate } from "../../flow/validate/validate.ts";
import type { RunRow } from "../../run/model.ts";
import { hintsOf } from "./annotations.ts";
import { readResponse, toElicitation, type OpenQuestion } from "./questions.ts";
import { toEndResult } from "./run-answer.ts";
import { pollIntervalOf } from "./task-view.ts";
import { nameTools } from "./tool-name.ts";

describe("the name of a workflow as a tool", () => {
  const taken = new Set(["workflow_list"]);
  const made = (
    id: number,
    name: string,
    deletedAt: number | null = null,
  ): Parameters<typeof nameTools>[0][number] => ({
    id,
    name,
    createdAt: id,
    deletedAt,
  });
  const nameAll = (...names: readonly string[]): readonly (string | undefined)[] => {
    const all = nameTools(
      names.map((name, id) => made(id, name)),
      taken,
    );
    return names.map((name) => all.get(name));
  };

  test.each([
    ["digest", "workflow_digest"],
    ["Daily Digest!", "workflow_daily_digest"],
    ["Übergröße 2", "workflow_ubergro_e_2"],
    ["a__b--c", "workflow_a_b_c"],
  ])("%j is %s", (name, tool) => {
    expect(nameAll(name)).toEqual([tool]);
  });

  test.each(["list", "日本", "a".repeat(40), "x".repeat(128)])("%j is marked, and stays within its length", (name) => {
    const [tool = ""] = nameAll(name);
    expect(tool).toMatch(/^workflow_[a-z0-9_]*_?[0-9a-f]{6}$/);
    expect(tool.length).toBeLessThanOrEqual(45);
    expect(nameAll(name)).toEqual([tool]);
  });

  test("of several that would be alike the oldest keeps the plain one, whatever the order", () => {
    const [one, other] = nameAll("a b", "a-b");
    expect([one, other]).toEqual(["workflow_a_b", expect.stringMatching(/^workflow_a_b_[0-9a-f]{6}$/)]);
    const turned = nameTools([made(1, "a-b"), made(0, "a b")], taken);
    expect([turned.get("a b"), turned.get("a-b")]).toEqual([one, other]);
  });

  test("no two are ever called alike, also where a plain name is what another is marked with", () => {
    const [marked = ""] = nameAll("日本");
    const names = nameAll(marked.slice("workflow_".length), "日本");
    expect(names[0]).toBe(marked);
    expect(names[1]).toMatch(/^workflow_[0-9a-f]{6}$/);
    expect(names[1]).not.toBe(marked);
  });

  test("one that was deleted leaves its name to nobody who was there, and to whoever comes later", () => {
    const [, other] = nameAll("a b", "a-b");
    const all = nameTools([made(0, "a b", 5), made(1, "a-b"), made(7, "A.B")], taken);
    expect([all.get("a-b"), all.get("A.B")]).toEqual([other, "workflow_a_b"]);
  });
});

describe("what a workflow says about itself", () => {
  const effects: Readonly<Record<string, Effect>> = {
    "feed.read": "read",
    "text.upper": "read",
    log: "idempotent",
    "mail.send": "write",
  };
  const hints = (flow: Json): unknown =>
    hintsOf(validate(flow).plan, { effectOf: (tool) => effects[tool], planOf: () => null });

  test.each([
    ["reads here", { start: { tool: "text.upper", done: true } }, [true, false, true, false]],
    ["reads elsewhere", { start: { tool: "feed.read", done: true } }, [true, false, true, true]],
    ["tells people", { start: { tool: "log", done: true } }, [false, false, false, false]],
    ["writes", { start: { tool: "mail.send", done: true } }, [false, true, false, true]],
    ["does who knows what", { start: { tool: "unknown", done: true } }, [false, true, false, true]],
    ["starts what nobody knows", { start: { flow: "other", done: true } }, [false, true, false, true]],
    [
      "undoes by writing",
      { start: { tool: "text.upper", compensate: { tool: "mail.send", args: {} }, done: true } },
      [false, true, false, true],
    ],
    [
      "tells of a gate by writing",
      { start: { gate: { notify: { tool: "mail.send", args: {} } }, next: "end" }, end: { set: {}, done: true } },
      [false, true, false, true],
    ],
  ] satisfies readonly [string, Json, readonly boolean[]][])("one that %s", (_what, flow, expected) => {
    const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = expected;
    expect(hints(flow)).toEqual({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });
  });

  test("one that cannot be read says the worst", () => {
    expect(hintsOf(null, { effectOf: () => "read", planOf: () => null })).toMatchObject({ destructiveHint: true });
  });
});

describe("a form that is too deep for a host", () => {
  const question: OpenQuestion = {
    key: "1",
    kind: "gate",
    title: "Which?",
    message: null,
    choices: ["approved", "rejected"],
    approvers: null,
    isForOthers: false,
    form: { type: "object", properties: { lines: { type: "array" } } },
    row: null,
    answers: [{ verb: "approve", id: 1, word: null }],
  };

  test("is asked for as JSON, and read from it", () => {
    expect(toElicitation(question)).toMatchObject({
      params: { requestedSchema: { properties: { data: { type: "string" } }, required: ["data"] } },
    });
    expect(readResponse(question, { action: "accept", content: { data: '{"lines":[1]}' } })).toMatchObject({
      kind: "answer",
      data: { lines: [1] },
    });
    expect(readResponse(question, { action: "accept", content: { data: "{" } })).toMatchObject({ kind: "unclear" });
    expect(readResponse({ ...question, form: null }, { action: "accept", content: {} })).toMatchObject({
      kind: "unclear",
    });
  });
});

test("a run is asked after less often the longer it rests, within bounds", () => {
  expect([0, 10_000, 100_000, 86_400_000].map((rested) => pollIntervalOf(0, rested))).toEqual([
    500, 1000, 10_000, 30_000,
  ]);
});

test("SB-27: an end without a kind is completed, with a warning", () => {
  const run = { uid: "1-a", status: "completed", terminalKind: null, output: 1, error: null } as unknown as RunRow;
  const result = toEndResult(run);
  expect(result).not.toHaveProperty("isError");
  expect(JSON.stringify(result.content)).toContain("warning");
});
