import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

const flow = {
  name: "digest",
  steps: { start: { tool: "say", args: {}, next: "last" }, last: { set: {}, done: true } },
};

const all = {
  format: "stepwell/v1",
  start: "all",
  steps: {
    all: {
      tool: "judge",
      args: { n: "{{ item }}" },
      retry: false,
      each: { items: "{{ input.n }}" },
      done: true,
    },
  },
};

function judge({ n }: { readonly n?: unknown }): string {
  if (n === 2) throw new Error("Two is odd.");
  return "fine";
}

let house: House;
let window: Window;
let page: Page;
let run: number;

beforeAll(async () => {
  house = await openHouse({ tools: { say: () => "hello", judge } });
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
  await lost.close();
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

test("which entries, which items and what a definition is compared with stand in the address, and stay there", async () => {
  const { engine } = house;
  const { id } = await engine.start(all, { name: "judging", input: { n: [1, 2, 3] } });
  await engine.result(id);
  await page.goto(`/runs/${id}?step=all`);
  await page.getByRole("group", { name: "Which items" }).getByRole("button", { name: "Failed 1" }).click();
  await eventually(() => page.getByTestId("item").count()).toBe(1);
  await page.getByRole("tab", { name: "History" }).click();
  const entries = page.getByRole("group", { name: "Which entries" });
  await entries.getByRole("button", { name: "Failed" }).click();
  const shown = async (): Promise<ReadonlySet<string | null>> =>
    new Set(
      await page.getByTestId("history-row").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-kind"))),
    );
  await eventually(shown).toEqual(new Set(["failed"]));
  await page.reload();
  await eventually(shown).toEqual(new Set(["failed"]));
  await eventually(() => page.getByTestId("item").count()).toBe(1);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ entries: "failed", items: "failed" });
  await engine.workflows.save({ ...flow, name: "changed" });
  const changed = (await engine.start("changed")).id;
  await engine.result(changed);
  await engine.workflows.save({ ...flow, name: "changed", steps: { start: { tool: "say", args: {}, done: true } } });
  await page.goto(`/runs/${changed}?tab=definition`);
  await page.getByRole("button", { name: "Difference to current" }).click();
  await page.getByRole("region", { name: "Definition" }).getByText("version 2").first().waitFor();
  expect(new URL(page.url()).searchParams.get("compare")).toBe("current");
  await page.reload();
  await page.getByRole("region", { name: "Definition" }).getByText("version 2").first().waitFor();
});

test("with a finger, a value is copied without anything that points at its row", async () => {
  await using other = await openWindow(house.address, { isTouch: true, width: 390, height: 800 });
  const { page: phone } = other;
  const { id } = await house.engine.start(flow, { name: "touched", input: { topic: "tides" } });
  await house.engine.result(id);
  await phone.goto(`/runs/${id}?tab=values`);
  const row = phone.getByRole("treeitem").filter({ hasText: "tides" }).last();
  await row.getByRole("button", { name: "Copy this value" }).tap();
  await phone.getByTestId("toast").filter({ hasText: "Copied" }).first().waitFor();
  expect(await phone.evaluate(() => navigator.clipboard.readText())).toBe("tides");
});
