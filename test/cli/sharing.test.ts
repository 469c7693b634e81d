// Workflows as files on the command line. Each command with what people see, what programs read, and one wrong use.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInside, refusalOf, type Inside } from "./inside.ts";

const rss = join(import.meta.dirname, "../../examples/seeds/002-rss-export.json");

let inside: Inside;
let elsewhere: Inside;

beforeAll(async () => {
  inside = openInside();
  elsewhere = openInside();
  const greet = "# Says hello.\nname: greet\nsteps:\n  say: { tool: demo.echo, args: { text: hello }, done: true }\n";
  await inside.call("workflow", "save", inside.write("greet.yaml", greet));
  const main = "name: main\nsteps:\n  go: { flow: greet@1, done: true }\n";
  await inside.call("workflow", "save", inside.write("main.yaml", main));
});

afterAll(() => {
  inside.remove();
  elsewhere.remove();
});

describe("stepwell workflow export", () => {
  test("AC-49, AC-50: prints one file that stands for itself, or writes it where it is told", async () => {
    const { stdout, stderr, exitCode } = await inside.call("workflow", "export", "main");
    expect([exitCode, stderr]).toEqual([0, ""]);
    const document = await inside.json("workflow", "export", "main");
    expect(stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
    expect(document).toMatchObject({
      stepwell: 1,
      workflow: { name: "main", text: expect.stringContaining("flow: greet@1") },
      workflows: [{ name: "greet", text: expect.stringContaining("# Says hello.") }],
      tools: [{ name: "demo.echo" }],
      permissions: ["tool:demo.echo"],
    });
    const file = join(inside.folder, "main.json");
    expect(await inside.call("workflow", "export", "main", file)).toEqual({
      exitCode: 0,
      stdout: `${file}\n`,
      stderr: "exported: main\n",
    });
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect((await refusalOf(inside, "workflow", "export", "main", file)).slice(0, 2)).toEqual(["USAGE", 2]);
    expect((await inside.call("workflow", "export", "main", file, "--yes")).exitCode).toBe(0);
  });

  test("warns of what looks like a secret, and writes it all the same", async () => {
    const flow = "name: plain\nsteps: { a: { tool: demo.echo, args: { text: x, api_key: k-123 }, done: true } }\n";
    await inside.call("workflow", "save", inside.write("plain.yaml", flow));
    const { stdout, stderr } = await inside.call("workflow", "export", "plain");
    expect(stderr).toBe("warning: what stands at /workflow/flow/steps/a/args/api_key looks like a secret\n");
    expect(stdout).toContain("k-123");
  });

  test("takes test files along, and refuses what is not there", async () => {
    const tests = inside.write("main.test.yaml", "flow: main.yaml\ncases: []\n");
    const document = await inside.json("workflow", "export", "main", "--tests", tests);
    expect(document["tests"]).toEqual([{ flow: "main.yaml", cases: [] }]);
    expect((await refusalOf(inside, "workflow", "export", "mian")).slice(0, 2)).toEqual(["WORKFLOW_NOT_FOUND", 3]);
    expect((await refusalOf(inside, "workflow", "export")).slice(0, 2)).toEqual(["USAGE", 2]);
    const nowhere = join(inside.folder, "no", "such", "folder.json");
    expect((await refusalOf(inside, "workflow", "export", "main", nowhere)).slice(0, 2)).toEqual(["FILE_NOT_FOUND", 3]);
  });
});

describe("stepwell workflow import", () => {
  test("AC-51, AC-53: shows the plan, and brings in what exports to the same bytes", async () => {
    const { stdout } = await inside.call("workflow", "export", "main");
    const file = elsewhere.write("main.json", stdout);
    const planned = await elsewhere.call("workflow", "import", file, "--plan");
    expect(planned.stdout.split("\n").map((line) => line.split(/ {2,}/).join("|"))).toEqual([
      "WORKFLOW|BECOMES|HERE|IS",
      "main|main|new|created",
      "greet|greet|new|created",
      "permissions: tool:demo.echo",
      "",
    ]);
    expect(await elsewhere.list("workflow", "list")).toEqual([]);
    const imported = await elsewhere.call("workflow", "import", file, "--yes");
    expect(imported.stdout).toBe("main@1\n");
    expect(imported.stderr).toMatch(
      /^WORKFLOW +BECOMES[^]*imported: main, disabled; stepwell workflow enable lets it be started\n$/,
    );
    expect((await elsewhere.call("workflow", "export", "main")).stdout).toBe(stdout);
    expect((await elsewhere.list("workflow", "list", "--fields", "name,is_enabled")).map(Object.values)).toEqual([
      ["greet", false],
      ["main", false],
    ]);
    expect(await elsewhere.json("workflow", "import", file, "--yes", "--enable")).toMatchObject({
      name: "main (imported 1)",
      workflows: [
        { name: "main", as: "main (imported 1)", state: "same", action: "create" },
        { name: "greet", as: "greet", state: "same", action: "link" },
      ],
      workflow: { name: "main (imported 1)", is_enabled: true },
    });
  });

  test("AC-51, AC-52: takes a file of AlexClaw, and warns of what it creates", async () => {
    const { stdout, stderr } = await elsewhere.call("workflow", "import", rss, "--yes");
    expect(stdout).toBe("RSS digest@1\n");
    expect(stderr).toMatch(/^missing tools: llm_transform, rss_fetch, score_items, telegram_notify$/m);
    expect(stderr).toMatch(/^warning: Resource 'News feed' created$/m);
    const again = await elsewhere.json("workflow", "import", rss, "--plan");
    expect(again).toMatchObject({ name: "RSS digest (imported 1)", resources: [{ action: "link" }] });
  });

  test("AC-52: refuses what is no such file, and asks before it does anything", async () => {
    const file = elsewhere.write("wrong.json", '{"version":1,"workflow":{"name":""},"steps":[]}');
    expect(await refusalOf(elsewhere, "workflow", "import", file, "--yes")).toEqual([
      "INPUT_INVALID",
      6,
      'The file cannot be imported: "workflow" needs a name.',
    ]);
    const yaml = elsewhere.write("wrong.yaml", "stepwell: 1\n");
    expect(await refusalOf(elsewhere, "workflow", "import", yaml)).toEqual(["USAGE", 2, `"${yaml}" is no .json file.`]);
    const large = elsewhere.write("large.json", `{"x":"${"y".repeat(1_048_576)}"}`);
    expect((await refusalOf(elsewhere, "workflow", "import", large)).slice(0, 2)).toEqual(["TOO_LARGE", 6]);
    expect((await elsewhere.call("workflow", "import", rss)).stderr).toMatch(
      /error: Import it as "RSS digest \(imported 1\)"\? Nobody is here to answer\. \(USAGE\)/,
    );
    expect((await refusalOf(elsewhere, "workflow", "import")).slice(0, 2)).toEqual(["USAGE", 2]);
  });
});

test("AC-54: stepwell workflow clone makes a copy that is disabled", async () => {
  expect(await inside.call("workflow", "clone", "greet")).toEqual({
    exitCode: 0,
    stdout: "greet (copy)@1\n",
    stderr: "copied, disabled: greet (copy)\n",
  });
  expect(await inside.json("template", "clone", "greet")).toMatchObject({ name: "greet (copy 2)", is_enabled: false });
  expect((await refusalOf(inside, "workflow", "clone", "gret")).slice(0, 2)).toEqual(["WORKFLOW_NOT_FOUND", 3]);
});
