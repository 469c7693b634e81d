// What axe finds wrong with a page, in a form that can be read in a failed test.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** All that is told below of what is wrong; how to find it again in the document costs more than that. */
const wish = JSON.stringify({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
  selectors: false,
});

export async function findViolations(page: Page): Promise<readonly string[]> {
  // Through the debugger: the page itself lets no foreign script in.
  const session = await page.context().newCDPSession(page);
  const { result: known } = await session.send("Runtime.evaluate", { expression: "typeof axe" });
  // Once for each document: to read it takes as long as to look through a page.
  if (known.value === "undefined") await session.send("Runtime.evaluate", { expression: source });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${wish}).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  const violations = JSON.parse(String(result.value)) as readonly Violation[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 300)}\n  ${failureSummary}`),
  );
}
