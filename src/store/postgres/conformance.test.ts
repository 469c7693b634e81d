import { Client, types } from "pg";
import { testSchemas } from "../../testing/postgres-schemas.ts";
import { splitSchema } from "../address.ts";
import { describeStore, type TestPlace } from "../conformance.ts";
import type { Store } from "../store.ts";
import { openPostgres } from "./open.ts";

describeStore({
  name: "PostgreSQL",
  aloneBecause: null,
  create: async (): Promise<TestPlace> => {
    const named = testSchemas.take();
    const opened: Store[] = [];
    return {
      open: async (options = {}) => {
        const store = await openPostgres(named, options);
        opened.push(store);
        return store;
      },
      query: async (sql) => {
        const { address, schema } = splitSchema(named);
        const client = new Client({
          connectionString: address,
          options: `-c search_path=${schema}`,
          types: {
            getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
          },
        });
        await client.connect();
        try {
          const { rows } = await client.query<{ readonly [column: string]: unknown }>(sql);
          return rows;
        } finally {
          await client.end();
        }
      },
      remove: async () => {
        for (const store of opened) await store.close();
        testSchemas.giveBack(named);
        await testSchemas.recycle();
      },
    };
  },
});
