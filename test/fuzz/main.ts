// `npm run fuzz -- --documents 100000 --expressions 1000000`: the long run. What breaks comes with the seed that shows it
// again alone.

import { parseArguments, usage, type FuzzArguments } from "./arguments.ts";
import { fuzzDocuments, type FuzzDocumentsReport } from "./documents.ts";
import { validate } from "../../src/flow/validate/validate.ts";
import { fuzzExpressions, type FuzzExpressionsReport } from "./expressions.ts";
import { hostileTexts, type HostileText } from "./hostile-texts.ts";
import { fuzzRest, type FuzzRestReport } from "./rest.ts";

const parsed = parseArguments(process.argv.slice(2), Date.now() % 1_000_000_000);
if (parsed.ok) process.exitCode = (await run(parsed.value)) === 0 ? 0 : 1;
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

/** How many violations there are. */
async function run({ documents, expressions, rest, seed }: FuzzArguments): Promise<number> {
  console.log(`seed ${seed}`);
  if (rest > 0) return showRest(await fuzzRest({ count: rest, seed, onProgress: progressOf("requests", rest) }));
  const started = performance.now();
  const report = fuzzDocuments({ count: documents, seed, onProgress: progressOf("documents", documents) });
  const between = performance.now();
  const onProgress = progressOf("expressions", expressions);
  const other = fuzzExpressions({ count: expressions, seed, onProgress });
  showDocuments(report, between - started);
  showExpressions(other, performance.now() - between);
  return report.violations.length + other.violations.length + showHostileTexts();
}

function showRest({ requests, routes, statuses, violations }: FuzzRestReport): number {
  console.log(`\n${line("requests", "made", "routes", "violations")}`);
  console.log(line("  all", requests, routes, violations.length));
  for (const [status, count] of [...statuses].toSorted(([one], [other]) => one - other))
    console.log(line(`  ${status}`, count));
  for (const violation of violations.slice(0, 20)) console.error(`\nbroken: ${violation}`);
  return violations.length;
}

/** One line that is written over and over, where there is a person to see it. */
function progressOf(what: string, count: number): (done: number) => void {
  const every = Math.max(1, Math.floor(count / 200));
  return (done) => {
    if (!process.stderr.isTTY || (done % every !== 0 && done !== count)) return;
    process.stderr.write(`\r${what}: ${done} of ${count}${done === count ? "\n" : ""}`);
  };
}

function line(...cells: readonly (string | number)[]): string {
  const [name = "", ...others] = cells;
  return String(name).padEnd(28) + others.map((cell) => cell.toLocaleString("en").padStart(14)).join("");
}

function showDocuments({ documents, accepted, refused, kinds, violations }: FuzzDocumentsReport, ms: number): void {
  console.log(`\n${line("documents", "made", "accepted", "refused", "seconds")}`);
  for (const [kind, tally] of kinds) {
    console.log(line(`  ${kind}`, tally.made, tally.accepted, tally.made - tally.accepted));
  }
  console.log(line("  all", documents, accepted, refused, Math.round(ms / 100) / 10));
  for (const { seed, check, message } of violations) {
    console.error(`\nbroken: ${check}\n  ${message}\n  npm run fuzz -- --documents 1 --expressions 0 --seed ${seed}`);
  }
}

function showExpressions(report: FuzzExpressionsReport, ms: number): void {
  const { tried, parsed: understood, evaluated, refused, violations } = report;
  console.log(`\n${line("expressions", "tried", "parsed", "evaluated", "seconds")}`);
  console.log(line("  all", tried, understood, evaluated, Math.round(ms / 100) / 10));
  for (const [code, count] of Object.entries(refused)) console.log(line(`  ${code}`, count));
  for (const violation of violations) console.error(`\nbroken: ${violation}`);
}

/** How many of the hostile texts were not refused by the limit they try. */
function showHostileTexts(): number {
  const started = performance.now();
  const texts = hostileTexts();
  const broken = texts.flatMap((text) => problemWith(text) ?? []);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(`\n${line("hostile texts", "tried", "as expected", "seconds")}`);
  console.log(line("  all", texts.length, texts.length - broken.length, seconds));
  for (const problem of broken) console.error(`\nbroken: ${problem}`);
  return broken.length;
}

function problemWith({ name, text, expected }: HostileText): string | undefined {
  try {
    const codes = validate(text).findings.map(({ code }) => code);
    if (expected === undefined || codes.includes(expected)) return undefined;
    return `${name}: ${expected} expected, ${codes.join(", ") || "nothing"} told`;
  } catch (error) {
    return `${name}: it threw ${String(error)}`;
  }
}
