import { describe, expect, test } from "vitest";
import type { FindingCode } from "../finding.ts";
import type { Json } from "../json.ts";
import { validate, type ValidateOptions } from "./validate.ts";

const end = { tool: "log", done: true };

function flow(steps: Json, more: { readonly [key: string]: Json } = {}): Json {
  return { format: "stepwell/v1", start: "a", steps, ...more };
}

type Case = readonly [title: string, flow: Json, code: FindingCode, pointer: string];

function found(input: Json, options?: ValidateOptions): readonly string[] {
  return validate(input, options).findings.map(({ code, pointer }) => `${code} ${pointer}`);
}

describe("names", () => {
  const cases: readonly Case[] = [
    ["a next that names no step", flow({ a: { tool: "x", next: "b" } }), "dangling_name", "/steps/a/next"],
    ["a start that names no step", { start: "b", steps: { a: end } }, "dangling_name", "/start"],
    [
      "a branch that names no step",
      flow({ a: { tool: "x", branch: [{ if: "result", then: "zzz" }], else: "end" } }),
      "dangling_name",
      "/steps/a/branch/0/then",
    ],
    ["a join that names no step", flow({ a: { tool: "x", join: "zzz" } }), "dangling_name", "/steps/a/join"],
    [
      "a route that names no step",
      flow({ a: { tool: "x", on: { on_error: "zzz" } } }),
      "dangling_name",
      "/steps/a/on/on_error",
    ],
    [
      "a clean-up that names no step",
      flow({ a: { tool: "x", cancel: "zzz", done: true } }),
      "dangling_name",
      "/steps/a/cancel",
    ],
    [
      "an escalation that names no step",
      flow({ a: { gate: { escalate_after: "1h", escalate_to: "zzz" }, done: true } }),
      "dangling_name",
      "/steps/a/gate/escalate_to",
    ],
    [
      "an input_from that names no step",
      flow({ a: { tool: "x", input_from: "zzz", done: true } }),
      "dangling_name",
      "/steps/a/input_from",
    ],
    [
      "a name that is another step's key",
      flow({ a: { tool: "x", next: "b" }, b: { name: "a", tool: "y", done: true } }),
      "duplicate_name",
      "/steps/b/name",
    ],
    [
      "two steps with one name",
      flow({ a: { name: "n", tool: "x", next: "b" }, b: { name: "n", tool: "y", done: true } }),
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
    ["no start, and two steps that nothing leads to", { steps: { a: end, b: end } }, "no_start", "/steps"],
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
    const report = validate(flow({ a: { tool: "x", next: "notfy" }, notify: end }));
    expect(report.findings[0]?.patch).toEqual([{ op: "replace", path: "/steps/a/next", value: "notify" }]);
  });

  test("many steps are not all listed", () => {
    const steps = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`step${index}`, end]));
    const report = validate(flow({ ...steps, a: { tool: "x", next: "qqqqqqqqqq" } }));
    expect(report.findings[0]?.message).toContain("and 5 more");
  });

  test("the bare map reports places as they were written", () => {
    expect(found({ start: { tool: "x", next: "b" } })).toEqual(["dangling_name /start/next"]);
  });

  test("a step written in place of the start's name is the start, and reports where it stands", () => {
    const input = { format: "stepwell/v1", start: { tool: "x", next: "b" }, steps: { b: end } };
    expect(validate(input).plan?.start).toBe("start");
    expect(found({ ...input, start: { tool: "x", next: "c" } })).toEqual(["dangling_name /start/next"]);
  });
});

