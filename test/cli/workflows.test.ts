// Saved workflows on the command line. Each command with what people see, what programs read, and one wrong use.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let inside: Inside;
let file = "";

const first =
  "# Says hello.\nname: greet\nsteps:\n  say: { tool: demo.echo, args: { text: 'Hi {{ input.who }}' }, done: true }\n";
const second = first
  .replace("done: true", "next: shout")
  .concat("  shout: { set: { text: '{{ upper(previous) }}' }, done: true }\n");

beforeAll(async () => {
  inside = openInside();
  file = inside.write("greet.yaml", first);
  await inside.call("workflow", "save", file, "--note", "the first", "--as", "ada");
  inside.write("greet.yaml", second);
  await inside.call("workflow", "save", file);
});

afterAll(() => inside.remove());

describe("stepwell workflow save", () => {
  test("makes a version only of what is new, and warns of what is missing", async () => {
    expect(await inside.call("workflow", "save", file)).toEqual({
      exitCode: 0,
      stdout: "greet@2\n",
      stderr: "unchanged: greet, version 2\n",
    });
    const other = inside.write("other.yaml", "start: { tool: nowhere, done: true }\n");
    const { stdout, stderr } = await inside.call("workflow", "save", other, "--name", "elsewhere");
    expect(stdout).toBe("elsewhere@1\n");
    expect(stderr).toMatch(/^warning: elsewhere: Unknown tool: nowhere\./);
    expect((await inside.list("workflow", "save", other))[0]).toMatchObject({
      name: "other",
      version: 1,
      is_new_version: true,
      warnings: [expect.stringContaining("nowhere")],
    });
    for (const name of ["elsewhere", "other"]) await inside.call("workflow", "delete", name);
  });

  test("refuses what is no flow, what somebody else has changed, and one name for several", async () => {
    const wrong = inside.write("wrong.yaml", "steps: { a: { tol: x } }\n");
    expect((await refusalOf(inside, "workflow", "save", wrong)).slice(0, 2)).toEqual(["FLOW_INVALID", 6]);
    expect((await refusalOf(inside, "workflow", "save", file, "--expect", "1")).slice(0, 2)).toEqual(["REFUSED", 10]);
    expect(await refusalOf(inside, "workflow", "save", file, file, "--name", "x")).toEqual([
      "USAGE",
      2,
      "Several files cannot have one name.",
    ]);
  });
});

test("stepwell workflow list shows what is saved, and with --all what was deleted", async () => {
  const { stdout } = await inside.call("workflow", "list");
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/).join("|"))).toEqual([
    "NAME|VERSION|STATE|SAVED|BY|DESCRIPTION",
    expect.stringMatching(/^greet\|2\|enabled\|.+\|.+$/),
    "",
  ]);
  expect(await inside.list("workflow", "list", "--fields", "name,version")).toEqual([{ name: "greet", version: 2 }]);
  expect((await inside.call("template", "list", "--all", "-q")).stdout).toBe("elsewhere\ngreet\nother\n");
  expect(await refusalOf(inside, "workflow", "list", "greet")).toEqual(["USAGE", 2, '"greet" is too much.']);
  const empty = openInside({ isWithoutStore: true });
  expect(await refusalOf(empty, "workflow", "list")).toEqual([
    "FILE_NOT_FOUND",
    3,
    `There is no store "${empty.storeName}".`,
  ]);
  empty.remove();
});

test("stepwell workflow show gives back what was written, in the version that is named", async () => {
  expect((await inside.call("workflow", "show", "greet")).stdout).toBe(second);
  const old = await inside.call("workflow", "show", "greet@1");
  expect(old.stdout).toBe(first);
  expect(old.stderr).toMatch(/^greet@1 of 2, enabled, last changed .*\nnote: the first\n$/);
  expect(await inside.json("workflow", "show", "greet@1")).toMatchObject({
    version: 1,
    newest_version: 2,
    text: first,
    note: "the first",
  });
  expect(await refusalOf(inside, "workflow", "show", "gret")).toEqual([
    "WORKFLOW_NOT_FOUND",
    3,
    'There is no workflow "gret". Did you mean "greet"?',
  ]);
});

test("stepwell workflow versions tells who saved what, newest first", async () => {
  const { stdout } = await inside.call("workflow", "versions", "greet", "--tz", "UTC");
  expect(stdout).toMatch(/^VERSION +HASH +SAVED +BY +STATE +NOTE\n2 .*\n1 +[0-9a-f]{12} +\d{4}-.* ada +the first\n$/);
  expect((await inside.list("workflow", "versions", "greet")).map(({ version, note }) => [version, note])).toEqual([
    [2, null],
    [1, "the first"],
  ]);
  expect((await refusalOf(inside, "workflow", "versions"))[2]).toBe("Say which workflow.");
});

