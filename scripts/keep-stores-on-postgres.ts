// What vitest loads before each file of tests that runs on PostgreSQL: the stores that the tests make are on its server.

import { nameTestSchema } from "../src/testing/postgres.ts";
import { keepStoresOnServer } from "../src/testing/store-place.ts";

keepStoresOnServer(nameTestSchema);
