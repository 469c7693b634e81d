// docs/client.md shows a program as it is, and what it prints.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readText } from "./example-files.ts";

const page = readText("docs/client.md");
const path = "examples/library/connect-a-client.ts";

describe("docs/client.md", () => {
  test("shows its program as it is, with what it prints", () => {
    expect(page).toContain(`\`\`\`ts ${path}\n${readText(path)}\`\`\``);
    const folder = mkdtempSync(join(tmpdir(), "stepwell-client-"));
    try {
      const printed = execFileSync(process.execPath, [path, join(folder, "stepwell.db")], {
        cwd: new URL("..", import.meta.url),
        encoding: "utf8",
      });
      expect(page).toContain(`\`\`\`text\n${printed}\`\`\``);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
