// The page about saved workflows: its program is shown as it is, and runs against the built package.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Workflows } from "../src/engine/workflows.ts";
import { readText } from "./example-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readText("docs/workflows.md");
const program = "examples/library/save-a-workflow.ts";

describe("docs/workflows.md", () => {
  test("shows the program as it is", () => {
    expect(page).toContain(`\`\`\`ts ${program}\n${readText(program)}\`\`\``);
  });

  test("shows a program that does what it says", () => {
    const told = execFileSync(process.execPath, [program, ":memory:"], { cwd: root, encoding: "utf8" });
    expect(told.split("\n")).toEqual([
      'greet {"text":"HELLO ADA!"}',
      'greet@1 "Hello Ada!"',
      "added [ 'shout' ] changed [ 'say' ] 9 lines",
      "version 3: Restored from version 1",
      "",
    ]);
  });

  test("has a row for every verb", () => {
    const verbs = Object.getOwnPropertyNames(Workflows.prototype).filter((name) => name !== "constructor");
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    expect(verbs.filter((verb) => !rows.some((row) => row.startsWith(`| \`${verb}(`)))).toEqual([]);
  });
});
