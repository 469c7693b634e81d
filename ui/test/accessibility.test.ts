import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findViolations } from "./harness/axe.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { openHouse, type House } from "./harness/house.ts";
import { openWindow } from "./harness/browser.ts";
import { settle, visit } from "./harness/visit.ts";

let full: FullHouse;
let empty: House;

beforeAll(async () => {
  full = await openFullHouse();
  empty = await openHouse();
});

afterAll(async () => {
  await full[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});

const everywhere = [
  "/",
  "/runs",
  "/inbox",
  "/library",
  "/schedules",
  "/tools",
  "/system",
  "/settings",
  "/workflow",
  "/workflows",
  "/new",
  "/?start=*",
];

function inFullHouse(): readonly string[] {
  const { runs } = full;
  return [
    ...everywhere,
    `/runs/${runs.done}?step=rate`,
    `/runs/${runs.failed}`,
    `/runs/${runs.waiting}?tab=history`,
    `/runs/${runs.each}?view=table`,
    `/runs/${runs.machine}?tab=definition`,
    "/library/publishing",
    "/library/publishing/edit",
    "/settings?tab=tokens",
    "/settings?tab=audit",
    "/settings?tab=about",
    "/tools?tool=demo.echo",
    "/?start=publishing",
  ];
}

async function findAll(page: Page, paths: readonly string[], width: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await visit(page, path);
    if (path.includes("?start=")) await page.getByRole("dialog").waitFor();
    await settle(page);
    found.push(...(await findViolations(page)).map((each) => `${path} ${each}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) found.push(`${path} is ${wide} pixels wide`);
    const headings = await page.locator("h1:visible").count();
    if (headings !== 1) found.push(`${path} has ${headings} headings`);
  }
  return found;
}

describe.each([
  ["light", 1280],
  ["dark", 320],
  ["dark", 1280],
  ["light", 320],
] as const)("in %s at %i pixels axe finds nothing, and no page is wider than its window", (theme, width) => {
  test("where there is something of everything", async () => {
    await using window = await openWindow(full.address, { theme, width });
    expect(await findAll(window.page, inFullHouse(), width)).toEqual([]);
  });

  test("where there is nothing yet", async () => {
    await using window = await openWindow(empty.address, { theme, width });
    expect(await findAll(window.page, everywhere, width)).toEqual([]);
  });

  test("where nothing can be read", async () => {
    await using window = await openWindow(full.address, { theme, width });
    const problem = {
      type: "about:blank",
      title: "Not available",
      status: 503,
      code: "ENGINE_STOPPED",
      detail: "The engine has stopped.",
      hint: "Start it again.",
    };
    await window.page.route("**/api/**", (route) => route.fulfill({ status: 503, json: problem }));
    const found = await findAll(window.page, inFullHouse().slice(0, 14), width);
    // Nothing is asked any more, so that nothing is told later.
    await window.page.close();
    // The browser says of every answer that it was one of these.
    const others = window.faults.splice(0).filter((fault) => !fault.includes("503") && !fault.includes("EventSource"));
    expect([...found, ...others]).toEqual([]);
  });
});
