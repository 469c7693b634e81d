// `npm run conformance`: the official suites against our server, with all that they say.

import { startService } from "./service.ts";
import { runSuite, type Suite } from "./suite.ts";

const suites: readonly Suite[] = ["2026-07-28", "2025-11-25"];

await using service = await startService();
for (const suite of suites) {
  const { exitCode, scenarios, output } = await runSuite(suite, service.url);
  const sum = (part: "passed" | "failed"): number =>
    [...scenarios.values()].reduce((total, counts) => total + counts[part], 0);
  process.stdout.write(output);
  const verdict = exitCode === 0 ? "as expected" : "NOT as expected";
  process.stdout.write(`\n${suite}: ${sum("passed")} passed, ${sum("failed")} failed, ${verdict}\n\n`);
  if (exitCode !== 0) process.exitCode = 1;
}
