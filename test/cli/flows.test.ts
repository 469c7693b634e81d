// Commands about flows and about the program itself: each with what people see, what programs read, and one wrong use.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Flags } from "../../src/cli/command.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { commands } from "../../src/cli/commands.ts";
import { parseFlags } from "../../src/cli/parse-flags.ts";
import { globalFlags } from "../../src/cli/global-flags.ts";
import { errorCodes } from "../../src/error.ts";
import { flowSchema } from "../../src/index.ts";
import { readText } from "../example-files.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let inside: Inside;
const hello = demoFlow("hello");

beforeAll(() => {
  inside = openInside();
});

afterAll(() => inside.remove());

describe("stepwell validate", () => {
  const wrong = `# kept
start: { tool: log, next: tel } # the first
tell: { tool: log, nxt: end }
`;

  test("says what is wrong, where, and how it is mended", async () => {
    const file = inside.write("wrong.yaml", wrong);
    const { exitCode, stdout } = await inside.call("validate", hello, file);
    expect(exitCode).toBe(6);
    expect(stdout.split("\n")).toEqual([
      `${hello}  flow, valid`,
      `${file}  flow, invalid`,
      '  2:27  error dangling_name: There is no step "tel". Did you mean "tell"?',
      '      fix: set /start/next to "tell"',
      '  3:20  error unknown_key: Step "tell" has no key "nxt". Write "next".',
      "      fix: rename /tell/nxt to /tell/next",
      "",
    ]);
  });

  test("as JSON gives the findings with their patches", async () => {
    const [report] = await inside.list("validate", inside.write("wrong.yaml", wrong));
    expect(report).toMatchObject({
      ok: false,
      notation: "flow",
      findings: [{ line: 2, column: 27, patch: [{ op: "replace" }] }, {}],
    });
    expect((await inside.call("validate", hello, "-q")).stdout).toBe("");
  });

  test("with --fix mends the file and keeps its comments", async () => {
    const file = inside.write("mend.yaml", wrong);
    const { exitCode, stdout } = await inside.call("validate", file, "--fix");
    expect([exitCode, stdout]).toEqual([0, `${file}  flow, valid, 2 fixed\n`]);
    expect(readFileSync(file, "utf8")).toBe(`# kept
start: { tool: log, next: tell } # the first
tell: { tool: log, next: end }
`);
    const json = inside.write("mend.json", '{\n    "start": { "tool": "log", "nxt": "end" }\n}\n');
    await inside.call("validate", json, "--fix");
    expect(JSON.parse(readFileSync(json, "utf8"))).toEqual({ start: { tool: "log", next: "end" } });
  });

  test("refuses what it cannot read", async () => {
    expect(await refusalOf(inside, "validate")).toEqual(["USAGE", 2, "Say which files to check."]);
    expect(await refusalOf(inside, "validate", "nowhere.yaml")).toEqual([
      "FILE_NOT_FOUND",
      3,
      'There is no file "nowhere.yaml".',
    ]);
    expect((await refusalOf(inside, "validate", "-", "--fix"))[0]).toBe("USAGE");
  });
});

describe("stepwell graph", () => {
  test("draws a file in three ways, and the flow of a run", async () => {
    expect((await inside.call("graph", hello)).stdout).toContain("greet");
    expect((await inside.call("graph", hello, "mermaid")).stdout).toMatch(/^(?:---|flowchart|%%)/);
    expect((await inside.call("graph", hello, "svg")).stdout).toMatch(/^<svg /);
    expect(await inside.json("graph", hello, "mermaid")).toMatchObject({ name: "hello", form: "mermaid" });
    const { id } = await inside.json("run", hello, "--detach");
    expect((await inside.call("graph", wordOf(id))).stdout).toBe((await inside.call("graph", hello)).stdout);
  });

  test("refuses what it cannot draw", async () => {
    expect(await refusalOf(inside, "graph", hello, "ascci")).toEqual([
      "USAGE",
      2,
      'There is no drawing "ascci". Did you mean "ascii"?',
    ]);
    expect((await refusalOf(inside, "graph", "nothing"))[1]).toBe(3);
  });
});

test("stepwell schema flow gives the schema, for people and programs alike", async () => {
  expect(JSON.parse((await inside.call("schema", "flow")).stdout)).toEqual(flowSchema());
  expect(await inside.json("schema", "flow")).toEqual(flowSchema());
  expect(await refusalOf(inside, "schema", "flwo")).toEqual([
    "USAGE",
    2,
    'There is no command "schema flwo". Did you mean "schema flow"?',
  ]);
  expect((await inside.call("schema")).stdout).toMatch(/^ {2}schema flow +the JSON Schema of flows/m);
});

