// What the runner loads before each test file of the parts: their stores are files, whatever ran in this worker before.

import { keepStoresInFiles } from "../src/testing/store-place.ts";

keepStoresInFiles();