test("stepwell workflow diff shows which steps changed, and the lines with their indentation", async () => {
  const { stdout } = await inside.call("workflow", "diff", "greet");
  expect(stdout).toMatch(/^greet@1 -> greet@2\n {2}added {3}shout\n {2}changed say\n/);
  expect(stdout).toMatch(/^- {3}say: .*done: true \}$/m);
  expect(stdout).toMatch(/^\+ {3}shout: /m);
  expect(await inside.json("workflow", "diff", "greet", "2", "1")).toMatchObject({
    from: 2,
    to: 1,
    steps: { added: [], removed: ["shout"], changed: ["say"] },
  });
  expect(await refusalOf(inside, "workflow", "diff", "greet", "one")).toEqual([
    "USAGE",
    2,
    '"one" is no number of a version.',
  ]);
  expect((await refusalOf(inside, "workflow", "diff", "greet", "7"))[0]).toBe("WORKFLOW_NOT_FOUND");
});

describe("a saved workflow", () => {
  test("is run by its name, in the version that is named", async () => {
    expect(await inside.json("run", "greet", "who=Ada")).toMatchObject({ name: "greet", output: { text: "HI ADA" } });
    expect((await inside.call("run", "greet@1", "who=Ada")).stdout).toBe("Hi Ada\n");
    expect(await refusalOf(inside, "run", "gret")).toEqual([
      "WORKFLOW_NOT_FOUND",
      3,
      'There is no workflow "gret". Did you mean "greet"?',
    ]);
  });

  test("is offered by its name when the key is pressed", async () => {
    expect((await inside.call("complete", "--", "workflow", "show", "gr")).stdout).toBe("greet\tworkflow\n:plain\n");
    expect((await inside.call("complete", "--", "run", "gr")).stdout).toBe("greet\tworkflow\n:files\n");
  });

  test("is disabled and enabled", async () => {
    expect(await inside.call("workflow", "disable", "greet")).toMatchObject({
      stdout: "greet@2\n",
      stderr: expect.stringMatching(/disabled: greet\n$/),
    });
    expect((await refusalOf(inside, "run", "greet")).slice(0, 2)).toEqual(["WORKFLOW_DISABLED", 10]);
    expect(await inside.json("workflow", "enable", "greet")).toMatchObject({ name: "greet", is_enabled: true });
    expect((await refusalOf(inside, "workflow", "disable"))[2]).toBe("Say which workflow.");
    expect((await refusalOf(inside, "workflow", "enable", "gret"))[0]).toBe("WORKFLOW_NOT_FOUND");
  });

  test("is deleted, and restored with all its versions", async () => {
    expect((await inside.call("workflow", "delete", "greet")).stderr).toMatch(/deleted: greet\n$/);
    expect((await inside.call("workflow", "list")).stderr).toBe("No workflow is saved: stepwell workflow save FILE\n");
    expect((await refusalOf(inside, "workflow", "delete", "gret"))[0]).toBe("WORKFLOW_NOT_FOUND");
    expect((await inside.call("workflow", "restore", "greet", "1", "--note", "shorter")).stderr).toMatch(
      /restored version 1 as 3: greet\n$/,
    );
    expect(await inside.json("workflow", "show", "greet")).toMatchObject({
      version: 3,
      note: "shorter",
      deleted_at: null,
    });
    expect(await inside.json("workflow", "restore", "greet", "2")).toMatchObject({ version: 4, is_new_version: true });
    expect((await refusalOf(inside, "workflow", "restore", "greet"))[2]).toBe("Say which version.");
  });
});

test("whoever may not read is not shown what is saved", async () => {
  await inside.call("user", "save", "ann", "--key", "130001.start");
  for (const args of [
    ["workflow", "show", "greet"],
    ["workflow", "list"],
    ["graph", "greet"],
    ["run", "greet"],
  ])
    expect((await refusalOf(inside, ...args, "--as", "ann")).slice(0, 2)).toEqual(["NOT_ALLOWED", 4]);
  expect((await refusalOf(inside, "workflow", "delete", "greet", "--as", "ann")).slice(0, 2)).toEqual([
    "NOT_ALLOWED",
    4,
  ]);
});

test("a family without a command says which there are", async () => {
  const { exitCode, stdout } = await inside.call("workflow");
  expect(exitCode).toBe(2);
  for (const name of ["save", "list", "show", "versions", "diff", "restore", "enable", "disable", "delete"])
    expect(stdout).toContain(`workflow ${name} `);
  expect((await refusalOf(inside, "workflow", "shw"))[2]).toBe(
    'There is no command "workflow shw". Did you mean "workflow show"?',
  );
});
