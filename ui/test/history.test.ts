import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

const flow = {
  name: "digest",
  steps: { start: { tool: "say", args: {}, next: "last" }, last: { set: {}, done: true } },
};

let house: House;
let window: Window;
let page: Page;
let run: number;

beforeAll(async () => {
  house = await openHouse({ tools: { say: () => "hello" } });
  const { engine } = house;
  await engine.workflows.save(flow);
  run = (await engine.start("digest")).id;
  await engine.result(run);
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

test("AC-66: the list tells how many steps each workflow has", async () => {
  await page.goto("/library");
  const row = page.locator('[data-testid="workflow-row"][data-workflow="digest"]');
  await row.waitFor();
  const at = (await page.getByRole("columnheader").allTextContents()).indexOf("Steps");
  expect(await row.getByRole("cell").nth(at).textContent()).toBe("2");
});

test("a graph that could not be loaded is drawn when the line is live again", async () => {
  await using other = await openWindow(house.address);
  const { page: lost, faults } = other;
  const lostPart = /\/api\/events|\/assets\/(?:flow-graph|layout)[^/]*\.js/;
  await lost.route(lostPart, (route) => route.abort());
  await lost.goto(`/runs/${run}`);
  await lost.getByText("The graph could not be drawn.").waitFor();
  await lost.unroute(lostPart);
  await eventually(() => lost.getByTestId("graph-node").count()).toBe(2);
  // The browser says of each that it could not be loaded.
  expect(faults.splice(0).filter((fault) => !/Failed to (?:load|fetch)/.test(fault))).toEqual([]);
});

test("AC-70: the history of a workflow is cleared once that was asked; what lives stays", async () => {
  const live = (await house.engine.start("digest", { at: "tomorrow at 9am" })).id;
  await page.goto("/library/digest?tab=runs");
  await eventually(() => page.getByTestId("run-row").count()).toBe(2);
  await page.getByRole("button", { name: "Clear history" }).click();
  const dialog = page.getByRole("dialog", { name: "Clear the history of digest?" });
  await dialog.getByRole("button", { name: "Keep it" }).click();
  expect(await house.engine.list({ status: "all" })).toHaveLength(2);
  await page.getByRole("button", { name: "Clear history" }).click();
  await dialog.getByRole("button", { name: "Remove ended runs" }).click();
  await page.getByTestId("toast").filter({ hasText: "1 ended run is removed." }).waitFor();
  await eventually(() => page.getByTestId("run-row").count()).toBe(1);
  expect((await house.engine.list({ status: "all" })).map((each) => each.run.id)).toEqual([live]);
  const [audited] = await house.engine.access.audit();
  expect(audited).toMatchObject({ verb: "run.prune", subject: "digest" });
});
