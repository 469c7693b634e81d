// The browser in which the page is tested: that of STEPWELL_CHROMIUM, else one of this machine, else, for root on Debian,
// one that is installed now. `node scripts/chromium.ts` prints where it is.

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const macs = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export function findChromium(): string {
  const given = process.env["STEPWELL_CHROMIUM"];
  if (given !== undefined && given !== "") return given;
  const found = findOnMachine() ?? install();
  if (found !== undefined) return found;
  throw new Error(
    "No Chromium for the tests of the page. Install it (Debian: apt-get install chromium), or set STEPWELL_CHROMIUM to " +
      "the program of one.",
  );
}

function findOnMachine(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...macs].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Takes half a minute; only who may do so, and where it is done so. */
function install(): string | undefined {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words: readonly string[]): number | null =>
    spawnSync("apt-get", words, { stdio: "ignore", env }).status;
  const words = ["install", "-y", "--no-install-recommends", "chromium"];
  if (apt(...words) !== 0) {
    apt("update");
    apt(...words);
  }
  return findOnMachine();
}

if (import.meta.main) process.stdout.write(`${findChromium()}\n`);
