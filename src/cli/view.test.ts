import { resolve } from "node:path";
import { expect, test } from "vitest";
import { defaultStore } from "./global-flags.ts";
import { wholeStoreFlag } from "./view.ts";

test.each([
  { store: defaultStore, flag: "" },
  { store: resolve(defaultStore), flag: "" },
  { store: ":memory:", flag: "" },
  { store: "postgres://ann:secret@db/own", flag: "" },
  { store: "/data/own.db", flag: "--store /data/own.db" },
  { store: "/data/my own.db", flag: "--store '/data/my own.db'" },
  { store: "own.db", flag: `--store ${resolve("own.db")}` },
])("commands that are copied from the page of $store say about it: $flag", ({ store, flag }) => {
  expect(wholeStoreFlag(store)).toBe(flag);
});
