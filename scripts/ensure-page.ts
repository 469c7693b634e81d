// Before `npm start`: builds the page if there is none, or if what it is made of has changed since. Only looks, when it is
// up to date. A page that cannot be built keeps nobody from the rest, which says so itself.

import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Whether the page in `built` is older than something of what it is made of, or is not there. */
export function isDue(source: string, built: string): boolean {
  const builtAt = statSync(join(built, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return newestIn(source) > builtAt;
}

/** 0: there is nothing. */
function newestIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  const times = entries
    .filter(({ name }) => name !== "node_modules" && name !== "test" && !name.startsWith("."))
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs;
    });
  return times.reduce((newest, time) => Math.max(newest, time), 0);
}

/** Whether it could be. */
function build(): boolean {
  process.stderr.write("The page is built, which takes a moment and is done once ...\n");
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "build:ui"], {
    cwd: root,
    // Tests set another one, and the page would be made of libraries that check themselves while they run.
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status === 0) return true;
  process.stderr.write(`${stdout}${stderr}The page could not be built; everything else works: npm run build:ui\n`);
  return false;
}

/** Whether there is one now. */
export function ensurePage(): boolean {
  // The documentation goes along with the page.
  return !["ui", "docs"].some((source) => isDue(join(root, source), join(root, "dist/ui"))) || build();
}

if (import.meta.main) ensurePage();
