import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AddedFile } from "./added-file.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

let folder: string;
let path: string;
/** What stood in the file, each time that a folder was brought to disk. */
const seen: (string | null)[] = [];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepwell-replace-")));
  path = join(folder, "servers.json");
  seen.length = 0;
  const handle = await open(folder, "r");
  // The prototype of all handles is nowhere else to be had.
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    if ((await this.stat()).isDirectory()) seen.push(existsSync(path) ? readFileSync(path, "utf8") : null);
    await this.datasync();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test("a file that was replaced stays so after a power cut: its folder is on disk, too", async () => {
  await replaceFile(path, "one");
  await replaceFile(path, "two");
  expect(seen).toEqual(["one", "two"]);
});

test("a file that was removed stays so, and one that is not there is no trouble", async () => {
  await replaceFile(path, "one");
  await removeFile(path);
  await removeFile(path);
  expect(seen.slice(0, 2)).toEqual(["one", null]);
});

test("a folder that is made for it is on disk in the folder around it", async () => {
  path = join(folder, "new", "deep", "servers.json");
  await replaceFile(path, "one");
  expect(seen).toEqual(["one", "one", "one"]);
  expect(readFileSync(path, "utf8")).toBe("one");
});

test("of a link the folder is brought to disk in which the file lies", async () => {
  const target = join(folder, "elsewhere", "real.json");
  await replaceFile(target, "one");
  symlinkSync(target, path);
  await replaceFile(path, "two");
  expect([dirname(realpathSync(path)), readFileSync(target, "utf8")]).toEqual([dirname(target), "two"]);
  expect(seen.at(-1)).toBe("two");
});

test("servers that are added and removed are on disk when that is told", async () => {
  const file = new AddedFile(path);
  await file.put("one", { command: "a" });
  await file.remove("one");
  expect(seen).toEqual([expect.stringContaining('"one"'), null]);
});
