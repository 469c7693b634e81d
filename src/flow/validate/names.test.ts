import { describe, expect, test } from "vitest";
import { endStep, flowOf, found, type FindingCase } from "../../testing/findings.ts";
import { validate } from "./validate.ts";

describe("names", () => {
  const cases: readonly FindingCase[] = [
    ["a next that names no step", flowOf({ a: { tool: "x", next: "b" } }), "dangling_name", "/steps/a/next"],
    ["a start that names no step", { start: "b", steps: { a: endStep } }, "dangling_name", "/start"],
    [
      "a branch that names no step",
      flowOf({ a: { tool: "x", branch: [{ if: "result", then: "zzz" }], else: "end" } }),
      "dangling_name",
      "/steps/a/branch/0/then",
    ],
    ["a join that names no step", flowOf({ a: { tool: "x", join: "zzz" } }), "dangling_name", "/steps/a/join"],
    [
      "a route that names no step",
      flowOf({ a: { tool: "x", on: { on_error: "zzz" } } }),
      "dangling_name",
      "/steps/a/on/on_error",
    ],
    [
      "a clean-up that names no step",
      flowOf({ a: { tool: "x", cancel: "zzz", done: true } }),
      "dangling_name",
      "/steps/a/cancel",
    ],
    [
      "an escalation that names no step",
      flowOf({ a: { gate: { escalate_after: "1h", escalate_to: "zzz" }, done: true } }),
      "dangling_name",
      "/steps/a/gate/escalate_to",
    ],
    [
      "an input_from that names no step",
      flowOf({ a: { tool: "x", input_from: "zzz", done: true } }),
      "dangling_name",
      "/steps/a/input_from",
    ],
    [
      "a name that is another step's key",
      flowOf({ a: { tool: "x", next: "b" }, b: { name: "a", tool: "y", done: true } }),
      "duplicate_name",
      "/steps/b/name",
    ],
    [
      "two steps with one name",
      flowOf({ a: { name: "n", tool: "x", next: "b" }, b: { name: "n", tool: "y", done: true } }),
      "duplicate_name",
      "/steps/b/name",
    ],
    [
      "two steps of a pipeline with one name",
      {
        steps: [
          { name: "n", tool: "x" },
          { name: "n", tool: "y" },
        ],
      },
      "duplicate_name",
      "/steps/1/name",
    ],
    ["a pipeline without steps", { steps: [] }, "no_start", "/steps"],
    ["a flow without steps", { format: "stepwell/v1", steps: {} }, "no_start", "/steps"],
    [
      "two steps of a pipeline at one position",
      {
        steps: [
          { name: "x", tool: "x", position: 1 },
          { name: "y", tool: "y", position: 1 },
        ],
      },
      "duplicate_name",
      "/steps/1/position",
    ],
    [
      "a step of a pipeline that is called like another's position",
      {
        steps: [
          { name: "2", tool: "x" },
          { name: "two", tool: "y" },
        ],
      },
      "duplicate_name",
      "/steps/0/name",
    ],
    [
      "a fork that names one step twice, by its names",
      flowOf({ a: { tool: "x", parallel: ["c", "see"] }, c: { name: "see", tool: "x" } }),
      "duplicate_branch",
      "/steps/a/parallel/1",
    ],
    ["no start, and two steps that nothing leads to", { steps: { a: endStep, b: endStep } }, "no_start", "/steps"],
    [
      "no start, and every step led to",
      { steps: { a: { wait: "1h", next: "b" }, b: { tool: "x", branch: [{ if: "result", then: "a" }], else: "end" } } },
      "no_start",
      "/steps",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("a misspelt target comes with the patch that cures it", () => {
    const report = validate(flowOf({ a: { tool: "x", next: "notfy" }, notify: endStep }));
    expect(report.findings[0]?.patch).toEqual([{ op: "replace", path: "/steps/a/next", value: "notify" }]);
  });

  test("only the first wrong names are compared with all others", () => {
    const steps = Array.from({ length: 2000 }, (_, index) => [
      `step_number_${index}`,
      { tool: "x", next: `stpe_number_${index}` },
    ]);
    const { findings } = validate(flowOf({ a: endStep, ...Object.fromEntries(steps) }));
    expect(findings.filter(({ patch }) => patch !== undefined)).toHaveLength(20);
    expect(findings).toHaveLength(2000);
  });

  test("of many wrong keys all are told, and the first ones with what was meant", () => {
    const steps = Array.from({ length: 5000 }, (_, index) => [`s${index}`, { tool: "x", done: true, tymeout: "1s" }]);
    const { findings } = validate(flowOf({ a: endStep, ...Object.fromEntries(steps) }));
    expect(findings.filter(({ code }) => code === "unknown_key")).toHaveLength(5000);
    expect(findings.filter(({ patch }) => patch !== undefined)).toHaveLength(20);
    expect(findings.at(-1)?.message).toContain('has no key "tymeout".');
  });

  test("of many states that are all marked as the first, one is taken", () => {
    const states = Array.from({ length: 2000 }, (_, index) => [`s${index}`, { initial: true }]);
    const transitions = [{ name: "go", from: "s7", to: "end" }];
    const machine = { states: { ...Object.fromEntries(states), end: { terminal: "success" } }, transitions };
    const { findings } = validate(machine);
    expect(findings.filter(({ code }) => code === "several_initial_states")).toHaveLength(1999);
    expect(findings[0]?.message).toContain('both "s7" and');
  });

  test("many steps are not all listed", () => {
    const steps = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`step${index}`, endStep]));
    const report = validate(flowOf({ ...steps, a: { tool: "x", next: "qqqqqqqqqq" } }));
    expect(report.findings[0]?.message).toContain("and 5 more");
  });

  test("the bare map reports places as they were written", () => {
    expect(found({ start: { tool: "x", next: "b" } })).toEqual(["dangling_name /start/next"]);
  });

  test("a step written in place of the start's name is the start, and reports where it stands", () => {
    const input = { format: "stepwell/v1", start: { tool: "x", next: "b" }, steps: { b: endStep } };
    expect(validate(input).plan?.start).toBe("start");
    expect(found({ ...input, start: { tool: "x", next: "c" } })).toEqual(["dangling_name /start/next"]);
  });
});
