// `npm run conformance`: the official suites against our server and with our client, with all that they say.

import { startService } from "./service.ts";
import { runClientSuite, runServerSuite, type SuiteResult } from "./suite.ts";

await using service = await startService();
tell("server, 2026-07-28", await runServerSuite("2026-07-28", service.url));
tell("server, 2025-11-25", await runServerSuite("2025-11-25", service.url));
tell("client, 2026-07-28", await runClientSuite("2026-07-28", "revision"));
// Most scenarios again, those of 2025-11-25 as the newer suite sees them, and what is on no list.
tell("client, all of the newer suite", await runClientSuite("2026-07-28", "all"));
tell("client, 2025-11-25", await runClientSuite("2025-11-25", "all"));

function tell(name: string, { exitCode, scenarios, output }: SuiteResult): void {
  const sum = (part: "passed" | "failed"): number =>
    [...scenarios.values()].reduce((total, counts) => total + counts[part], 0);
  process.stdout.write(output);
  const verdict = exitCode === 0 ? "as expected" : "NOT as expected";
  process.stdout.write(`\n${name}: ${sum("passed")} passed, ${sum("failed")} failed, ${verdict}\n\n`);
  if (exitCode !== 0) process.exitCode = 1;
}
