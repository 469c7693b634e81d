// Tools and their breakers on the command line.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, type Place } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let inside: Inside;
let place: Place;

beforeAll(() => {
  inside = openInside();
  place = makePlace();
});

afterAll(async () => {
  inside.remove();
  await place.remove();
});

describe("stepwell tool list", () => {
  test("shows the tools that come with the program", async () => {
    const { stdout } = await inside.call("tool", "list");
    expect(stdout).toMatch(/^TOOL +EFFECT +DESCRIPTION\n/);
    expect(stdout).toMatch(/^file\.write +idempotent +\S/m);
    const tools = await inside.list("tool", "list");
    expect(tools.find(({ name }) => name === "feed.fetch")).toMatchObject({
      effect: "read",
      outcomes: ["items", "empty"],
    });
    expect(await refusalOf(inside, "tool", "list", "--tools", "none.ts")).toEqual([
      "FILE_NOT_FOUND",
      3,
      'There is no file "none.ts" with tools.',
    ]);
  });
});

describe("stepwell tool show", () => {
  test("shows what a tool takes and gives, by its whole or its short name", async () => {
    const { stdout } = await inside.call("tool", "show", "feed.fetch");
    expect(stdout).toMatch(/^feed\.fetch {2}read\n/);
    expect(stdout).toMatch(/^ {2}NAME +TYPE +NEEDED +ABOUT$/m);
    expect(stdout).toMatch(/^ {2}url +string +yes +/m);
    expect(stdout).toMatch(/^ {2}since +integer\|string +/m);
    expect(await inside.json("tool", "show", "sleep")).toMatchObject({ name: "demo.sleep", input: { type: "object" } });
    expect(await refusalOf(inside, "tool", "show", "demo.ecko")).toEqual([
      "USAGE",
      2,
      'Unknown tool: demo.ecko. Did you mean "demo.echo"?',
    ]);
  });
});

test("the names of built-in tools are offered when the key is pressed, and no module is loaded for it", async () => {
  const complete = ["complete", "--", "tool", "show", "--tools", "none.ts", "demo.e"];
  expect((await inside.call(...complete)).stdout).toMatch(/^demo\.echo\t\S.*\n:plain\n$/);
});

describe("stepwell tool call", () => {
  test("prints what the tool gives, and leaves a run that says who called it", async () => {
    expect(await inside.call("tool", "call", "text.upper", "text=tides", "--as", "ada")).toMatchObject({
      exitCode: 0,
      stdout: "TIDES\n",
    });
    const called = await inside.json("tool", "call", "demo.echo", "--input", '{"text": "hi"}');
    expect(called).toEqual({
      workflow_id: expect.any(Number),
      tool: "demo.echo",
      ok: true,
      outcome: "success",
      result: "hi",
      error: null,
    });
    expect(await inside.list("list", "--fields", "name,status,created_by", "--workflow", "call text.upper")).toEqual([
      { name: "call text.upper", status: "completed", created_by: "ada" },
    ]);
  });

  test("fails with exit code 1 when the tool does", async () => {
    const { exitCode, stdout, stderr } = await inside.call("tool", "call", "demo.fail", "message=No paper");
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: No paper \(demo_failed\)$/m);
    expect(await inside.json("tool", "call", "demo.fail", "message=No paper")).toMatchObject({
      ok: false,
      error: { message: "No paper" },
    });
  });

  test("refuses a tool that is not there and arguments that do not fit, and starts nothing", async () => {
    const before = await inside.list("list");
    expect(await refusalOf(inside, "tool", "call", "demo.ecko")).toEqual([
      "INPUT_INVALID",
      6,
      'Unknown tool: demo.ecko. Did you mean "demo.echo"?',
    ]);
    const [code, exitCode, sentence] = await refusalOf(inside, "tool", "call", "text.upper", "txet=Tides");
    expect([code, exitCode]).toEqual(["INPUT_INVALID", 6]);
    expect(sentence).toContain('The tool "text.upper" needs the argument "text".');
    expect((await refusalOf(inside, "tool", "call"))[2]).toBe("Say which tool.");
    expect(await inside.list("list")).toHaveLength(before.length);
  });

  test("lets files and the network be reached only where a flag says so", async () => {
    const write = ["tool", "call", "file.write", "path=a.txt", "text=tides"];
    expect((await inside.call(...write)).exitCode).toBe(1);
    expect((await inside.call(...write, "--files-folder", inside.folder)).exitCode).toBe(0);
    expect(readFileSync(join(inside.folder, "a.txt"), "utf8")).toBe("tides");
    const request = ["tool", "call", "http.request", "url=http://b.example/", "--http-hosts", "a.example"];
    const { exitCode, stderr } = await inside.call(...request);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^error: .*b\.example/m)]);
  });

  test("is no way around permissions, and gives secrets to tools alone", async () => {
    const other = openInside();
    await other.call("secret", "set", "API_KEY", "--value", "s3cr3t-value");
    expect((await other.call("tool", "call", "text.length", "text={{ secrets.API_KEY }}")).stdout).toBe("12\n");
    expect((await other.call("tool", "call", "demo.echo", "text={{ secrets.API_KEY }}")).stdout).toBe(
      "[secret API_KEY]\n",
    );
    await other.call("user", "save", "ann", "--key", "130001.start", "--key", "tool:text.*");
    expect((await other.call("tool", "call", "text.upper", "text=a", "--as", "ann")).stdout).toBe("A\n");
    expect((await other.call("tool", "call", "demo.echo", "text=a", "--as", "ann")).exitCode).toBe(1);
    expect((await refusalOf(other, "tool", "call", "demo.echo", "--as", "eve")).slice(0, 2)).toEqual([
      "NOT_ALLOWED",
      4,
    ]);
    other.remove();
  });
});

