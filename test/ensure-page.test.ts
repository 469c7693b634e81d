import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isDue } from "../scripts/ensure-page.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-page-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, second: number): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  utimesSync(path, second, second);
}

function isDueHere(): boolean {
  return isDue(join(folder, "ui"), join(folder, "built"));
}

test("npm start builds the page when there is none, or something of it is newer", () => {
  write("ui/src/views/home.tsx", 1000);
  expect(isDueHere()).toBe(true);
  write("built/index.html", 2000);
  expect(isDueHere()).toBe(false);
  write("ui/src/views/run.tsx", 3000);
  expect(isDueHere()).toBe(true);
});

test("what is no part of the page does not count", () => {
  write("ui/src/main.tsx", 1000);
  write("built/index.html", 2000);
  for (const name of ["ui/node_modules/vite/package.json", "ui/test/home.test.ts", "ui/.cache"]) write(name, 3000);
  expect(isDueHere()).toBe(false);
});
