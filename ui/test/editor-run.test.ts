// What is being written, and runs of it: from the editor itself and from everywhere else.

import type { Locator, Page } from "playwright-core";
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
  for (const name of ["run-new", "run-wrong", "run-above", "run-other", "run-beside", "run-behind"])
    await house.engine.workflows.save(flowOf(name));
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

async function open(name: string): Promise<void> {
  await visit(page, `/library/${name}/edit`);
  await page.getByTestId("graph-node").first().waitFor();
  await page.locator(".cm-content").waitFor();
}

async function replaceAll(text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** What each of its runs writes about. */
async function titlesRun(workflow: string): Promise<readonly (string | undefined)[]> {
  const all = await house.engine.list({ status: "all" });
  const own = all.filter(({ run }) => run.name === workflow);
  const flows = await Promise.all(own.map(({ run }) => house.engine.flow(run.id)));
  return flows.map((flow) => /"title":"(\w+)"/.exec(JSON.stringify(flow))?.[1]);
}

function startDialog(name: string): Locator {
  return page.getByRole("dialog", { name: `Run ${name}` });
}

/** By the bar above, which knows nothing of the editor. */
async function startFromAbove(name: string): Promise<Locator> {
  await page.getByRole("banner").getByRole("button", { name: "Run" }).click();
  await page.getByRole("dialog").getByRole("option", { name, exact: true }).click();
  return startDialog(name);
}

test("what is run from the editor is what stands in it, also in a field that one is still in", async () => {
  await open("run-new");
  await page.locator('[data-testid="graph-node"][data-node-key="draft"]').click();
  await page.getByTestId("form").getByLabel("Title").fill("Waves");
  await page.getByTestId("run").click();
  await startDialog("run-new").getByTestId("start").click();
  await page.locator('main[data-page="run"]').waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect((await house.engine.workflows.get("run-new")).text).toContain("title: Waves");
  expect(await titlesRun("run-new")).toEqual(["Waves"]);
});

test("what is saved while an earlier save is under way is saved behind it", async () => {
  await open("run-behind");
  const title = page.getByTestId("form").getByLabel("Title");
  const told = Promise.withResolvers<void>();
  const saving = (url: URL): boolean => url.pathname === "/api/workflow/templates";
  await page.route(saving, async (route) => {
    if (route.request().method() === "POST") await told.promise;
    await route.continue();
  });
  await page.locator('[data-testid="graph-node"][data-node-key="draft"]').click();
  await title.fill("Waves");
  const first = page.waitForRequest((request) => saving(new URL(request.url())) && request.method() === "POST");
  await page.keyboard.press("Control+s");
  await first;
  await title.fill("Harbours");
  await page.keyboard.press("Control+s");
  told.resolve();
  await page.getByText("Saved as version 3 of run-behind.").waitFor();
  expect((await house.engine.workflows.get("run-behind@2")).text).toContain("title: Waves");
  expect((await house.engine.workflows.get("run-behind")).text).toContain("title: Harbours");
  await eventually(() => page.getByTestId("draft-state").textContent()).toBe("Saved");
  await page.unroute(saving);
});

test("what cannot be saved is not run", async () => {
  await open("run-wrong");
  await replaceAll(flowOf("run-wrong").replace("next: post", "next: pots"));
  await page.getByRole("button", { name: "Save and run" }).click();
  await page.getByText("It cannot be saved yet").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await (await startFromAbove("run-wrong")).getByRole("button", { name: "Save and run" }).click();
  await startDialog("run-wrong").waitFor({ state: "detached" });
  expect(await titlesRun("run-wrong")).toEqual([]);
  await replaceAll(flowOf("run-wrong"));
});

test("what is run from elsewhere is saved first, too", async () => {
  await open("run-above");
  await replaceAll(flowOf("run-above").replace("Tides", "Harbours"));
  await (await startFromAbove("run-above")).getByRole("button", { name: "Save and run" }).click();
  await page.locator('main[data-page="run"]').waitFor();
  expect(await titlesRun("run-above")).toEqual(["Harbours"]);
});

test("another workflow is run once, whether one then leaves what is not saved or stays", async () => {
  await open("run-beside");
  await replaceAll(flowOf("run-beside").replace("Tides", "Harbours"));
  await (await startFromAbove("run-other")).getByRole("button", { name: "Run now" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay here" }).click();
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/library/run-beside/edit");
  expect(await page.locator(".cm-content").innerText()).toContain("Harbours");
  expect(await titlesRun("run-other")).toEqual(["Tides"]);
  await replaceAll(flowOf("run-beside"));
});
