// From page to page as a link in the page leads: nothing is loaded anew that is there already. A test that is about what
// somebody sees who comes from elsewhere uses the browser's own way, `page.goto`.

import type { Page } from "playwright-core";

/** No page has it, and there nothing is left of the page before. */
const nowhere = "/nowhere";

/** Until the view at this address is there; what it shows may still be loading. The first time it is loaded as ever. */
export async function visit(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith("http")) {
    await page.goto(path);
    await page.locator("main").waitFor();
    return;
  }
  await lead(page, nowhere);
  await page.locator('main[data-page="not-found"]').waitFor();
  await lead(page, path);
  await page.locator('main:not([data-page="not-found"])').waitFor();
}

/** Until what is shown is what is to be shown. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[role="status"][aria-label="Loading"]') === null);
}

/** The router listens to what is done to the browser's history. */
async function lead(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, "", to), path);
}
