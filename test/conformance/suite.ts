// Runs one of the official suites against a service, each against its own list of failures that are expected, with the
// reason for each. What passes and is in the list fails as well: the list is never longer than it must be.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Suite = "2026-07-28" | "2025-11-25";

export type SuiteResult = {
  readonly exitCode: number | null;
  /** By the name of the scenario. */
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
  readonly output: string;
};

const root = fileURLToPath(new URL("../../", import.meta.url));

const programs: Readonly<Record<Suite, readonly string[]>> = {
  "2026-07-28": ["@modelcontextprotocol/conformance/dist/index.js", "--requirements", "2026-07-28"],
  "2025-11-25": ["conformance-legacy/dist/index.js"],
};

export async function runSuite(suite: Suite, url: string): Promise<SuiteResult> {
  const [program = "", ...rest] = programs[suite];
  const expected = `${root}test/conformance/expected-${suite}.yml`;
  const words = [`${root}node_modules/${program}`, "server", "--url", url, ...rest, "--expected-failures", expected];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  return { exitCode, scenarios: readScenarios(output), output };
}

/** `✓ tools-list: 4 passed, 0 failed` */
function readScenarios(output: string): SuiteResult["scenarios"] {
  const lines = output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gmu);
  return new Map(
    [...lines].map(([, name = "", passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]),
  );
}
