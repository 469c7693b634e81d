// The documentation as it comes with the page.

import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

let house: House;

beforeAll(async () => {
  house = await openHouse();
});

afterAll(async () => {
  await house[Symbol.asyncDispose]();
});

const names = readdirSync(new URL("../../docs/", import.meta.url))
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.replace(/\.md$/, ""));

test("Settings leads to the documentation, its pages to each other, and an empty list to the one about it", async () => {
  await using window = await openWindow(house.address);
  const { page } = window;
  await page.goto("/settings?tab=about");
  await page.getByRole("link", { name: "Documentation" }).click();
  const list = page.getByRole("list", { name: "Pages of the documentation" });
  await eventually(() => list.getByRole("link").count()).toBe(names.length);
  await list.getByRole("link", { name: "REST" }).click();
  await page.getByRole("article").getByRole("link", { name: "errors.md" }).first().click();
  await page.getByRole("heading", { level: 1, name: "What the validator says" }).waitFor();
  await page.goto("/schedules");
  await page.getByTestId("empty").getByRole("link", { name: "How times are written" }).click();
  await page.locator('main[data-page="docs"]').waitFor();
  expect(new URL(page.url()).pathname).toBe("/docs/time");
});

test("the type of a problem leads to what it means", async () => {
  const { type } = (await (await fetch(`${house.address}/api/workflow/7`)).json()) as { readonly type: string };
  await using window = await openWindow(house.address);
  const { page } = window;
  await page.goto(type);
  const row = page.getByRole("row").filter({ hasText: "RUN_NOT_FOUND" }).first();
  await row.waitFor();
  await expect.poll(() => row.evaluate((found) => found.getBoundingClientRect().top)).toBeLessThan(800);
});

test("every page is drawn, and none is wider than a phone", async () => {
  await using window = await openWindow(house.address, { width: 320, height: 640 });
  const { page } = window;
  const wide: string[] = [];
  for (const name of names) {
    await visit(page, `/docs/${name}`);
    await page.getByRole("article").locator("p, pre, table").first().waitFor();
    if ((await page.evaluate(() => document.documentElement.scrollWidth)) > 320) wide.push(name);
  }
  expect(wide).toEqual([]);
});

test("a page that is not there says so; as text they are there for programs", async () => {
  await using window = await openWindow(house.address);
  const { page } = window;
  await page.goto("/docs/nothing");
  await page.getByTestId("failed").getByText("There is no such page of the documentation.").waitFor();
  await page.getByRole("link", { name: "All pages of the documentation" }).click();
  await page.getByRole("list", { name: "Pages of the documentation" }).waitFor();
  // It may be asked for again: what the browser says of that is whole only once it is closed.
  await page.close();
  window.faults.splice(0);
  const answer = await fetch(`${house.address}/docs/rest.md`);
  expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(await answer.text()).toMatch(/^# /);
});
