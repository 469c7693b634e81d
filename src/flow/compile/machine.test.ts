import { describe, expect, test } from "vitest";
import type { Plan } from "../plan.ts";
import { compile } from "../validate/compile.ts";

describe("machines", () => {
  const machine = {
    format: "stepwell/v1",
    name: "document-review",
    states: {
      draft: { initial: true, label: "Draft" },
      review: {},
      published: { terminal: "success" },
      withdrawn: { terminal: "cancel" },
    },
    transitions: [
      { name: "submit", from: "draft", to: "review", guard: "data.pages > 0", set: { by: "{{ event.user }}" } },
      {
        name: "publish",
        from: "review",
        to: "published",
        action: { tool: "cms.publish", args: { id: "{{ data.id }}" } },
        compensate: { tool: "cms.unpublish" },
        on_error: "draft",
      },
      { name: "remind", from: "review", to: "review", after: "24h", action: { tool: "log" } },
      { name: "withdraw", from: ["draft", "review"], to: "withdrawn", requires_reason: true },
    ],
  } as const;

  test("a state is a step that waits for events, an action a tool step on the way", () => {
    const plan: Plan = compile(machine);
    expect(plan).toMatchObject({ notation: "machine", start: "draft", cancel: "declared" });
    expect(plan.steps["draft"]).toMatchObject({ kind: "state", label: "Draft", transition: { kind: "events" } });
    expect(plan.steps["review"]).toMatchObject({
      transitions: [
        { name: "publish", to: "published", action: "review/publish", onError: "draft" },
        { name: "remind", to: "review", afterMs: 86_400_000, action: "review/remind" },
        { name: "withdraw", to: "withdrawn", requiresReason: true, action: null, guard: null },
      ],
    });
    expect(plan.steps["review/publish"]).toMatchObject({
      kind: "tool",
      label: "publish",
      transition: { kind: "next", to: { kind: "step", step: "published" } },
      routes: { error: { kind: "step", step: "draft" } },
      compensate: { tool: "cms.unpublish" },
      retry: { attempts: 1 },
    });
    expect(plan.steps["withdrawn"]).toMatchObject({ kind: "end", transition: { terminal: "cancel" } });
  });

  test("an action finds a key of its own even if a state is called like it", () => {
    const odd = {
      states: { a: { initial: true }, "a/go": {}, z: { terminal: "success" } },
      transitions: [
        { name: "go", from: "a", to: "a/go", action: { tool: "x" } },
        { name: "end", from: "a/go", to: "z" },
      ],
    };
    expect(Object.keys(compile(odd).steps)).toContain("a/go'0");
  });

  test("a plan is frozen through and through", () => {
    const plan = compile(machine);
    expect(Object.isFrozen(plan.steps["review"])).toBe(true);
    expect(() => Object.assign(plan.input.defaults, { x: 1 })).toThrow(TypeError);
  });
});
