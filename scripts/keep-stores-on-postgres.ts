// What vitest loads before each file of tests that runs on PostgreSQL: the stores that the tests make are on its server.

import { afterAll, afterEach } from "vitest";
import { testSchemas } from "../src/testing/postgres-schemas.ts";
import { nameTestSchema } from "../src/testing/postgres.ts";
import { keepStoresOnServer } from "../src/testing/store-place.ts";

keepStoresOnServer({ nameNew: nameTestSchema, takeEmpty: testSchemas.take, giveBack: testSchemas.giveBack });

// After whatever the tests themselves do at their end.
afterEach(testSchemas.recycle);
afterAll(testSchemas.recycleAll);
