// Home: what runs, what waits and what was, as it happens.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
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
  await page.getByRole("main").getByRole("link", { name: "Send the letters?", exact: true }).click();
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

test("what sleeps is not shown as running, and the number of what needs somebody is that of the inbox", async () => {
  await house.engine.start({ start: { wait: "30m", done: true } }, { name: "nap" });
  const states = { draft: { initial: true }, published: { terminal: "success" } };
  const transitions = [{ name: "publish", from: "draft", to: "published" }];
  await house.engine.start({ format: "stepwell/v1", states, transitions }, { name: "article" });
  await house.engine.start(held, { name: "letters" });
  await page.goto("/");
  await page.getByTestId("running-now").filter({ hasText: "nap" }).getByText("sleeping").waitFor();
  await page.getByTestId("running-now").filter({ hasText: "article" }).getByText("at rest").waitFor();
  await page.getByText(/runs today, 1 needs you/).waitFor();
  await page
    .getByTestId("inbox-count")
    .and(page.getByText(/^1 waiting$/))
    .first()
    .waitFor();
  await page.getByTestId("hour").last().and(page.locator('[title*="1 sleeping, 1 at rest, 1 waiting"]')).waitFor();
  await page.goto("/runs");
  await page.getByTestId("run-row").filter({ hasText: "nap" }).getByText("sleeping", { exact: true }).first().waitFor();
  await page
    .getByTestId("run-row")
    .filter({ hasText: "article" })
    .getByText("at rest", { exact: true })
    .first()
    .waitFor();
  await page.getByTestId("view-waiting").click();
  // It was in the list before, among others.
  await eventually(() => page.getByTestId("run-row").count()).toBe(1);
  expect(await page.getByTestId("run-row").textContent()).toContain("letters");
});
