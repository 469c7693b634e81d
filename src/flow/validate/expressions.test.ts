import { describe, expect, test } from "vitest";
import { flowOf, found, type FindingCase } from "../../testing/findings.ts";

describe("expressions", () => {
  const cases: readonly FindingCase[] = [
    [
      "a condition that does not parse",
      flowOf({ a: { tool: "x", branch: [{ if: "result ==", then: "end" }], else: "end" } }),
      "expression_syntax",
      "/steps/a/branch/0/if",
    ],
    [
      "a template that does not parse",
      flowOf({ a: { tool: "x", args: { t: "{{ 1 + }}" }, done: true } }),
      "expression_syntax",
      "/steps/a/args/t",
    ],
    [
      "an unknown name",
      flowOf({ a: { tool: "x", branch: [{ if: "resalt > 3", then: "end" }], else: "end" } }),
      "unknown_name",
      "/steps/a/branch/0/if",
    ],
    [
      "an unknown name like no other",
      flowOf({ a: { tool: "x", branch: [{ if: "qqqqqqqq > 3", then: "end" }], else: "end" } }),
      "unknown_name",
      "/steps/a/branch/0/if",
    ],
    [
      "an unknown function",
      flowOf({ a: { tool: "x", outcome: "sizze(result)", routes: { default: "end" } } }),
      "unknown_function",
      "/steps/a/outcome",
    ],
    [
      "a secret in a condition",
      flowOf({ a: { tool: "x", branch: [{ if: "secrets.T == 'x'", then: "end" }], else: "end" } }),
      "secret_outside_args",
      "/steps/a/branch/0/if",
    ],
    [
      "a secret in a gate's title",
      flowOf({ a: { gate: { title: "{{ secrets.T }}" }, done: true } }),
      "secret_outside_args",
      "/steps/a/gate/title",
    ],
    [
      "an item without each",
      flowOf({ a: { tool: "x", args: { v: "{{ item }}" }, done: true } }),
      "name_not_available",
      "/steps/a/args/v",
    ],
    [
      "a result before there is one",
      flowOf({ a: { tool: "x", args: { v: "{{ result }}" }, done: true } }),
      "name_not_available",
      "/steps/a/args/v",
    ],
    [
      "an event in a flow's condition",
      flowOf({ a: { tool: "x", branch: [{ if: "event.x > 1", then: "end" }], else: "end" } }),
      "name_not_available",
      "/steps/a/branch/0/if",
    ],
    [
      "a placeholder with an unknown name",
      flowOf({ a: { tool: "x", args: { v: "Hi {{foo}}" }, done: true } }),
      "unknown_placeholder",
      "/steps/a/args/v",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test.each([
    ["args", { tool: "x", args: "Hello {{ input.name }}", done: true }, "/steps/a/args"],
    ["items", { tool: "x", each: { items: "x {{ input.a }}" }, done: true }, "/steps/a/each/items"],
    ["an input", { flow: "f", input: "x {{ input.a }}", done: true }, "/steps/a/input"],
    ["args that are a secret", { tool: "x", args: "{{ secrets.X }}", done: true }, "/steps/a/args"],
  ])("%s that can only be a text are refused", (_, step, pointer) => {
    expect(found(flowOf({ a: step }))).toEqual([`wrong_type ${pointer}`]);
  });

  test("problems of expressions are told together with problems of shape", () => {
    const input = flowOf({ a: { tool: "x", efect: "read", branch: [{ if: "result ==", then: "zzz" }], else: "end" } });
    expect(found(input).toSorted()).toEqual([
      "dangling_name /steps/a/branch/0/then",
      "expression_syntax /steps/a/branch/0/if",
      "unknown_key /steps/a/efect",
    ]);
  });
});
