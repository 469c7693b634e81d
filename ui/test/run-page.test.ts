import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findViolations } from "./harness/axe.ts";
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
const button = (name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });

async function open(id: number, search = ""): Promise<void> {
  await visit(page, `/runs/${id}${search}`);
  await page.getByTestId("run-status").waitFor();
}

/** How the page says that each step is. */
async function statuses(): Promise<readonly string[]> {
  await page.getByTestId("graph-node").first().waitFor();
  return page
    .getByTestId("graph-node")
    .evaluateAll((nodes) => nodes.map(({ dataset }) => `${dataset["nodeKey"]}: ${dataset["status"]}`));
}

/** The run to which the page has gone. */
async function nextRun(before: number): Promise<number> {
  await page.waitForURL((url) => /^\/runs\/\d+$/.test(url.pathname) && url.pathname !== `/runs/${before}`);
  return Number(new URL(page.url()).pathname.split("/").at(-1));
}

describe("the page of a run", () => {
  test("goes from pending to running to done by itself, says so, and shows the same when it is loaded anew", async () => {
    const id = await house.start(flows.held, { key: "live" });
    await open(id);
    await nodeThatIs("first", "running").waitFor();
    expect(await statuses()).toEqual(["first: running", "second: pending"]);
    await page.reload();
    await nodeThatIs("first", "running").waitFor();
    expect(await statuses()).toEqual(["first: running", "second: pending"]);
    // A page that was loaded anew would not have it.
    await page.locator("html").evaluate((html) => html.setAttribute("data-stayed", ""));
    // What it says in between, however shortly.
    await node("second").evaluate((second) => {
      const watcher = new MutationObserver(() => {
        second.setAttribute("data-told", `${second.getAttribute("data-told") ?? ""} ${second.dataset["status"]}`);
      });
      watcher.observe(second, { attributeFilter: ["data-status"] });
    });
    house.letGo("live");
    await runThatIs("completed").waitFor();
    await nodeThatIs("second", "done").waitFor();
    expect(await node("second").getAttribute("data-told")).toMatch(/^( ready| running)* done$/);
    await page.getByTestId("announcement").getByText("Run of errand is completed").waitFor({ state: "attached" });
    expect(await page.locator("html[data-stayed]").count()).toBe(1);
    expect(await page.title()).toContain("completed");
    await page.reload();
    await runThatIs("completed").waitFor();
    await eventually(statuses).toEqual(["first: done", "second: done"]);
  });

  test("a node, its bar in the timeline and the address select the same step", async () => {
    const id = await house.finish(flows.forked, { topic: "tides" });
    await open(id);
    const check = async (key: string): Promise<void> => {
      await inspectorOf(key).waitFor();
      await bar(key).and(page.locator('[aria-pressed="true"]')).waitFor();
      await node(key).and(page.locator('[aria-pressed="true"]')).waitFor();
      expect(await page.locator('[data-testid="graph-node"][aria-pressed="true"]').count()).toBe(1);
      expect(new URL(page.url()).searchParams.get("step")).toBe(key);
    };
    await node("left").click();
    await check("left");
    await bar("right").click();
    await check("right");
    await open(id, "?step=publish");
    await check("publish");
    // Along the arrows, without a pointer.
    await node("publish").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await check("fetch");
  });

  test("V shows the steps as a table, in which they can be selected, and back", async () => {
    await open(await house.finish(flows.forked, { topic: "tides" }));
    await node("left").waitFor();
    await page.keyboard.press("v");
    const rows = page.getByTestId("step-table").locator("tbody tr");
    await rows.first().waitFor();
    expect(
      await rows.evaluateAll((all) => all.map(({ dataset }) => `${dataset["stepKey"]}: ${dataset["status"]}`)),
    ).toEqual(["fetch: done", "left: done", "right: done", "publish: done"]);
    expect(new URL(page.url()).searchParams.get("view")).toBe("table");
    await page.getByTestId("step-table").getByRole("button", { name: "right" }).click();
    await inspectorOf("right").waitFor();
    await page.keyboard.press("v");
    await node("right").and(page.locator('[aria-pressed="true"]')).waitFor();
    expect(await page.getByTestId("step-table").count()).toBe(0);
  });

  test("a run that failed opens on the step that did, says why, and goes on from there in a new run", async () => {
    const id = await house.finish(flows.mailing, { key: "mail" });
    await open(id);
    await inspectorOf("send").waitFor();
    const banner = page.getByTestId("failure-banner");
    expect(await banner.textContent()).toContain("Step send failed. The post office answered 503.");
    house.mend("mail");
    await banner.getByRole("button", { name: "Retry from here" }).click();
    const next = await nextRun(id);
    await runThatIs("completed").waitFor();
    // A step that began since the page has read the run is known only when it is read again.
    await eventually(statuses).toEqual(["write: done", "send: done", "note: done"]);
    await page.getByRole("link", { name: `rerun of ${id}` }).waitFor();
    expect((await house.engine.get(next))?.status).toBe("completed");
  });

  test("a failure that is told of at length leaves room for the rest of the page", async () => {
    const flow = { start: "send", steps: { send: { tool: "rant", args: {}, retry: { attempts: 1 }, done: true } } };
    await open(await house.finish(flow));
    await node("send").waitFor();
    const banner = await page.getByTestId("failure-banner").boundingBox();
    expect(banner?.height).toBeLessThan(160);
    // All of it can be read.
    await inspectorOf("send").getByRole("group", { name: "Error" }).getByText("the end of it").waitFor();
  });

  test("a failure is announced at once", async () => {
    const flow = {
      start: "wait",
      steps: {
        wait: { tool: "hold", args: { key: "bad" }, next: "send" },
        send: { tool: "mail", args: { key: "never" }, retry: { attempts: 1 }, done: true },
      },
    };
    await open(await house.start(flow));
    await nodeThatIs("wait", "running").waitFor();
    house.letGo("bad");
    await page.getByRole("alert").getByText("Run of errand is failed").waitFor({ state: "attached" });
    expect(await page.getByTestId("announcement").textContent()).toBe("");
  });

  test("to cancel is asked for first; then all that was open reads cancelled", async () => {
    const id = await house.start(flows.asking, { key: "cancel" });
    await open(id);
    await nodeThatIs("work", "running").waitFor();
    await nodeThatIs("review", "waiting").waitFor();
    await button("Cancel").click();
    const dialog = page.getByRole("dialog", { name: `Cancel run ${id} of errand?` });
    await dialog.getByText("Stops at once").waitFor();
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await house.engine.get(id))?.status).toBe("running");
    await button("Cancel").click();
    await dialog.getByLabel("Reason").fill("Not needed any more");
    await dialog.getByRole("button", { name: "Cancel run" }).click();
    await runThatIs("cancelled").waitFor();
    await nodeThatIs("work", "cancelled").waitFor();
    await nodeThatIs("review", "cancelled").waitFor();
    await page.getByTestId("quiet-line").getByText("Not needed any more").waitFor();
    await eventually(() =>
      page.getByTestId("timeline-row").evaluateAll((all) => all.map(({ dataset }) => dataset["status"])),
    ).toEqual(["done", "cancelled", "cancelled"]);
  });

  test("a reason is typed as soon as the dialog opens; Enter cancels, and the focus is on the title", async () => {
    const id = await house.start(flows.asking, { key: "typed" });
    await open(id);
    await nodeThatIs("work", "running").waitFor();
    let letThrough = (): void => undefined;
    const hold = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route("**/preview", async (route) => {
      await hold;
      await route.continue();
    });
    await button("Cancel").press("Enter");
    const dialog = page.getByRole("dialog", { name: `Cancel run ${id} of errand?` });
    await dialog.waitFor();
    await page.keyboard.type("v e too late");
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("v e too late");
    letThrough();
    await dialog.getByText("Stops at once").waitFor();
    await page.unroute("**/preview");
    await page.keyboard.press("Enter");
    await runThatIs("cancelled").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.locator("h1:focus").waitFor();
    await page.getByTestId("quiet-line").getByText("v e too late").waitFor();
    await node("publish").locator('[data-testid="end-mark"]:not([data-token])').waitFor();
  });

  test("another input is asked for by the form of the workflow, which says what is wrong where it is", async () => {
    const input = { type: "object", properties: { topic: { type: "string", minLength: 3 } }, required: ["topic"] };
    const id = await house.finish({ ...flows.forked, input }, { topic: "tides" });
    await open(id);
    await node("publish").locator('[data-testid="end-mark"][data-token="done"]').waitFor();
    await button("Rerun").click();
    await page.getByRole("menuitem", { name: "Edited input…" }).click();
    const field = page.getByRole("dialog").getByLabel(/^topic/i);
    await field.fill("ti");
    await field.press("Control+Enter");
    await page.getByRole("dialog").locator('[aria-invalid="true"]:focus').waitFor();
    await field.fill("harbours");
    await field.press("Control+Enter");
    const other = await nextRun(id);
    expect((await house.engine.result(other)).output).toEqual({ text: "harbours" });
    await page.locator("h1:focus").waitFor();
    // What the browser says of the refusal.
    expect(window.faults.splice(0).filter((fault) => !fault.includes("422"))).toEqual([]);
  });

  test("it is run again with the same input, and with another one", async () => {
    const id = await house.finish(flows.forked, { topic: "tides" });
    await open(id);
    await button("Rerun").click();
    await page.getByRole("menuitem", { name: "Same input" }).click();
    const again = await nextRun(id);
    await runThatIs("completed").waitFor();
    await page.locator("h1:focus").waitFor();
    expect((await house.engine.result(again)).output).toEqual({ text: "tides" });
    await button("Rerun").click();
    await page.getByRole("menuitem", { name: "Edited input…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run errand with another input" });
    const field = dialog.getByLabel("Input", { exact: true });
    await field.fill('{ "topic": ');
    expect(await dialog.getByRole("button", { name: "Run it" }).isDisabled()).toBe(true);
    await field.fill('{ "topic": "harbours" }');
    await dialog.getByRole("button", { name: "Run it" }).click();
    const other = await nextRun(again);
    await runThatIs("completed").waitFor();
    expect((await house.engine.result(other)).output).toEqual({ text: "harbours" });
    await page.getByRole("link", { name: `fork of ${again}` }).waitFor();
  });

  test("a gate is approved on the page, and the run moves on", async () => {
    const id = await house.start(flows.gated);
    await open(id);
    await inspectorOf("review").waitFor();
    const gate = page.getByTestId("gate");
    await gate.getByText("Publish the letter?").waitFor();
    await gate.getByLabel("Comment").fill("Well written");
    await gate.getByRole("button", { name: "Approve", exact: true }).click();
    await gate.getByRole("button", { name: "Yes, approve" }).click();
    await runThatIs("completed").waitFor();
    await nodeThatIs("publish", "done").waitFor();
    await nodeThatIs("drop", "skipped").waitFor();
    await bar("review").click();
    await inspectorOf("review").getByText("Well written").waitFor();
    expect((await house.engine.result(id)).output).toEqual({ text: "published" });
  });

  test("a thousand items are one step with counts, and looked at a page at a time", async () => {
    const items = Array.from({ length: 1000 }, (_, at) => at);
    await open(await house.finish(flows.rating, { items }), "?step=rate");
    expect(await node("rate").textContent()).toContain("1,000 items: 1,000 done");
    expect(await page.getByTestId("graph-node").count()).toBe(1);
    expect(await page.getByTestId("timeline-row").count()).toBe(1);
    await page.getByTestId("item").first().waitFor();
    const first = await page.getByTestId("item").count();
    expect(first).toBeLessThan(1000);
    await button("Show more items").click();
    await page.getByTestId("item").nth(first).waitFor();
    await page.getByTestId("item").nth(7).getByRole("button").click();
    await page.getByRole("tree", { name: "Output of item 8" }).getByText("7").waitFor();
  });

  test("a machine's transitions are fired, with a reason where one is needed", async () => {
    const id = await house.start(flows.article);
    await open(id);
    const machine = page.getByTestId("machine");
    await machine.getByText("State: draft").waitFor();
    await machine.getByRole("button", { name: /^submit/ }).click();
    await machine.getByText("State: review").waitFor();
    await machine.getByRole("button", { name: /^refuse/ }).click();
    const dialog = page.getByRole("dialog", { name: "Fire refuse?" });
    expect(await dialog.getByRole("button", { name: "Fire refuse" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Too long");
    await dialog.getByRole("button", { name: "Fire refuse" }).click();
    await machine.getByText("State: draft").waitFor();
    // In the graph too.
    await page.locator('[data-fire="submit"]').click();
    await machine.getByText("State: review").waitFor();
    await machine.getByRole("button", { name: /^accept/ }).click();
    await runThatIs("completed").waitFor();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByTestId("history").getByText("Too long").waitFor();
  });

  test("what tools log stands in the logs, also while they are at work", async () => {
    const id = await house.start(flows.telling);
    await open(id, "?tab=logs");
    await page.getByText("Nothing was logged.").waitFor();
    house.letGo("tell");
    await page.getByTestId("logs").getByText("The first of the lines").waitFor();
    expect(await page.getByTestId("logs").getByRole("listitem").textContent()).toMatch(/speak.*The first of the lines/);
    house.letGo("told");
    await runThatIs("completed").waitFor();
    await open(id, "?step=speak&part=logs");
    await inspectorOf("speak").getByText("The first of the lines").waitFor();
  });

  test("a run of 300 steps is drawn, and its timeline reaches to the last of them", async () => {
    await open(await house.finish(flows.chain(300)), "?step=step-150");
    await node("step-150").waitFor();
    await bar("step-150").waitFor();
    const rows = page.getByRole("region", { name: "Steps over time" });
    expect(await rows.getByRole("listitem").count()).toBeLessThan(100);
    await rows.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await bar("step-299").click();
    await inspectorOf("step-299").waitFor();
    await node("step-299").and(page.locator('[aria-pressed="true"]')).waitFor();
    await page.keyboard.press("v");
    await page.getByTestId("step-table").locator("tbody tr").nth(299).waitFor();
  });
});

describe("a value on the page of a run", () => {
  test("as large as one may be is loaded when somebody asks for it", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).searchParams.get("part") === "result") asked.push(request.url());
    });
    await open(await house.finish(flows.much), "?step=load&part=output");
    await page.getByText(/^4\.\d MB, not loaded$/).waitFor();
    expect(asked).toEqual([]);
    await inspectorOf("load").getByRole("button", { name: "Load" }).click();
    const tree = page.getByRole("tree", { name: "Output" });
    await tree.getByText("4000 items").waitFor();
    expect(asked).toHaveLength(1);
    // A portion of it is drawn.
    expect(await tree.getByRole("treeitem").count()).toBeLessThan(500);
  });

  test("has paths that are copied as expressions which lead to it", async () => {
    const flow = {
      start: "fetch",
      steps: { fetch: { tool: "say", args: { text: [{ "a key": 1 }, { "a key": 2 }] } } },
    };
    const withResult = (expression: string): typeof flows.held => ({
      start: "fetch",
      steps: {
        fetch: { ...flow.steps.fetch, next: "use" },
        use: { tool: "say", args: { text: `{{ ${expression} }}` }, done: true },
      },
    });
    await open(await house.finish(flow), "?step=fetch&part=output");
    const tree = page.getByRole("tree", { name: "Output" });
    await tree.getByRole("treeitem", { name: /^text/ }).press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const row = tree.getByRole("treeitem", { name: /a key: 2/ });
    await row.hover();
    await row.getByRole("button", { name: /^Copy the path/ }).click();
    await page.getByTestId("toast").filter({ hasText: "Copied" }).first().waitFor();
    const expression = await page.evaluate(() => navigator.clipboard.readText());
    const { output } = await house.engine.result(await house.finish(withResult(expression)));
    expect(output).toEqual({ text: 2 });
  });
});

test("axe finds nothing on the page of a machine, of a run under way, or of one whose menu is open", async () => {
  await open(await house.start(flows.article));
  await node("draft").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await open(await house.start(flows.asking, { key: "axe" }));
  await nodeThatIs("work", "running").waitFor();
  await button("Rerun").click();
  await page.getByRole("menuitem", { name: "Same input" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  // What is read aloud of a step that goes on stays as it is.
  await page.keyboard.press("Escape");
  expect(await bar("work").locator(".sr-only").textContent()).not.toContain("so far");
  house.letGo("axe");
});
