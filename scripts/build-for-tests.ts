// What vitest runs before the first test: threads and commands run as users have them, from what is built. Their sources
// would bring WebAssembly into every thread (it strips the types), and V8 now and then aborts when such threads come and
// go: "Check failed: jit_page.has_value()".

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Wrong types are for `npm run check` to tell: what can be built is built all the same. */
export function setup(): void {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { cwd });
}
