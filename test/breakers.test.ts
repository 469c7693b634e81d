// docs/breakers.md shows a program that runs, and what it prints.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readText } from "./example-files.ts";

const root = new URL("..", import.meta.url);
const program = "examples/library/leave-a-tool-alone.ts";

describe("docs/breakers.md", () => {
  const page = readText("docs/breakers.md");

  test("shows its program as it is", () => {
    expect(page).toContain(`\`\`\`ts ${program}\n${readText(program)}\`\`\``);
  });

  test("AC-39, AC-42: shows what its program prints", () => {
    const printed = execFileSync(process.execPath, [program, ":memory:"], { cwd: root, encoding: "utf8" });
    expect(page).toContain(`\`\`\`text\n${printed}\`\`\``);
  });
});
