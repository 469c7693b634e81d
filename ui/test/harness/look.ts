// Looks at one place of the page as everybody has it: in both themes, by axe, for its width and its heading.

import type { Page } from "playwright-core";
import { findViolations } from "./axe.ts";

type Theme = "light" | "dark";

/** What is wrong with what is shown now, each with the name of the place. The theme that was looked at last stays. */
export async function findFaults(page: Page, place: string): Promise<readonly string[]> {
  const found: string[] = [];
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) found.push(`${place} is ${wide} pixels wider than its window`);
  const headings = await page.locator("h1:visible").count();
  if (headings !== 1) found.push(`${place} has ${headings} headings`);
  for (const theme of await bothThemes(page)) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: "attached" });
    found.push(...(await findViolations(page)).map((each) => `${place} in ${theme}: ${each}`));
  }
  return found;
}

/** The one that is there first: each place costs one turn. */
async function bothThemes(page: Page): Promise<readonly Theme[]> {
  const isDark = await page.evaluate(() => document.documentElement.dataset["theme"] === "dark");
  return isDark ? ["dark", "light"] : ["light", "dark"];
}
