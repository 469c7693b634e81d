import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { toolDefinitions } from "../schema/tools.ts";
import { endStep, flowOf, found, type FindingCase } from "../../testing/findings.ts";
import { validate } from "./validate.ts";

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
  const one = (tool: string, args: Json): Json => flowOf({ a: { tool, args, done: true } });

  test.each<FindingCase>([
    ["an input that is no schema", flowOf({ a: endStep }, { input: { type: "objekt" } }), "bad_schema", "/input/type"],
    [
      "a schema with a reference that leads nowhere",
      flowOf({ a: endStep }, { input: { $ref: "#/$defs/none" } }),
      "bad_schema",
      "/input",
    ],
    [
      "a form that is no schema",
      flowOf({ a: { gate: { form: { required: "x" } }, done: true } }),
      "bad_schema",
      "/steps/a/gate/form/required",
    ],
    [
      "a default against the schema",
      flowOf(
        { a: endStep },
        { input: { type: "object", properties: { n: { type: "number" } } }, defaults: { input: { n: "x" } } },
      ),
      "bad_defaults",
      "/defaults/input/n",
    ],
    [
      "an input name outside the schema",
      flowOf(
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
    const input = flowOf(
      { a: endStep },
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
      expect(found(flowOf(reads, { input: schema }))).toEqual([]);
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

  test("a bare name begins after the first dot, for the validator and for editors", () => {
    const dotted = [{ name: "files.text.read", inputSchema: { required: ["path"] } }] as const;
    expect(found(one("text.read", { path: "x" }), { tools: dotted })).toEqual([]);
    expect(found(one("read", { path: "x" }), { tools: dotted })).toEqual(["unknown_tool /steps/a/tool"]);
    expect(JSON.stringify(toolDefinitions(dotted)["toolCall"])).toContain('["files.text.read","text.read"]');
  });

  test("near names are looked for a few times, and once for each name", () => {
    const names = Array.from({ length: 25 }, (_, index) => `wrong_${String.fromCodePoint(97 + index)}`);
    const steps = [...names, ...names].map((name, index): [string, Json] => [
      `s${String(index).padStart(2, "0")}`,
      { tool: name, done: true },
    ]);
    const { findings } = validate(flowOf(Object.fromEntries(steps), { start: "s00" }), {
      tools: [{ name: "wrong_z" }],
    });
    const unknown = findings.filter(({ code }) => code === "unknown_tool");
    expect(unknown).toHaveLength(50);
    expect(unknown.filter(({ patch }) => patch !== undefined)).toHaveLength(40);
  });

  test("of thousands of arguments that a tool does not take, a few are told, in short sentences", () => {
    const args = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`wrong_${index}`, index]));
    const inputSchema = { properties: { right: {} }, additionalProperties: false };
    const { findings } = validate(one("save", args), { tools: [{ name: "save", inputSchema }] });
    expect(findings).toHaveLength(20);
    expect(findings[0]?.message).toMatch(/^.{100,500} and 19980 more\.$/u);
  });

  test("args that a pipeline hands on by itself are told at the tool, without a repair", () => {
    const strict = [{ name: "t", inputSchema: { properties: { q: true }, additionalProperties: false } }] as const;
    const inPipeline = (step: { readonly [key: string]: Json }): Json => ({ steps: [{ tool: "t", ...step }] });
    const { findings } = validate(inPipeline({}), { tools: strict });
    expect(findings.map(({ code, pointer, patch }) => [code, pointer, patch])).toEqual([
      ["bad_arguments", "/steps/0/tool", undefined],
    ]);
    expect(findings[0]?.message).toContain('has no argument "input"');
    expect(found(inPipeline({ args: "{{ previous }}" }), { tools: strict })).toEqual([]);
    const skill = { steps: [{ skill: "t", config: { zzzzz: 1 } }] };
    expect(found(skill, { tools: strict })).toEqual(["bad_arguments /steps/0/config", "bad_arguments /steps/0/skill"]);
    for (const args of [
      { input: "{{ input.x }}" },
      { input: "{{ previous.x }}" },
      { input: "text" },
      { input: "{{ secrets.KEY }}" },
    ]) {
      expect(found(inPipeline({ args }), { tools: strict })).toEqual(["bad_arguments /steps/0/args/input"]);
    }
    expect(found(inPipeline({ args: { other: "{{ previous }}" } }), { tools: strict })).toEqual([
      "bad_arguments /steps/0/args/other",
    ]);
    expect(
      found(flowOf({ a: { tool: "t", args: { input: "{{ previous }}" }, done: true } }), { tools: strict }),
    ).toEqual(expect.arrayContaining(["bad_arguments /steps/a/args/input"]));
  });

  test("every call is checked: probe, compensation, notice, fallback", () => {
    const input = flowOf({
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
    expect(found(flowOf({ a: { flow: "other", done: true } }), { workflows: [] })).toEqual([
      "unknown_workflow /steps/a/flow",
    ]);
    expect(found(flowOf({ a: { flow: "other@3", done: true } }), { workflows: ["other"] })).toEqual([]);
  });

  test("a fallback that is there is right", () => {
    const input = flowOf({ a: { tool: "mail.send", fallback: "a.ping", on_circuit_open: "fallback", done: true } });
    expect(found(input, { tools })).toEqual([]);
  });

  test("without any names, the message says so", () => {
    const needy = [{ name: "t", inputSchema: { required: ["q"] } }] as const;
    expect(validate(one("t", {}), { tools: needy }).findings[0]?.message).toContain("Expected none; given none.");
  });

  test("a secret that is not there yet is a warning", () => {
    const input = one("x", { key: "Bearer {{ secrets.TOKEN }}" });
    expect(found(input, { secrets: ["TOKEN"] })).toEqual([]);
    expect(found(input, { secrets: [] })).toEqual(["missing_secret /steps/a/args/key"]);
    expect(found(input)).toEqual([]);
  });

  test("a write without compensate in a flow that compensates is a warning", () => {
    const steps = (b: Json): Json => flowOf({ a: { tool: "x", compensate: { tool: "y" }, next: "b" }, b });
    expect(found(steps({ tool: "z", effect: "write", done: true }))).toEqual(["write_without_compensate /steps/b"]);
    expect(
      found(steps({ tool: "mail.send", done: true }), { tools: [...tools, { name: "x" }, { name: "y" }] }),
    ).toEqual(["write_without_compensate /steps/b"]);
    expect(found(steps({ tool: "z", done: true }))).toEqual([]);
    expect(found(steps({ tool: "z", effect: "write", compensate: { tool: "y" }, done: true }))).toEqual([]);
  });
});
