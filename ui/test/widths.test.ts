// Between a phone and a wall: what somebody came for is in sight at every width.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { openHouse, type House } from "./harness/house.ts";
import { visit } from "./harness/visit.ts";

/** No place in it to begin another line at. */
const storeFlag = "--store /srv/automation/of-the-whole-department/stepwell-production.db";

let house: FullHouse;
/** Whose commands are long. */
let far: House;

beforeAll(async () => {
  house = await openFullHouse();
  far = await openHouse({ hasDemos: true, app: { program: "npm start --", storeFlag } });
});

afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await far[Symbol.asyncDispose]();
});

type Box = { readonly left: number; readonly right: number; readonly width: number; readonly height: number };

async function boxOf(place: Locator): Promise<Box> {
  const found = await place.boundingBox();
  if (found === null) throw new Error("It is not drawn.");
  return { left: found.x, right: found.x + found.width, width: found.width, height: found.height };
}

describe.each([320, 768, 900, 1024, 1150, 1280])("at %i pixels", (width) => {
  let window: Window;

  beforeAll(async () => {
    window = await openWindow(house.address, { width });
  });

  afterAll(async () => {
    await window[Symbol.asyncDispose]();
  });

  test("the names of runs can be read, and their durations are in sight", async () => {
    const { page } = window;
    await visit(page, "/runs");
    const row = page.locator(`[data-run-id="${house.runs.waiting}"]`);
    const name = row.getByRole("link", { name: "publishing" });
    await name.waitFor();
    expect(await name.evaluate((link) => (link.parentElement ?? link).clientWidth)).toBeGreaterThanOrEqual(140);
    expect((await boxOf(name)).right).toBeLessThanOrEqual(width);
    expect((await boxOf(row)).right).toBeLessThanOrEqual(width);
    const list = page.getByTestId("run-list");
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("a workflow of the library can be run and switched off without scrolling sideways", async () => {
    const { page } = window;
    await visit(page, "/library");
    const row = page.locator('[data-workflow="publishing"]');
    for (const place of [
      row.getByRole("link", { name: "publishing", exact: true }),
      row.getByRole("button", { name: "Run publishing" }),
      row.getByRole("button", { name: "More about publishing" }),
      row.getByRole("switch"),
    ]) {
      await place.waitFor();
      expect((await boxOf(place)).right).toBeLessThanOrEqual(width);
    }
    expect((await boxOf(row.getByRole("link", { name: "publishing", exact: true }))).width).toBeGreaterThan(60);
  });

  test("what an answer in the inbox leads to can be read beside it, and there is a way back to the list", async () => {
    const { page } = window;
    await visit(page, "/inbox");
    await page.getByRole("link", { name: "Publish harbours?" }).click();
    const leadsTo = page.getByTestId("inbox-detail").getByText("Approving runs publish", { exact: false });
    await leadsTo.waitFor();
    expect((await boxOf(leadsTo)).width).toBeGreaterThanOrEqual(140);
    expect((await boxOf(page.getByTestId("inbox-detail"))).width).toBeGreaterThanOrEqual(280);
    const isBeside = await page.getByRole("region", { name: "List of what waits" }).isVisible();
    expect(await page.getByRole("link", { name: "All that waits" }).isVisible()).toBe(!isBeside);
  });

  test("nothing of Home lies beyond its edge, however long a command to copy is", async () => {
    await using elsewhere = await openWindow(far.address, { width });
    const { page } = elsewhere;
    await page.goto("/");
    await page.getByTestId("welcome-plug").getByText(storeFlag).waitFor();
    const scroll = page.getByTestId("scroll");
    expect(await scroll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("a line of a workflow's text has room for some words", async () => {
    const { page } = window;
    await visit(page, "/library/publishing/edit");
    const text = page.locator(".cm-editor");
    await text.waitFor();
    expect((await boxOf(text)).width).toBeGreaterThanOrEqual(300);
  });

  test("all hours of the last day are on Home, down to the one that has just begun", async () => {
    const { page } = window;
    await visit(page, "/");
    const bars = page.getByTestId("hour-bar");
    await bars.last().waitFor();
    expect(await bars.count()).toBe(24);
    const [first, last] = [await boxOf(bars.first()), await boxOf(bars.last())];
    expect(first.left).toBeGreaterThanOrEqual(0);
    expect(last.right).toBeLessThanOrEqual(width);
    expect(last.width).toBeGreaterThanOrEqual(8);
    expect((await boxOf(page.getByTestId("hour").last())).width).toBeGreaterThanOrEqual(24);
  });
});

test.each([
  { path: "/tools", row: "tool-row" },
  { path: "/schedules", row: "schedule-row" },
  { path: "/settings?tab=tokens", row: "token-row" },
  { path: "/settings?tab=audit", row: "audit-row" },
  { path: "/settings?tab=about", row: "route-row" },
  { path: "/library/asking?tab=versions", row: "version-row" },
  { path: "/library/asking?tab=runs", row: "run-row" },
  { path: "/workflow", row: "step-row" },
])("on a phone all of a row of $path can be read without scrolling sideways", async ({ path, row }) => {
  await using window = await openWindow(house.address, { width: 320 });
  const { page } = window;
  if (row === "token-row") await makeToken(page);
  await page.goto(path);
  await page.getByTestId(row).first().waitFor();
  const rows = await page.getByTestId(row).all();
  for (const each of rows) expect((await boxOf(each)).right).toBeLessThanOrEqual(320);
  const hidden = await page
    .getByTestId(row)
    .first()
    .evaluate((one) => {
      const around = one.closest('[role="group"], [role="region"]');
      return around === null ? 0 : around.scrollWidth - around.clientWidth;
    });
  expect(hidden).toBe(0);
});

async function makeToken(page: Page): Promise<void> {
  const made = await page.request.post("/api/tokens", {
    data: { user: "ann", name: "for the job that runs every night", scopes: ["read", "run", "approve", "save"] },
  });
  expect(made.ok()).toBe(true);
}

test.each(["/settings?tab=about", "/library/publishing?tab=settings"])(
  "on a phone the chosen tab of %s is in sight",
  async (path) => {
    await using window = await openWindow(house.address, { width: 320 });
    const { page } = window;
    await page.goto(path);
    const tab = page.getByRole("tab", { selected: true });
    await tab.waitFor();
    const around = await boxOf(page.getByRole("tablist"));
    expect(around.right).toBeLessThanOrEqual(320);
    await eventually(async () => (await boxOf(tab)).right).toBeLessThanOrEqual(around.right);
    expect((await boxOf(tab)).left).toBeGreaterThanOrEqual(around.left);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  },
);

test("where there is no room for the key of the search, it is not shown in two lines", async () => {
  await using window = await openWindow(house.address, { width: 768 });
  const { page } = window;
  const { id } = await house.engine.start({ start: { done: true } }, { name: "publish-the-digest-of-the-week" });
  await page.goto(`/runs/${id}`);
  await page.getByTestId("breadcrumb").getByText(String(id)).waitFor();
  const search = page.getByRole("button", { name: /^Search/ });
  await search.waitFor();
  const lines = await search
    .locator("kbd, span")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height));
  expect(Math.max(...lines)).toBeLessThan(30);
});