test("stepwell breaker list and reset: three failures open it, a person closes it", async () => {
  const other = openInside();
  await other.call("tool", "call", "demo.echo", "text=a");
  expect(await other.call("breaker", "list")).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringMatching(/No tool has failed lately\.\n$/),
  });
  for (let call = 0; call < 3; call += 1) await other.call("tool", "call", "demo.fail", "message=No paper");
  const { stdout } = await other.call("breaker", "list", "--tz", "UTC");
  expect(stdout).toMatch(
    /^TOOL +STATE +FAILURES +OPEN UNTIL +LAST ERROR\ndemo\.fail +open +3 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +No paper\n$/,
  );
  expect(await other.list("breaker", "list")).toMatchObject([
    { tool: "demo.fail", state: "open", count: 3, is_testing: false },
  ]);
  expect((await other.call("tool", "call", "demo.fail")).stderr).toMatch(/\(circuit_open\)$/m);
  expect(await other.call("breaker", "reset", "demo.fail")).toMatchObject({
    stdout: "demo.fail\n",
    stderr: expect.stringContaining("reset: demo.fail is called again\n"),
  });
  expect(await other.list("breaker", "reset", "demo.echo")).toEqual([{ tool: "demo.echo", reset: false }]);
  expect((await refusalOf(other, "breaker", "reset"))[2]).toBe("Say which tool.");
  expect((await refusalOf(other, "breaker", "list", "--store", "none.db")).slice(0, 2)).toEqual(["FILE_NOT_FOUND", 3]);
  other.remove();
});

describe("tools of one's own", () => {
  test("come from modules: functions by their names, tools by theirs, and before built-ins", async () => {
    const write = (name: string, text: string): void => writeFileSync(join(place.folder, name), text);
    write(
      "one.ts",
      "export const greet = ({ name }: { name: string }): string => `Hello ${name}`;\nexport default function shout({ text }: { text: string }) { return text.toUpperCase(); }\n",
    );
    write(
      "two.mjs",
      "const tool = { name: 'demo.echo', description: 'Mine', effect: 'read', input: null, output: null, outcomes: [], call: () => ({ kind: 'done', result: 'mine', outcome: null }) };\nexport const tools = [tool];\nexport function notATool() {}\n",
    );
    write(
      "flow.yaml",
      "start: { tool: greet, args: { name: Ada }, next: two }\ntwo: { tool: shout, args: { text: '{{ previous }}' }, next: three }\nthree: { tool: demo.echo, done: true }\n",
    );
    const [run, listed] = await Promise.all([
      place.run("run", "flow.yaml", "--tools", "one.ts", "--tools", "two.mjs", "--json"),
      place.run("tool", "list", "--tools", "one.ts", "--tools", "two.mjs", "-q"),
    ]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: "completed",
      output: "mine",
      steps: [{ result: "Hello Ada" }, { result: "HELLO ADA" }, { result: "mine" }],
    });
    const names = listed.stdout.trim().split("\n");
    expect(names).toEqual(expect.arrayContaining(["greet", "shout", "demo.echo", "demo.fail"]));
    expect(names).not.toContain("notATool");
  });

  test("say what is wrong with a module", async () => {
    writeFileSync(join(place.folder, "broken.mjs"), "export const = 1;\n");
    writeFileSync(join(place.folder, "empty.mjs"), "export const number = 1;\n");
    const [broken, empty] = await Promise.all([
      place.run("tool", "list", "--tools", "broken.mjs"),
      place.run("tool", "list", "--tools", "empty.mjs"),
    ]);
    expect(broken).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^error: The tools in "broken\.mjs" cannot be loaded: /),
    });
    expect(empty).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^error: There are no tools in "empty\.mjs"\. /),
    });
  });
});
