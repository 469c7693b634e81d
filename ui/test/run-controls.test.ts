// What can be done with a run on its page: by its buttons and menus, and to the page itself.

import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
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

const node = (key: string): Locator => page.locator(`[data-testid="graph-node"][data-node-key="${key}"]`);
const nodeThatIs = (key: string, token: string): Locator => node(key).and(page.locator(`[data-status="${token}"]`));
const bar = (key: string): Locator => page.locator(`[data-testid="timeline-row"][data-step-key="${key}"]`);
const runThatIs = (status: string): Locator => page.locator(`[data-testid="run-status"][data-status="${status}"]`);
const inspectorOf = (key: string): Locator => page.locator(`[data-testid="inspector"][data-step="${key}"]`);
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

async function open(id: number, search = ""): Promise<void> {
  await visit(page, `/runs/${id}${search}`);
  await page.getByTestId("run-status").waitFor();
}

test("a run that is paused begins nothing new, and goes on when it is resumed", async () => {
  const id = await house.start(flows.held, { key: "pause" });
  await open(id);
  await nodeThatIs("first", "running").waitFor();
  await button("Pause").click();
  await runThatIs("paused").waitFor();
  house.letGo("pause");
  await nodeThatIs("first", "done").waitFor();
  expect(await node("second").getAttribute("data-status")).not.toBe("done");
  expect((await house.engine.get(id)).status).toBe("paused");
  await button("Resume").click();
  await runThatIs("completed").waitFor();
  await nodeThatIs("second", "done").waitFor();
});

test("a run is run again from the step that is selected; what comes before it is taken over", async () => {
  const id = await house.finish(flows.forked, { topic: "tides" });
  await open(id, "?step=publish");
  await inspectorOf("publish").waitFor();
  await button("Rerun").click();
  await page.getByRole("menuitem", { name: "From publish" }).click();
  await page.waitForURL((url) => /^\/runs\/\d+$/.test(url.pathname) && url.pathname !== `/runs/${id}`);
  await runThatIs("completed").waitFor();
  for (const key of ["fetch", "left", "right"]) expect(await nodeThatIs(key, "done").textContent()).toContain("reused");
  expect(await nodeThatIs("publish", "done").textContent()).not.toContain("reused");
});

test("a step that rests before its next try is tried at once by Retry now", async () => {
  const send = { tool: "mail", args: { key: "now" }, retry: { attempts: 2, backoff: ["1h"] }, done: true };
  await open(await house.start({ start: "send", steps: { send } }));
  await nodeThatIs("send", "retrying").waitFor();
  house.mend("now");
  await inspectorOf("send").getByRole("button", { name: "Retry now" }).click();
  await runThatIs("completed").waitFor();
  await bar("send").click();
  await inspectorOf("send").getByText("#2").waitFor();
  expect(await inspectorOf("send").getByText(/^#\d$/).allTextContents()).toEqual(["#1", "#2"]);
});

test("the definition of a run is compared with the one that is current", async () => {
  const flow = (text: string) => ({
    format: "stepwell/v1",
    start: "tell",
    steps: { tell: { tool: "say", args: { text }, done: true } },
  });
  await house.engine.save(flow("the old words"), { name: "compared" });
  const { id } = await house.engine.start("compared");
  await open(id, "?tab=definition");
  const definition = page.getByRole("region", { name: "Definition" });
  await definition.getByText("the old words").waitFor();
  await button("Difference to current").click();
  await definition.getByText("This is the current version.").waitFor();
  await house.engine.save(flow("the new words"), { name: "compared" });
  await open(id, "?tab=definition");
  await button("Difference to current").click();
  const difference = definition.getByRole("group", { name: "Difference between version 1 and version 2" });
  await difference.getByText("the old words").waitFor();
  expect(await difference.getByRole("row").filter({ hasText: "the new words" }).count()).toBe(1);
});

test("shift and the wheel come closer along the time; the wheel alone does not", async () => {
  await open(await house.finish(flows.chain(3)));
  await bar("step-001").waitFor();
  const box = await page.locator("[data-track]").boundingBox();
  if (box === null) throw new Error("There is no timeline.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -240);
  expect(await button("All of it").count()).toBe(0);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, -240);
  await page.keyboard.up("Shift");
  await button("All of it").waitFor();
  await button("All of it").click();
  await button("All of it").waitFor({ state: "detached" });
});

test("what is pointed at in the graph, the timeline or the history is marked in the others", async () => {
  const id = await house.finish(flows.forked, { topic: "tides" });
  const marked = page.locator('[data-hovered="true"]');
  await open(id);
  await node("left").waitFor();
  await bar("left").hover();
  await node("left").and(marked).waitFor();
  await node("right").hover();
  await bar("right").and(marked).waitFor();
  expect(await page.getByTestId("graph-node").and(marked).count()).toBe(1);
  await open(id, "?tab=history");
  const rows = page.getByTestId("history-row");
  await rows.first().waitFor();
  await node("left").hover();
  await rows.and(marked).first().waitFor();
  for (const row of await rows.and(marked).all()) expect(await row.textContent()).toContain("left");
  await rows.filter({ hasText: "right" }).first().hover();
  await node("right").and(marked).waitFor();
});

test("panels are resized by dragging and by keys, and are so again when one comes back", async () => {
  await open(await house.finish(flows.forked, { topic: "tides" }), "?step=fetch");
  const inspector = page.getByRole("separator", { name: "Width of the inspector" });
  const tabs = page.getByRole("separator", { name: "Height of the tabs" });
  const sizes = async (): Promise<readonly number[]> =>
    Promise.all([inspector, tabs].map(async (each) => Number(await each.getAttribute("aria-valuenow"))));
  await inspectorOf("fetch").waitFor();
  const [width = 0, height = 0] = await sizes();
  const box = await inspector.boundingBox();
  if (box === null) throw new Error("There is no splitter.");
  await page.mouse.move(box.x, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  await tabs.press("ArrowUp");
  await tabs.press("ArrowUp");
  await eventually(sizes).toEqual([width + 60, height + 32]);
  const wide = (await inspectorOf("fetch").boundingBox())?.width;
  await page.reload();
  await inspectorOf("fetch").waitFor();
  expect(await sizes()).toEqual([width + 60, height + 32]);
  expect((await inspectorOf("fetch").boundingBox())?.width).toBe(wide);
});

test("a run is exported as JSON, and copied as the request that runs it again", async () => {
  const id = await house.finish(flows.forked, { topic: "it's tides" });
  await open(id);
  await button("More").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as JSON" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`errand-${id}.json`);
  const told = JSON.parse(readFileSync(await file.path(), "utf8")) as { readonly id: number; readonly steps: object[] };
  expect([told.id, told.steps.length]).toEqual([id, 4]);
  await button("More").click();
  await page.getByRole("menuitem", { name: "Copy curl" }).click();
  const address = `${house.address}/api/workflow/${id}/fork`;
  const body = String.raw`{"input":{"topic":"it'\''s tides"}}`;
  await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl -X POST '${address}' -H 'content-type: application/json' -H 'x-stepwell: 1' -d '${body}'`,
  );
});
