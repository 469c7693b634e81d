// Before a build: takes away what an earlier one has left, but for the page, which is built by itself.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../dist", import.meta.url));
const entries = ((): readonly string[] => {
  try {
    return readdirSync(built);
  } catch {
    // Nothing was built yet.
    return [];
  }
})();
for (const entry of entries) if (entry !== "ui") rmSync(join(built, entry), { recursive: true });
