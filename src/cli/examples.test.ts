import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(path: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [program, "examples", path], { encoding: "utf8" });
}

test("a folder that is named like a flow is no flow", () => {
  mkdirSync(join(folder, "x.yaml"));
  writeFileSync(join(folder, "x.yaml", "hello.yaml"), "start: {tool: log, done: true}");
  const { status, stdout, stderr } = run(folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("1 flows: 1 valid");
});

test("a folder without flows says so", () => {
  const { status, stderr } = run(folder);
  expect(status).toBe(3);
  expect(stderr).toContain(`error: There is no .json, .yaml or .yml file in the folder "${folder}".`);
});
