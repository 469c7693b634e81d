import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flowOf, letterTools } from "./harness/letters.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ tools: letterTools });
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

async function open(name: string): Promise<void> {
  await house.engine.workflows.save(flowOf(name));
  await visit(page, `/library/${name}/edit`);
  await page.getByTestId("graph-node").first().waitFor();
  await page.locator(".cm-content").waitFor();
}

async function replaceAll(text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

function textIn(): Promise<string> {
  return page.locator(".cm-content").innerText();
}

test("what a cure takes away is named before, and comes back with the next key", async () => {
  await open("taken-away");
  await replaceAll(`${flowOf("taken-away")}  shout:\n    tool: app.send\n    done: true\n`);
  await page.getByRole("button", { name: /^Remove step shout: / }).click();
  await eventually(textIn).not.toContain("shout");
  await eventually(() => page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
  await page.keyboard.press("Control+z");
  await eventually(textIn).toContain("shout");
  expect(window.faults).toEqual([]);
  await replaceAll(flowOf("taken-away"));
});

test("a step that calls no tool cannot be tried, and that is said", async () => {
  await open("untried");
  await page.locator(".cm-line").filter({ hasText: "# Written by hand." }).click();
  await page.getByRole("button", { name: "Try step" }).click();
  const dialog = page.getByRole("dialog", { name: "Try a step" });
  await dialog.getByText("There is no tool where the cursor stands.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
  expect(window.faults).toEqual([]);
});

test("what went wrong is told no longer than its page is shown", async () => {
  await page.goto("/new");
  await page.locator(".cm-content").waitFor();
  await replaceAll("steps: {}");
  await page.keyboard.press("Control+s");
  await page.getByTestId("toast").filter({ hasText: "It has no name yet." }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave", exact: true }).click();
  await page.locator('main[data-page="home"]').waitFor();
  await eventually(() => page.getByTestId("toast").count()).toBe(0);
  expect(window.faults).toEqual([]);
});
