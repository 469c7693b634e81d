// What the page of a run says about it, and what of that is in sight.

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

const nodeThatIs = (key: string, token: string): Locator =>
  page.locator(`[data-testid="graph-node"][data-node-key="${key}"][data-status="${token}"]`);
const bar = (key: string): Locator => page.locator(`[data-testid="timeline-row"][data-step-key="${key}"]`);
const inspectorOf = (key: string): Locator => page.locator(`[data-testid="inspector"][data-step="${key}"]`);

async function open(id: number, search = ""): Promise<void> {
  await visit(page, `/runs/${id}${search}`);
  await page.getByTestId("run-status").waitFor();
}

test("what waits for an answer is in sight: its row in the timeline, and the answers, however long the question is", async () => {
  const message = "Read this first. ".repeat(200);
  const names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
  const steps = names.map((name, at) => [name, { set: { a: 1 }, next: names[at + 1] ?? "review" }]);
  const review = { gate: { title: "Publish it?", message }, routes: { approved: "drop", rejected: "drop" } };
  await open(
    await house.start({
      start: "one",
      steps: { ...Object.fromEntries(steps), review, drop: { terminal: "cancel" } },
    }),
  );
  const foot = page.getByTestId("gate").getByRole("button", { name: "Approve", exact: true });
  for (const seen of [bar("review"), foot]) {
    // What the run comes to is scrolled to once it is drawn.
    const endOf = async (): Promise<number> => {
      const box = await seen.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    await eventually(endOf).toBeLessThanOrEqual(800);
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("a step that has failed and is tried again shows the error of its last try, and when the next one comes", async () => {
  // Not by mail, which would be left alone for a while after so many failures.
  const slow = { tool: "rant", args: {}, retry: { attempts: 3, backoff: ["1h"] }, done: true };
  await open(await house.start({ start: "send", steps: { send: slow } }), "?step=send");
  await page.getByTestId("run-status").getByText("retrying").waitFor();
  await inspectorOf("send").getByRole("tab", { name: "Error" }).click();
  const earlier = page.getByTestId("earlier-error");
  await earlier.waitFor();
  expect(await earlier.textContent()).toMatch(/^Attempt 1 of 3; tried again in (?:1 h|59 m.*)\.$/);
  expect(await inspectorOf("send").getByRole("group", { name: "Error" }).textContent()).not.toBe("");
});

test("a run that backs off or sleeps says so, one that begins later says when, in the same words everywhere", async () => {
  const nap = { start: "nap", steps: { nap: { wait: "2h", next: "end" }, end: { set: { a: 1 }, done: true } } };
  await open(await house.start(nap));
  await page.getByTestId("run-status").getByText("sleeping").waitFor();
  const slow = { tool: "mail", args: { key: "never" }, retry: { attempts: 2, backoff: ["1h"] }, done: true };
  await open(await house.start({ start: "send", steps: { send: slow } }));
  await page.getByTestId("run-status").getByText("retrying").waitFor();
  const at = new Date(Date.now() + 40 * 3_600_000).toISOString();
  const later = await house.engine.start({ format: "stepwell/v1", ...flows.gated }, { name: "errand", input: {}, at });
  await open(later.id);
  await nodeThatIs("review", "sleeping").waitFor();
  const said = await page.getByTestId("quiet-line").textContent();
  expect(said).toMatch(/^Begins .*, in 1 d 1\d h\.$/);
  expect(await inspectorOf("review").getByTestId("sentence").textContent()).toBe(said);
  expect(await page.getByTestId("timeline-row").count()).toBe(0);
  // What set it going stands in its header.
  const trigger = page.getByTestId("trigger");
  expect(await trigger.textContent()).toMatch(/^scheduled for \w{3},? \d+ \w{3},? \d\d:\d\dby /);
  expect(await trigger.getAttribute("data-trigger")).toBe("schedule");
});

test("a step after which nothing says what follows waits for a person, wherever it is drawn", async () => {
  const flow = {
    start: "look",
    steps: {
      look: { set: { a: 1 }, branch: [{ if: "input.x == 1", then: "end" }] },
      end: { set: { a: 1 }, done: true },
    },
  };
  const id = await house.start(flow, { x: 2 });
  await open(id, "?step=nosuch");
  await nodeThatIs("look", "waiting").waitFor();
  await bar("look").and(page.locator('[data-status="waiting"]')).waitFor();
  expect(await page.getByTestId("no-step").textContent()).toBe("There is no step nosuch in this run.");
});

test("on a phone what can be done with a run stands in one menu", async () => {
  await using phone = await openWindow(house.address, { width: 320, height: 640 });
  const id = await house.start(flows.asking, { key: "phone" });
  await phone.page.goto(`/runs/${id}`);
  const buttons = phone.page.locator('main[data-page="run"] > header button');
  await phone.page.getByRole("button", { name: "Approve…" }).waitFor();
  // The id, the answer, the menu.
  expect(await buttons.count()).toBe(3);
  await phone.page.getByRole("button", { name: "Actions" }).click();
  await phone.page.getByRole("menuitem", { name: "Cancel…" }).click();
  await phone.page.getByRole("dialog", { name: `Cancel run ${id} of errand?` }).waitFor();
  house.letGo("phone");
});

test("a wide fork is drawn from the first branch to the last, with a map; F shows all of it", async () => {
  const names = Array.from({ length: 9 }, (_none, at) => `branch-${at}`);
  const branches = names.map((name) => [name, { set: { a: 1 } }]);
  const steps = {
    split: { set: { a: 1 }, parallel: names, join: "meet" },
    ...Object.fromEntries(branches),
    meet: { set: { a: 1 }, done: true },
  };
  await open(await house.finish({ start: "split", steps }));
  await page.getByRole("img", { name: "Map of the graph" }).waitFor();
  const drawn = page.locator('[data-node-key^="branch"]');
  const places = await drawn.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  await page.keyboard.press("f");
  await page.getByRole("img", { name: "Map of the graph" }).waitFor({ state: "detached" });
});

test("a failure tells what went wrong and what its end says; whoever has saved a newer version is led to it", async () => {
  const told = { set: {}, done: { kind: "failure", message: "The digest could not be made" } };
  const flow = (tool: string) => ({
    format: "stepwell/v1",
    start: "fetch",
    steps: { fetch: { tool, args: { key: "never" }, retry: false, routes: { error: "tell" }, done: true }, tell: told },
  });
  // Not by mail, which would be left alone for a while after so many failures.
  await house.engine.save(flow("rant"), { name: "mended" });
  const { id } = await house.engine.start("mended");
  await house.engine.result(id);
  await house.engine.save({ ...flow("rant"), description: "Mended" }, { name: "mended" });
  await open(id);
  const banner = page.getByTestId("failure-banner");
  expect(await banner.textContent()).toMatch(/Step fetch failed\. .+\. The digest could not be made\./);
  await banner.getByTestId("newer-version").getByRole("button", { name: "Run version 2…" }).click();
  await page.getByRole("dialog").getByText("Run mended").first().waitFor();
  await page.keyboard.press("Escape");
});

test("what a retry has taken over is marked as such, and leads to the run that did it", async () => {
  const id = await house.finish(flows.mailing, { key: "told" });
  await open(id);
  house.mend("told");
  await page.getByTestId("failure-banner").getByRole("button", { name: "Retry from here" }).click();
  await page
    .locator('[data-trigger="rerun"]')
    .getByRole("link", { name: `rerun of ${id}` })
    .waitFor();
  await nodeThatIs("send", "done").waitFor();
  expect(await nodeThatIs("write", "done").textContent()).toContain("reused");
  expect(await nodeThatIs("send", "done").textContent()).not.toContain("reused");
  await nodeThatIs("write", "done").click();
  await inspectorOf("write")
    .getByRole("link", { name: `run ${id}` })
    .waitFor();
  expect(await inspectorOf("write").getByTestId("sentence").textContent()).toContain(`Taken from run ${id}`);
});

test("a rejection does not look like a success, and the end to which it led is marked", async () => {
  const review = { gate: { title: "Send it?" }, routes: { approved: "send", rejected: "end" } };
  const id = await house.start({ start: "review", steps: { review, send: { set: { a: 1 }, done: true } } });
  await open(id);
  const gate = page.getByTestId("gate");
  await eventually(() => inspectorOf("review").locator("dt").allTextContents()).toContain("Waits for");
  await gate.getByRole("button", { name: "Reject", exact: true }).click();
  await gate.getByRole("button", { name: "Yes, reject" }).click();
  await nodeThatIs("review", "cancelled").getByText("rejected", { exact: true }).waitFor();
  await page.locator('[data-testid="path-end"][data-reached="true"][data-token="cancelled"]').waitFor();
  // Though the run itself has come to its end.
  expect((await house.engine.get(id)).status).toBe("completed");
});

test("the one list in what a step gave is a table for whoever wants one", async () => {
  const text = [
    { town: "Bremen", ships: 12 },
    { town: "Hull", ships: 7 },
  ];
  const flow = { start: "count", steps: { count: { tool: "say", args: { text }, done: true } } };
  await open(await house.finish(flow), "?step=count&part=output");
  await inspectorOf("count").getByText("Table", { exact: true }).click();
  const table = inspectorOf("count").getByRole("table");
  expect(await table.getByRole("columnheader").allTextContents()).toEqual(["#", "town", "ships"]);
  expect(await table.getByRole("row").nth(2).textContent()).toContain("Hull");
});

test("a run that does not exist is told of, with the way to those that do", async () => {
  await using other = await openWindow(house.address);
  const { page: lost } = other;
  await lost.goto("/runs/123456789");
  await lost.getByRole("heading", { name: "There is no such run" }).waitFor();
  expect(await lost.locator("main").textContent()).toContain("123456789");
  await lost.getByRole("link", { name: "See all runs" }).click();
  await lost.locator('main[data-page="runs"]').waitFor();
  // It is asked for again when the line stands: what the browser says of that is whole only once it is closed.
  await lost.close();
  expect(other.faults.splice(0).filter((fault) => !fault.includes("404"))).toEqual([]);
});
