// `stepwell/testing` as a user has it: from the built package, with another runner, and as its page shows it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readText } from "./example-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readText("docs/testing.md");

/** The names that an entry of the built package exports. */
function exportsOf(entry: string): readonly string[] {
  const program = `console.log(Object.keys(await import("${entry}")).join())`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: root, encoding: "utf8" })
    .trim()
    .split(",");
}

describe("the built package", () => {
  test("has the tools for tests under an entry of their own, and no others", () => {
    const names = ["fakeTool", "never", "openTestEngine", "recordedTools", "runFlowTests", "throws"];
    expect(exportsOf("stepwell/testing")).toEqual(names);
    expect(exportsOf("stepwell").filter((name) => names.includes(name))).toEqual([]);
  });

  test("has the types of every entry", () => {
    const { exports } = JSON.parse(readText("package.json")) as {
      readonly exports: { readonly [entry: string]: string | { readonly [condition: string]: string } };
    };
    const files = Object.values(exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    expect(files).toContain("./dist/testing/index.d.ts");
    expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
  });

  test("runs the example with the runner of Node", () => {
    // Node tells its child when a runner has started it; this one is a beginning of its own.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const told = execFileSync(process.execPath, ["--test", "--test-reporter=tap", "examples/library/test-a-flow.ts"], {
      cwd: root,
      encoding: "utf8",
      env,
    });
    expect(told).toContain("# pass 2\n# fail 0");
  });
});

describe("docs/testing.md", () => {
  const blocks = [...page.matchAll(/^```\w+ (examples\/\S+)\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [
    path,
    text,
  ]);

  test.each(blocks)("shows %s as it is", (path, text) => {
    expect(text).toBe(readText(path));
  });

  test("shows a test in code and cases in a file", () => {
    expect(blocks.map(([path]) => path)).toEqual([
      "examples/library/test-a-flow.ts",
      "examples/tests/publish-digest.test.yaml",
    ]);
  });

  test.each(["FlowTestCase", "expectKeys"])("has a row for each key of a case and of what it expects (%s)", (which) => {
    const source = readText("src/testing/flow-test-file.ts");
    const list = which === "expectKeys" ? "expectKeys" : "caseKeys";
    const written = new RegExp(`const ${list} = \\[(.*?)\\]`, "s").exec(source)?.[1] ?? "";
    const keys = [...written.matchAll(/"(\w+)"/g)].map(([, key = ""]) => key);
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !new RegExp(`^\\|.*\`${key}\`.*\\|`, "m").test(page))).toEqual([]);
  });
});
