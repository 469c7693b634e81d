// What vitest runs before the first test. Threads and commands run as users have them, from what is built: their sources
// would bring WebAssembly into every thread (it strips the types), and V8 now and then aborts when such threads come and
// go: "Check failed: jit_page.has_value()". And every test has a real PostgreSQL server, that of TEST_DATABASE_URL or one
// of its own; when there is none, the tests fail and say what to install.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { createTestDatabase } from "../src/testing/postgres.ts";
import { findChromium } from "./chromium.ts";
import { ensurePage } from "./ensure-page.ts";
import { startServer } from "./postgres/server.ts";

type End = () => Promise<void>;

/** Called for each project and once for all of them. */
export async function setup(project: TestProject): Promise<End | undefined> {
  const { vitest } = project;
  const names = new Set(vitest.projects.map(({ name }) => name));
  names.delete("pure");
  if (names.size === 0 || project !== vitest.getRootProject()) return undefined;
  if (names.delete("page")) buildPage();
  const [end] = await Promise.all([names.size === 0 ? undefined : servePostgres(), build()]);
  return end;
}

/** With the browser that looks at it. */
function buildPage(): void {
  findChromium();
  if (process.env["STEPWELL_PAGE"] !== undefined) return;
  if (!ensurePage()) throw new Error("The page cannot be built.");
}

/** Wrong types are for `npm run check` to tell: what can be built is built all the same. */
async function build(): Promise<void> {
  // `npm test` has built it a moment ago, to look at the package.
  if (process.env["npm_lifecycle_event"] === "test") return;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const words = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck"];
  await once(spawn(process.execPath, words, { cwd, stdio: "ignore" }), "exit");
}

async function servePostgres(): Promise<End> {
  const server = (process.env["TEST_DATABASE_URL"] ?? "") === "" ? await startServer() : null;
  if (server !== null) {
    process.env["TEST_DATABASE_URL"] = server.url;
    offerFolder(server.folder);
  }
  const database = await createTestDatabase();
  process.env["STEPWELL_TEST_DATABASE"] = database.url;
  // Keys of stores on a server lie in a folder of the user's.
  const folder = mkdtempSync(join(tmpdir(), "stepwell-state-"));
  process.env["XDG_STATE_HOME"] = folder;
  // Most of what a command costs is loading its modules, and the tests start hundreds of them.
  process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
  return async () => {
    // With its server, it goes anyway.
    await (server === null ? database.drop() : server.stop());
    rmSync(folder, { recursive: true });
  };
}

/** Far more than all tests together have at one time. */
const roomMinBytes = 2_000_000_000;

/** Beside the server's data, and gone with it: for the files of tests to which any folder is as good as another (see
 *  keep-files-in-memory.ts). */
function offerFolder(home: string): void {
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize < roomMinBytes) return;
  const folder = join(home, "files");
  mkdirSync(folder);
  process.env["STEPWELL_TEST_DISK"] = tmpdir();
  process.env["STEPWELL_TEST_FOLDER"] = folder;
}
