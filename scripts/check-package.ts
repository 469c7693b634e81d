// Looks at the package as people get it: packed once, and read by both who know what can be wrong with one.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsOf, runScript, runSideBySide } from "./side-by-side.ts";

const folder = mkdtempSync(join(tmpdir(), "stepwell-package-"));
try {
  const { isGood, said } = await runScript(`npm pack --silent --pack-destination "${folder}"`);
  const [file] = readdirSync(folder);
  if (!isGood || file === undefined) throw new Error(`The package cannot be packed:\n${said}`);
  process.env["STEPWELL_PACKAGE"] = join(folder, file);
  const failed = await runSideBySide(commandsOf(["check:package:content", "check:package:types"]));
  if (failed.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
