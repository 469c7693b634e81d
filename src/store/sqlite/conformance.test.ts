import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describeStore, type TestPlace } from "../conformance.ts";
import type { Store } from "../store.ts";
import { openSqlite } from "./open.ts";

describeStore({
  name: "SQLite on a file",
  aloneBecause: null,
  create: async (): Promise<TestPlace> => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
    const path = join(folder, "stepwell.db");
    const opened: Store[] = [];
    return {
      open: async (options = {}) => {
        const store = await openSqlite(path, options);
        opened.push(store);
        return store;
      },
      query: async (sql) => {
        const database = new DatabaseSync(path, { readOnly: true });
        try {
          return database
            .prepare(sql)
            .all()
            .map((row) => ({ ...row }));
        } finally {
          database.close();
        }
      },
      remove: async () => {
        for (const store of opened) await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});

describeStore({
  name: "SQLite in memory",
  aloneBecause: "a database in memory has one connection, and ends with it",
  create: async (): Promise<TestPlace> => {
    const opened: Store[] = [];
    return {
      open: async (options = {}) => {
        const store = await openSqlite(":memory:", options);
        opened.push(store);
        return store;
      },
      query: () => Promise.reject(new Error("nobody else sees a database in memory")),
      remove: async () => {
        for (const store of opened) await store.close();
      },
    };
  },
});
