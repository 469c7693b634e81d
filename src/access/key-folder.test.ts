import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serversPathOf } from "./key-folder.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepwell-key-folder-")));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("the file of servers that were added", () => {
  test("is one for all names of a store, also before the store is there", () => {
    mkdirSync(join(folder, "data"));
    symlinkSync(join(folder, "data"), join(folder, "linked"));
    symlinkSync("data/stepwell.db", join(folder, "short.db"));
    const names = ["data/stepwell.db", "linked/stepwell.db", "short.db", "data/../linked/stepwell.db"];
    const paths = (): readonly (string | null)[] => names.map((name) => serversPathOf(join(folder, name)));
    const expected = names.map(() => join(folder, "data", "stepwell.db-servers.json"));
    expect(paths()).toEqual(expected);
    writeFileSync(join(folder, "data", "stepwell.db"), "");
    expect(paths()).toEqual(expected);
  });

  test("is named also where its folder is not there, or links lead nowhere", () => {
    symlinkSync("round.db", join(folder, "round.db"));
    expect(serversPathOf(join(folder, "none", "deep", "stepwell.db"))).toBe(
      join(folder, "none", "deep", "stepwell.db-servers.json"),
    );
    expect(serversPathOf(join(folder, "round.db"))).toBe(join(folder, "round.db-servers.json"));
  });

  test("of a store in memory there is none", () => {
    expect(serversPathOf(":memory:")).toBeNull();
  });
});
