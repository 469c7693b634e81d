// `stepwell test`: cases of flows in files.

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openInside, refusalOf, type Inside } from "./inside.ts";

const example = fileURLToPath(new URL("../../examples/tests/publish-digest.test.yaml", import.meta.url));

let inside: Inside;

beforeAll(() => {
  inside = openInside();
  inside.write("greet.yaml", "start: { tool: greet, args: { who: '{{ input.who }}' }, done: true }\n");
});

afterAll(() => inside.remove());

const cases = `flow: greet.yaml
tools: { greet: [1, 2] }
cases:
  - { name: who is greeted, input: { who: Ada }, expect: { status: completed, output: [1, 2], calls: { greet: { who: Bob } } } }
  - { name: it works, expect: { status: completed } }
`;

test("one line for each case that passes, and exit code 0", async () => {
  const { exitCode, stdout, stderr } = await inside.call("test", example);
  expect([exitCode, stderr]).toEqual([0, "5 cases: 5 passed, 0 failed\n"]);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    example,
    "  ✔ what a person approves is published",
    "  ✔ nothing new is told, and nobody is asked",
  ]);
});

test("what differs is said with its place, and exit code 1", async () => {
  const file = inside.write("greet.test.yaml", cases);
  const { exitCode, stdout, stderr } = await inside.call("test", file, example);
  expect([exitCode, stderr]).toEqual([1, "7 cases: 6 passed, 1 failed\n"]);
  const [, first = "", ...rest] = stdout.split("\n");
  expect(first).toBe("  ✘ who is greeted");
  expect(rest.find((line) => line.includes("output"))).toMatch(/^ {6}4:\d+ {2}output.*expected/);
  expect(rest.find((line) => line.includes("Bob"))).toMatch(/^ {6}4:\d+ {2}calls\.greet/);
  const [report] = await inside.list("test", file);
  expect(report).toMatchObject({
    file,
    ok: false,
    findings: [],
    cases: [
      { name: "who is greeted", ok: false, run: { status: "completed", output: 1 } },
      { name: "it works", ok: true, findings: [] },
    ],
  });
  expect((await inside.call("test", file, "-q")).stdout).toBe(`${file}: who is greeted\n`);
});

test("a file or a flow that is wrong is exit code 6, and one that is not there 3", async () => {
  const wrong = inside.write("wrong.test.yaml", cases.replace("cases:", "cass:"));
  const told = await inside.call("test", wrong);
  expect(told.exitCode).toBe(6);
  expect(told.stdout).toContain('      3:1  Unknown key "cass". Did you mean "cases"?\n');
  const lost = inside.write("lost.test.yaml", cases.replace("greet.yaml", "gone.yaml"));
  expect(await inside.call("test", lost)).toMatchObject({
    exitCode: 6,
    stdout: expect.stringContaining("The flow cannot be read"),
  });
  expect((await refusalOf(inside, "test", "none.test.yaml")).slice(0, 2)).toEqual(["FILE_NOT_FOUND", 3]);
  expect(await refusalOf(inside, "test")).toEqual(["USAGE", 2, "Say which test files."]);
});

test("a case may answer as a recorded run of the store did", async () => {
  const flow = inside.write(
    "echo.yaml",
    "start: { tool: demo.echo, args: { text: 'Hi {{ input.who }}' }, done: true }\n",
  );
  const { id } = await inside.json("run", flow, "who=Ada");
  const of = (run: unknown): string =>
    `flow: echo.yaml\ncases:\n  - { name: as then, record: ${String(run)}, input: { who: Ada }, expect: { output: Hi Ada } }\n`;
  expect((await inside.call("test", inside.write("recorded.test.yaml", of(id)))).exitCode).toBe(0);
  const missing = await inside.call("test", inside.write("unrecorded.test.yaml", of(7)));
  expect([missing.exitCode, missing.stdout]).toEqual([1, expect.stringContaining("There is no run 7.")]);
});