describe("stepwell examples", () => {
  test("checks and draws what it is given", async () => {
    const { exitCode, stdout, stderr } = await inside.call("examples", hello);
    expect([exitCode, stderr]).toEqual([0, "1 flows: 1 valid, 0 invalid, 0 warnings\n"]);
    expect(stdout).toContain("greet");
    expect(await inside.list("examples", hello)).toMatchObject([{ ok: true, notation: "flow" }]);
    expect((await refusalOf(inside, "examples", "--form", "png"))[2]).toBe('There is no form "png".');
  });
});

test("stepwell examples takes folders, and one that is named like a flow is a folder", async () => {
  const folder = join(inside.folder, "flows");
  mkdirSync(join(folder, "x.yaml"), { recursive: true });
  expect(await refusalOf(inside, "examples", folder)).toEqual([
    "FILE_NOT_FOUND",
    3,
    `There is no .json, .yaml or .yml file in the folder "${folder}".`,
  ]);
  writeFileSync(join(folder, "x.yaml", "hello.yaml"), "start: {tool: log, done: true}");
  expect((await inside.call("examples", folder)).stderr).toContain("1 flows: 1 valid");
});

describe("stepwell help", () => {
  test("names every command, and explains each of them", async () => {
    const { stdout } = await inside.call("help");
    for (const { name, about } of commands.values())
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +${about.replaceAll("?", "\\?")}$`, "m"));
    expect((await inside.call("--help")).stdout).toBe(stdout);
    for (const flag of Object.keys(globalFlags)) expect(stdout).toContain(`--${flag}`);
    expect((await inside.list("help")).length).toBe(commands.size);
    const run = (await inside.call("help", "run")).stdout;
    expect(run).toBe((await inside.call("run", "--help")).stdout);
    expect(run).toContain("stepwell run <workflow|file> [key=value …] [flags]");
    expect(await refusalOf(inside, "help", "rum")).toEqual([
      "USAGE",
      2,
      'There is no help on "rum". Did you mean "run"?',
    ]);
  });

  test.each([...commands.values()])("of $name shows command lines that can be parsed", async ({ name, load }) => {
    const { command } = await load();
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(example === name || example.startsWith(`${name} `)).toBe(true);
      const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect(() => parseFlags(words, { ...command.flags, ...globalFlags }, "")).not.toThrow();
    }
    const flags: Flags = { ...command.flags, ...globalFlags };
    const shorts = Object.values(flags).flatMap(({ short }) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(Object.keys(command.flags).filter((flag) => Object.hasOwn(globalFlags, flag))).toEqual([]);
  });

  test("exit-codes says what each means; the errors and the documentation agree", async () => {
    const { stdout } = await inside.call("help", "exit-codes");
    const told = [...stdout.matchAll(/^(\d+) +(.+)$/gm)].map(([, code, about]) => [Number(code), about]);
    expect(told).toEqual([...exitCodes]);
    expect(told.map(([code]) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130]);
    for (const { exitCode } of Object.values(errorCodes)) expect(exitCodes.has(exitCode)).toBe(true);
    const documented = [...readText("docs/cli.md").matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, about]) => [
      Number(code),
      about,
    ]);
    expect(documented).toEqual([...exitCodes]);
  });
});

test("stepwell version is that of the package", async () => {
  const { version } = JSON.parse(readText("package.json")) as { readonly version: string };
  expect((await inside.call("version")).stdout).toBe(`${version}\n`);
  expect((await inside.call("--version")).stdout).toBe(`${version}\n`);
  expect(await inside.json("version")).toMatchObject({ version });
  expect((await refusalOf(inside, "version", "2"))[2]).toBe('"2" is too much.');
});

describe("docs/cli.md", () => {
  const page = readText("docs/cli.md");

  test("names every command and every flag of all", () => {
    for (const { name } of commands.values()) expect(page).toContain(`\`${name}`);
    for (const flag of Object.keys(globalFlags)) expect(page).toContain(`--${flag}`);
  });

  test("shows command lines that can be parsed", async () => {
    const lines = [...page.matchAll(/^ {0,3}stepwell (.+)$/gm)].map(([, line = ""]) =>
      line.replace(/ {2,}#.*$| [|>].*$/, ""),
    );
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      const listed = commands.get(words.slice(0, 2).join(" ")) ?? commands.get(words[0] ?? "");
      expect([line, listed?.name]).toEqual([line, expect.any(String)]);
      const flags = { ...(await listed?.load())?.command.flags, ...globalFlags };
      expect(() => parseFlags(words, flags, "")).not.toThrow();
    }
  });
});
