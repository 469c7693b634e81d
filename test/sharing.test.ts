// The page about workflows as files: its program is shown as it is and runs against the built package, and the file that
// it shows is the one that comes out.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openEngine } from "../src/index.ts";
import { readText } from "./example-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readText("docs/sharing.md");
const program = "examples/library/share-a-workflow.ts";

describe("docs/sharing.md", () => {
  test("shows the program as it is", () => {
    expect(page).toContain(`\`\`\`ts ${program}\n${readText(program)}\`\`\``);
  });

  test("shows a program that does what it says", () => {
    const told = execFileSync(process.execPath, [program], { cwd: root, encoding: "utf8" });
    expect(told.split("\n")).toEqual([
      "welcome becomes welcome: new, create",
      "greet becomes greet (imported 1): changed, create",
      '{"text":"Hello Ada!"}',
      "the same bytes: true",
      "",
    ]);
  });

  test("shows a file that can be imported and comes out as it is", async () => {
    const [, file = ""] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
    await using engine = await openEngine({ store: ":memory:" });
    await engine.workflows.import(file);
    expect(await engine.workflows.exportText("welcome")).toBe(file);
  });
});
