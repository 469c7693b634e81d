// The values of a run's steps: in which looks they are shown, and where they came from.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow, type Window } from "./harness/browser.ts";
import * as flows from "./harness/run-house.ts";
import { visit } from "./harness/visit.ts";

let house: flows.RunHouse;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await flows.openRunHouse();
  window = await openWindow(house.address);
  ({ page } = window);
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

const inspectorOf = (key: string): Locator => page.locator(`[data-testid="inspector"][data-step="${key}"]`);

async function open(id: number, search = ""): Promise<void> {
  await visit(page, `/runs/${id}${search}`);
  await page.getByTestId("run-status").waitFor();
}

test("the input of a step is shown as it was resolved and as the flow has it, and says where each value came from", async () => {
  const id = await house.finish(flows.forked, { topic: "tides" });
  await open(id, "?step=publish&part=input");
  const publish = inspectorOf("publish");
  await publish.getByRole("tree", { name: "Input", exact: true }).getByText("tides").waitFor();
  await publish.getByRole("button", { name: "Template" }).click();
  await publish
    .getByRole("tree", { name: "Template of the input" })
    .getByText("{{ steps.fetch.result.text }}")
    .waitFor();
  expect(await publish.getByRole("tree", { name: "Input", exact: true }).count()).toBe(0);
  const sources = publish.getByRole("region", { name: "Where each value came from" });
  expect(await sources.locator("dt").allTextContents()).toEqual(["text"]);
  expect(await sources.locator("code").allTextContents()).toEqual(["steps.fetch.result.text"]);
  await sources.getByRole("link", { name: "output of fetch" }).click();
  await inspectorOf("fetch").getByRole("tree", { name: "Output" }).getByText("tides").waitFor();
  expect(new URL(page.url()).search).toBe("?step=fetch&part=output");
  await inspectorOf("fetch").getByRole("tab", { name: "Input" }).click();
  await inspectorOf("fetch").getByRole("link", { name: "the run's input" }).click();
  await page.getByRole("tree", { name: "Input of the run" }).getByText("tides").waitFor();
  await inspectorOf("fetch").waitFor();
});
