import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ tools: { say: () => "hello" } });
  for (const name of ["on", "off"])
    await house.engine.workflows.save({ name, steps: { start: { tool: "say", done: true } } });
  await house.engine.workflows.disable("off");
  await house.engine.result((await house.engine.start("on")).id);
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

function backgroundOf(selector: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
}

test("under forced colours what is chosen, what is switched on and what is drawn as a bar is seen", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/library");
  await page.getByTestId("workflow-row").first().waitFor();
  const canvas = await backgroundOf("body");
  const chosen = await backgroundOf('[role="tab"][aria-selected="true"]');
  expect(chosen).not.toBe(await backgroundOf('[role="tab"][aria-selected="false"]'));
  await eventually(() => backgroundOf('nav [aria-current="page"]:not(.brand)')).toBe(chosen);
  expect(await backgroundOf('[role="switch"][aria-checked="true"]')).toBe(chosen);
  const thumbs = ["true", "false"].map((isOn) => backgroundOf(`[role="switch"][aria-checked="${isOn}"] > *`));
  for (const thumb of await Promise.all(thumbs)) expect(["rgba(0, 0, 0, 0)", chosen]).not.toContain(thumb);
  await page.locator('[data-workflow="on"] .status-solid').first().waitFor();
  expect(await backgroundOf('[data-workflow="on"] .status-solid')).not.toBe(canvas);
});

test("with more contrast lines are as strong as those of fields", async () => {
  const borderOf = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--border"));
  await page.emulateMedia({ forcedColors: "none", contrast: "no-preference" });
  const usual = await borderOf();
  await page.emulateMedia({ contrast: "more" });
  const strong = await borderOf();
  expect(strong).not.toBe(usual);
  expect(strong).toBe(
    await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--border-strong")),
  );
});
