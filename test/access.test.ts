// docs/access.md and docs/secrets.md show programs that run, and what they print.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { findKeyProblem } from "../src/access/permission.ts";
import { readText } from "./example-files.ts";

const root = new URL("..", import.meta.url);

describe.each([
  ["docs/access.md", "examples/library/ask-who-may.ts"],
  ["docs/secrets.md", "examples/library/keep-a-secret.ts"],
])("%s", (path, program) => {
  const page = readText(path);

  test("shows its program as it is", () => {
    expect(page).toContain(`\`\`\`ts ${program}\n${readText(program)}\`\`\``);
  });

  test("shows what its program prints", () => {
    const printed = execFileSync(process.execPath, [program, ":memory:"], { cwd: root, encoding: "utf8" });
    expect(page).toContain(`\`\`\`text\n${printed}\`\`\``);
  });
});

test("docs/access.md names permission keys that can be granted, and every one of them", () => {
  const keys = [...readText("docs/access.md").matchAll(/`((?:130001|tool:)[a-z.*]*)`/g)].map(([, key = ""]) => key);
  expect(keys.filter((key) => findKeyProblem(key) !== undefined)).toEqual([]);
  expect(new Set(keys)).toContain("130001.read.own");
});
