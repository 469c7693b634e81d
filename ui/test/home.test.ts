// Home: what runs, what waits and what was, as it happens.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow, type Window } from "./harness/browser.ts";
import { openHouse, type House } from "./harness/house.ts";

const held = { start: { gate: { title: "Send the letters?" }, done: true } };

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse();
  window = await openWindow(house.address);
  page = window.page;
  await page.goto("/");
  await page.getByText("Nothing runs.").waitFor();
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

test("a run that is started is there by itself, and so is what it asks for, which leads to its answer", async () => {
  const { id } = await house.engine.start(held, { name: "letters" });
  await page.getByTestId("running-now").filter({ hasText: "letters" }).getByText("waiting for you").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Send the letters?" }).click();
  await page.getByTestId("inbox-detail").getByRole("heading", { name: "Send the letters?" }).waitFor();
  await page.getByTestId("inbox-detail").getByTestId("decide-a").click();
  expect((await house.engine.result(id)).status).toBe("completed");
  await page.getByRole("navigation").getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByText("Nothing waits for you.").waitFor();
  await page.getByText("Nothing runs.").waitFor();
});

test("the bar of an hour leads to its runs and to no others", async () => {
  await house.engine.result((await house.engine.start({ start: { done: true } }, { name: "hourly" })).id);
  await page.goto("/");
  const bars = page.getByTestId("hour");
  const newest = bars.last();
  await newest.and(page.locator('[title*="completed"]')).waitFor();
  await bars.first().click();
  await page.locator('main[data-page="runs"]').waitFor();
  const { searchParams: first } = new URL(page.url());
  expect(Number(first.get("until")) - Number(first.get("since"))).toBe(3_600_000);
  await page.getByText("No runs match").waitFor();
  await page.goBack();
  await newest.click();
  await page.getByTestId("run-row").filter({ hasText: "hourly" }).waitFor();
});