describe("the graph", () => {
  const cases: readonly Case[] = [
    ["a step that nothing leads to", flow({ a: end, b: end }), "unreachable_step", "/steps/b"],
    [
      "a loop without an exit",
      flow({ a: { tool: "x", next: "b" }, b: { wait: "1m", next: "a" } }),
      "no_way_to_end",
      "/steps/a",
    ],
    [
      "routes that only lead round and round",
      flow({ a: { gate: {}, routes: { approved: "a" } } }),
      "no_way_to_end",
      "/steps/a",
    ],
    [
      "a join that is one of the branches",
      flow({ a: { tool: "x", parallel: ["b", "c"] }, b: { tool: "x", join: "c" }, c: end }),
      "join_never_met",
      "/steps/a/parallel",
    ],
    [
      "a join that is the fork itself",
      flow({ a: { tool: "x", parallel: ["b"], join: "a" }, b: end }),
      "join_never_met",
      "/steps/a/join",
    ],
    [
      "a join on the fork at which no branch can arrive",
      flow({ a: { tool: "x", parallel: ["b"], join: "j" }, b: { terminal: "failure" }, j: end }),
      "join_never_met",
      "/steps/a/join",
    ],
    [
      "branches that name different joins",
      flow({
        a: { tool: "x", parallel: ["b", "c", "d"] },
        b: { tool: "x", join: "j" },
        c: { tool: "x", join: "j" },
        d: { tool: "x", join: "k" },
        j: { tool: "x", next: "k" },
        k: end,
      }),
      "different_joins",
      "/steps/d/join",
    ],
    [
      "a branch that leads back to its fork",
      flow({
        a: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: { tool: "x" },
        j: end,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
    [
      "a branch that leads to a step before its fork",
      flow({
        a: { wait: "1m", next: "f" },
        f: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { tool: "x", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: { tool: "x" },
        j: end,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
    [
      "a branch that leads past its join",
      flow({
        a: { tool: "x", parallel: ["b", "c"] },
        b: { tool: "x", join: "j" },
        c: { tool: "x", branch: [{ if: "result", then: "k" }], else: "j" },
        j: { tool: "x", next: "k" },
        k: end,
      }),
      "branch_leaves_fork",
      "/steps/c/branch/0/then",
    ],
    [
      "a fork without a join whose branch leads back to it",
      flow({
        a: { tool: "x", parallel: ["b", "c"] },
        b: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
        c: end,
      }),
      "branch_leaves_fork",
      "/steps/b/branch/0/then",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    const errors = validate(input).findings.filter(({ severity }) => severity === "error");
    expect(errors.map((each) => `${each.code} ${each.pointer}`)).toEqual([`${code} ${pointer}`]);
  });

  test("a loop without a wait is a warning, one with a wait or a gate is none", () => {
    const loop = (b: Json): Json => flow({ a: { tool: "x", branch: [{ if: "result", then: "b" }], else: "end" }, b });
    expect(found(loop({ tool: "y", next: "a" }))).toEqual(["loop_without_wait /steps/a"]);
    expect(found(loop({ wait: "1m", next: "a" }))).toEqual([]);
    expect(found(loop({ gate: {}, next: "a" }))).toEqual([]);
  });

  test("one alert for the failures inside and behind a fork is no way out of it", () => {
    const input = flow({
      a: { tool: "x", parallel: ["b", "c"], join: "j", on_error: "alert" },
      b: { tool: "x", on_error: "alert" },
      c: { tool: "x", on_error: "fix" },
      fix: { tool: "x" },
      j: { tool: "x", on_error: "alert", done: true },
      alert: { tool: "log", next: "bye" },
      bye: end,
    });
    expect(found(input)).toEqual([]);
  });

  test("a failure of the fork's own region may be mended in the branch", () => {
    const input = flow({
      a: { tool: "x", parallel: ["b", "c"] },
      b: { tool: "x", on_error: "mend", join: "j" },
      mend: { tool: "x", join: "j" },
      c: { tool: "x", join: "j" },
      j: end,
    });
    expect(found(input)).toEqual([]);
  });

  test("a fork inside a loop, closed before the loop goes round, is fine", () => {
    const input = flow({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x" },
      c: { tool: "x" },
      j: { wait: "1m", branch: [{ if: "input.again", then: "a" }], else: "end" },
    });
    expect(found(input)).toEqual([]);
  });

  test("side paths, escalation and clean-up, reach their steps", () => {
    const input = flow({
      a: { gate: { escalate_after: "1h", escalate_to: "remind" }, cancel: "tidy", done: true },
      remind: end,
      tidy: end,
    });
    expect(found(input)).toEqual([]);
  });
});

describe("references", () => {
  const cases: readonly Case[] = [
    [
      "a step that does not exist",
      flow({ a: { tool: "x", args: { v: ["{{ steps.b.result }}"] }, done: true } }),
      "dangling_reference",
      "/steps/a/args/v/0",
    ],
    [
      "a step that comes later",
      flow({ a: { tool: "x", args: { v: "{{ steps.b.result }}" }, next: "b" }, b: end }),
      "reference_cannot_have_run",
      "/steps/a/args/v",
    ],
    [
      "the step itself, before it has run",
      flow({ a: { tool: "x", args: { v: "{{ steps.a.result }}" }, done: true } }),
      "reference_cannot_have_run",
      "/steps/a/args/v",
    ],
    [
      "a sibling branch",
      flow({
        a: { tool: "x", parallel: ["b", "c"], join: "j" },
        b: { tool: "x" },
        c: { tool: "x", args: { v: "{{ steps.b.result }}" } },
        j: end,
      }),
      "reference_cannot_have_run",
      "/steps/c/args/v",
    ],
    [
      "an input_from that comes later",
      {
        steps: [
          { name: "a", tool: "x", input_from: 2 },
          { name: "b", tool: "y" },
        ],
      },
      "reference_cannot_have_run",
      "/steps/0/input_from",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("steps before, in a loop, behind a join, and the step itself after it ended can be read", () => {
    const input = flow({
      a: { tool: "x", parallel: ["b", "c"], join: "j" },
      b: { tool: "x", args: { last: "{{ steps.a.result }}" } },
      c: { tool: "x", done: { output: "{{ steps.c.result }}" } },
      j: { tool: "x", args: { b: "{{ steps.b.result }}", c: "{{ steps.c.result }}" }, next: "k" },
      k: { wait: "1m", branch: [{ if: "steps.k.visits > 3", then: "end" }], else: "a" },
    });
    expect(found(input)).toEqual([]);
  });

  test("what compensation reads may have run later, and a computed name may be any", () => {
    const input = flow({
      a: { tool: "x", compensate: { tool: "undo", args: { v: "{{ steps.b.result }}" } }, next: "b" },
      b: { tool: "x", args: { v: "{{ steps[input.which].result }}" }, done: true },
    });
    expect(found(input)).toEqual([]);
    expect(validate(input).plan?.steps["b"]?.mentions).toBe("all");
  });
});

describe("expressions", () => {
  const cases: readonly Case[] = [
    [
      "a condition that does not parse",
      flow({ a: { tool: "x", branch: [{ if: "result ==", then: "end" }], else: "end" } }),
      "expression_syntax",
      "/steps/a/branch/0/if",
    ],
    [
      "a template that does not parse",
      flow({ a: { tool: "x", args: { t: "{{ 1 + }}" }, done: true } }),
      "expression_syntax",
      "/steps/a/args/t",
    ],
    [
      "an unknown name",
      flow({ a: { tool: "x", branch: [{ if: "resalt > 3", then: "end" }], else: "end" } }),
      "unknown_name",
      "/steps/a/branch/0/if",
    ],
    [
      "an unknown name like no other",
      flow({ a: { tool: "x", branch: [{ if: "qqqqqqqq > 3", then: "end" }], else: "end" } }),
      "unknown_name",
      "/steps/a/branch/0/if",
    ],
    [
      "an unknown function",
      flow({ a: { tool: "x", outcome: "sizze(result)", routes: { default: "end" } } }),
      "unknown_function",
      "/steps/a/outcome",
    ],
    [
      "a secret in a condition",
      flow({ a: { tool: "x", branch: [{ if: "secrets.T == 'x'", then: "end" }], else: "end" } }),
      "secret_outside_args",
      "/steps/a/branch/0/if",
    ],
    [
      "a secret in a gate's title",
      flow({ a: { gate: { title: "{{ secrets.T }}" }, done: true } }),
      "secret_outside_args",
      "/steps/a/gate/title",
    ],
    [
      "an item without each",
      flow({ a: { tool: "x", args: { v: "{{ item }}" }, done: true } }),
      "name_not_available",
      "/steps/a/args/v",
    ],
    [
      "a result before there is one",
      flow({ a: { tool: "x", args: { v: "{{ result }}" }, done: true } }),
      "name_not_available",
      "/steps/a/args/v",
    ],
    [
      "an event in a flow's condition",
      flow({ a: { tool: "x", branch: [{ if: "event.x > 1", then: "end" }], else: "end" } }),
      "name_not_available",
      "/steps/a/branch/0/if",
    ],
    [
      "a placeholder with an unknown name",
      flow({ a: { tool: "x", args: { v: "Hi {{foo}}" }, done: true } }),
      "unknown_placeholder",
      "/steps/a/args/v",
    ],
  ];
  test.each(cases)("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("problems of expressions are told together with problems of shape", () => {
    const input = flow({ a: { tool: "x", efect: "read", branch: [{ if: "result ==", then: "zzz" }], else: "end" } });
    expect(found(input).toSorted()).toEqual([
      "dangling_name /steps/a/branch/0/then",
      "expression_syntax /steps/a/branch/0/if",
      "unknown_key /steps/a/efect",
    ]);
  });
});

describe("schemas and surroundings", () => {
  const tools = [
    {
      name: "files.read",
      inputSchema: {
        type: "object",
        required: ["path"],
        properties: { path: { type: "string" }, lines: { type: "integer" } },
        additionalProperties: false,
      },
    },
    { name: "mail.send", effect: "write" },
    { name: "a.ping" },
    { name: "b.ping" },
    { name: "odd", inputSchema: { type: 7 } },
  ] as const;
  const one = (tool: string, args: Json): Json => flow({ a: { tool, args, done: true } });

  test.each<Case>([
    ["an input that is no schema", flow({ a: end }, { input: { type: "objekt" } }), "bad_schema", "/input/type"],
    [
      "a schema with a reference that leads nowhere",
      flow({ a: end }, { input: { $ref: "#/$defs/none" } }),
      "bad_schema",
      "/input",
    ],
    [
      "a form that is no schema",
      flow({ a: { gate: { form: { required: "x" } }, done: true } }),
      "bad_schema",
      "/steps/a/gate/form/required",
    ],
    [
      "a default against the schema",
      flow(
        { a: end },
        { input: { type: "object", properties: { n: { type: "number" } } }, defaults: { input: { n: "x" } } },
      ),
      "bad_defaults",
      "/defaults/input/n",
    ],
    [
      "an input name outside the schema",
      flow(
        { a: { tool: "x", args: { v: "{{ input.m }}" }, done: true } },
        { input: { type: "object", properties: { n: { type: "number" } } } },
      ),
      "outside_input_schema",
      "/steps/a/args/v",
    ],
  ])("%s is found", (_, input, code, pointer) => {
    expect(found(input)).toEqual([`${code} ${pointer}`]);
  });

  test("defaults may refer to shared definitions", () => {
    const input = flow(
      { a: end },
      {
        input: { type: "object", properties: { n: { $ref: "#/$defs/count" } }, $defs: { count: { type: "number" } } },
        defaults: { input: { n: 3, other: 1 } },
      },
    );
    expect(found(input)).toEqual([]);
  });

  test("a schema that takes more than it names, or names nothing, warns of nothing", () => {
    const reads = { a: { tool: "x", args: { v: "{{ input.m }}" }, done: true } };
    for (const schema of [
      true,
      { type: "object" },
      { properties: { n: true }, additionalProperties: true },
      { properties: { n: true }, patternProperties: { "^m": true } },
    ]) {
      expect(found(flow(reads, { input: schema }))).toEqual([]);
    }
  });

  test("E3-44: an unknown tool is named, with the nearest one", () => {
    const report = validate(one("files.raed", {}), { tools });
    expect(report.findings.map(({ code, message }) => [code, message])).toEqual([
      ["unknown_tool", 'Unknown tool: files.raed. Did you mean "files.read"?'],
    ]);
    expect(validate(one("nothing.like.it", {}), { tools }).findings[0]?.message).toMatch(
      /^Unknown tool: nothing.like.it/,
    );
    expect(validate(one("Files.Read", {}), { tools }).findings[0]?.code).toBe("unknown_tool");
  });

  test("E3-45: wrong arguments show expected and given names", () => {
    const report = validate(one("files.read", { pth: "x" }), { tools });
    expect(report.findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "bad_arguments /steps/a/args",
      "bad_arguments /steps/a/args/pth",
    ]);
    expect(report.findings[0]?.message).toContain("Expected path, lines; given pth.");
    expect(report.findings[1]?.patch).toEqual([{ op: "move", from: "/steps/a/args/pth", path: "/steps/a/args/path" }]);
    expect(validate(one("files.read", { path: "x", zzzzz: 1 }), { tools }).findings[0]?.patch).toEqual([
      { op: "remove", path: "/steps/a/args/zzzzz" },
    ]);
  });

  test("arguments are checked as far as they are known before a run", () => {
    expect(found(one("files.read", { path: "{{ input.p }}", lines: "{{ input.n }}" }), { tools })).toEqual([]);
    expect(found(one("files.read", { path: "{{ input.p }}", lines: "many" }), { tools })).toEqual([
      "bad_arguments /steps/a/args/lines",
    ]);
    expect(found(one("files.read", "{{ previous }}"), { tools })).toEqual([]);
    expect(found(one("files.read", { path: ["{{ input.p }}"], lines: 1 }), { tools })).toEqual([
      "bad_arguments /steps/a/args/path",
    ]);
    expect(found(one("odd", {}), { tools })).toEqual([]);
  });

  test("a bare name works while just one tool answers to it", () => {
    expect(found(one("send", {}), { tools })).toEqual([]);
    expect(found(one("ping", {}), { tools })).toEqual(["unknown_tool /steps/a/tool"]);
  });

  test("every call is checked: probe, compensation, notice, fallback", () => {
    const input = flow({
      a: {
        tool: "mail.send",
        probe: { tool: "p" },
        compensate: { tool: "c" },
        fallback: "f",
        on_circuit_open: "fallback",
        next: "b",
      },
      b: { gate: { notify: { tool: "n" } }, next: "c" },
      c: { flow: "other", compensate: { tool: "u" }, done: true },
    });
    expect(found(input, { tools, workflows: ["othre"], secrets: [] })).toEqual([
      "unknown_tool /steps/a/compensate/tool",
      "unknown_tool /steps/a/fallback",
      "unknown_tool /steps/a/probe/tool",
      "unknown_tool /steps/b/gate/notify/tool",
      "unknown_tool /steps/c/compensate/tool",
      "unknown_workflow /steps/c/flow",
    ]);
    expect(found(flow({ a: { flow: "other", done: true } }), { workflows: [] })).toEqual([
      "unknown_workflow /steps/a/flow",
    ]);
    expect(found(flow({ a: { flow: "other@3", done: true } }), { workflows: ["other"] })).toEqual([]);
  });

  test("a secret that is not there yet is a warning", () => {
    const input = one("x", { key: "Bearer {{ secrets.TOKEN }}" });
    expect(found(input, { secrets: ["TOKEN"] })).toEqual([]);
    expect(found(input, { secrets: [] })).toEqual(["missing_secret /steps/a/args/key"]);
    expect(found(input)).toEqual([]);
  });

  test("a write without compensate in a flow that compensates is a warning", () => {
    const steps = (b: Json): Json => flow({ a: { tool: "x", compensate: { tool: "y" }, next: "b" }, b });
    expect(found(steps({ tool: "z", effect: "write", done: true }))).toEqual(["write_without_compensate /steps/b"]);
    expect(
      found(steps({ tool: "mail.send", done: true }), { tools: [...tools, { name: "x" }, { name: "y" }] }),
    ).toEqual(["write_without_compensate /steps/b"]);
    expect(found(steps({ tool: "z", done: true }))).toEqual([]);
    expect(found(steps({ tool: "z", effect: "write", compensate: { tool: "y" }, done: true }))).toEqual([]);
  });
});

describe("warnings about what is left open", () => {
  test("a branch without else, and routes without default, hold the run", () => {
    expect(found(flow({ a: { tool: "x", branch: [{ if: "result == true", then: "end" }] } }))).toEqual([
      "no_else /steps/a/branch",
    ]);
    expect(found(flow({ a: { tool: "x", routes: { items: "end" } } }))).toEqual(["no_else /steps/a/routes"]);
    expect(found(flow({ a: { tool: "x", routes: { items: "end" }, on_no_match: "complete" } }))).toEqual([]);
    expect(found(flow({ a: { gate: {}, routes: { approved: "end" } } }))).toEqual([]);
    expect(found(flow({ a: { wait: "1m", routes: { success: "end" } } }))).toEqual([]);
    expect(found(flow({ a: { wait: "1m", outcome: "'later'", routes: { success: "end" } } }))).toEqual([
      "no_else /steps/a/routes",
    ]);
  });

  test("keys of parts that are still to come are read and said to do nothing yet", () => {
    const input = {
      ...(flow({ a: { tool: "x", sanitize: "strip", done: true } }) as object),
      triggers: [{ cron: "0 8 * * *" }],
      requires_2fa: true,
    };
    expect(found(input)).toEqual([
      "not_active_yet /requires_2fa",
      "not_active_yet /steps/a/sanitize",
      "not_active_yet /triggers",
    ]);
    expect(found({ start: { tool: "x", sanitize: "flag", done: true } })).toEqual(["not_active_yet /start/sanitize"]);
    expect(found({ steps: [{ skill: "x", prompt_template: "Sum up {input}", llm_tier: "light" }] })).toEqual([
      "not_active_yet /steps/0/llm_tier",
      "not_active_yet /steps/0/prompt_template",
    ]);
  });
});

describe("texts", () => {
  test("findings of a text have line and column", () => {
    const text = "format: stepwell/v1\nstart: a\nsteps:\n  a:\n    tool: x\n    nxt: b\n    next: b\n";
    expect(validate(text).findings.map(({ code, line, column }) => [code, line, column])).toEqual([
      ["unknown_key", 6, 5],
      ["dangling_name", 7, 11],
    ]);
  });

  test("a text that cannot be read is refused with its own finding", () => {
    const report = validate("{ not json");
    expect(report).toMatchObject({ ok: false, plan: null, document: null, notation: null });
    expect(report.findings.length).toBeGreaterThan(0);
  });

  test("what is no JSON is refused", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const odd = (value: unknown): readonly string[] => found({ a: { tool: value } } as unknown as Json);
    expect(odd(undefined)).toEqual(["wrong_type /a/tool"]);
    expect(odd(() => 1)).toEqual(["wrong_type /a/tool"]);
    expect(odd(Symbol("x"))).toEqual(["wrong_type /a/tool"]);
    expect(odd(1n)).toEqual(["wrong_type /a/tool"]);
    expect(odd(Number.NaN)).toEqual(["unsafe_number /a/tool"]);
    expect(odd(2 ** 60)).toEqual(["unsafe_number /a/tool"]);
    expect(odd(cyclic)[0]).toMatch(/^too_deep/);
    expect(odd(Array.from({ length: 300_000 }, () => 1))[0]).toMatch(/^too_large/);
  });

  test("what is no flow is refused", () => {
    for (const value of [null, 3, [], { a: 1 }]) expect(found(value)[0]).toMatch(/^not_a_flow/);
  });
});
