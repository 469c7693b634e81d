// docs/tools.md shows a program as it is, and what it prints.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { defineTool } from "../src/index.ts";
import { createContext } from "../src/testing/call-context.ts";
import { readText } from "./example-files.ts";

const page = readText("docs/tools.md");
const path = "examples/library/define-a-tool.ts";

describe("docs/tools.md", () => {
  test("shows its program as it is, with what it prints", () => {
    expect(page).toContain(`\`\`\`ts ${path}\n${readText(path)}\`\`\``);
    const printed = execFileSync(process.execPath, [path, ":memory:"], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    });
    expect(page).toContain(`\`\`\`text\n${printed}\`\`\``);
  });

  test("E3-45: shows a message that names what was expected and what was given", () => {
    const properties = { title: { type: "string" }, score: { type: "number" } };
    const input = { type: "object", properties, required: ["title"], additionalProperties: false };
    const answer = defineTool({ name: "app.score", input, call: () => 1 }).call(
      createContext({ titel: "Tides", score: "x" }),
    );
    expect(answer).toMatchObject({ code: "bad_args" });
    expect(page).toContain("message" in answer ? answer.message : "no message");
  });

  test("leads only to pages that are there", () => {
    const links = [...page.matchAll(/\]\((\w[\w-]*\.md)(?:#[\w-]+)?\)/g)].map(([, name = ""]) => name);
    expect(links.length).toBeGreaterThan(0);
    for (const name of links) expect(() => readText(`docs/${name}`)).not.toThrow();
  });
});
