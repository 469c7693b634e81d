// The example with three servers, as it is but for how the servers are started: from what is installed here.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openInside } from "../cli/inside.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Without asking a registry. */
function installed(text: string): string {
  return text.replaceAll(
    /"npx"(.*?)"-y", "(@modelcontextprotocol\/[\w-]+)@[\d.]+"/gs,
    (_, between: string, name: string) => {
      const program = join(root, "node_modules", name, "dist/index.js");
      return `${JSON.stringify(process.execPath)}${between}${JSON.stringify(program)}`;
    },
  );
}

test("docs/mcp.md shows the example as it is", () => {
  const page = readFileSync(join(root, "docs/mcp.md"), "utf8");
  const shown = [...page.matchAll(/^```\w+ (examples\/mcp\/\S+)\n(.*?)^```$/gms)];
  expect(shown.map(([, path]) => path)).toEqual(["examples/mcp/mcp.json", "examples/mcp/three-servers.yaml"]);
  for (const [, path = "", text] of shown) expect(text).toBe(readFileSync(join(root, path), "utf8"));
});

test("three servers work together in one flow", async () => {
  const inside = openInside();
  try {
    const config = inside.write("mcp.json", installed(readFileSync(join(root, "examples/mcp/mcp.json"), "utf8")));
    const flow = join(root, "examples/mcp/three-servers.yaml");
    const { exitCode, stdout, stderr } = await inside.call("run", flow, "a=2", "b=3", "--mcp", config, "--json");
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("problem")]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      output: { entities: [{ name: "sum", observations: [expect.stringContaining("5")] }] },
    });
    expect(readFileSync(join(inside.folder, "sum.txt"), "utf8")).toContain("5");
    // The next process knows the tools without starting anything.
    const { stdout: listed } = await inside.call("tool", "list", "--mcp", config, "--quiet");
    expect(listed).toContain("everything.get-sum\n");
  } finally {
    inside.remove();
  }
});
