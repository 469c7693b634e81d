// The two addresses that seed 003 names, and what the projects behind the seeds show of workflows, runs and schedules.

import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

const greeting: Json = { start: { tool: "say", args: { text: "{{ input.text }}" }, done: true } };
const asking: Json = {
  start: { tool: "say", args: { text: "draft" }, next: "review" },
  review: { gate: { title: "Publish?" }, next: "publish" },
  publish: { tool: "say", args: { text: "published" }, done: true },
};

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({
    tools: {
      say: ({ text }: { text?: string }) => text ?? null,
      fail: () => {
        throw new Error("The source is gone.");
      },
    },
  });
  const options = { name: "greeting", description: "Says what it is told", input: { text: "good morning" } };
  await house.engine.workflows.save(JSON.stringify(greeting), options);
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

beforeEach(async () => {
  for (const { run } of await house.engine.list({ status: "live" })) await house.engine.cancel(run.id);
});

async function start(flow: Json, name: string, input: JsonObject = {}): Promise<number> {
  const { id } = await house.engine.start(flow, { name, input });
  return id;
}

async function newest(): Promise<number> {
  const [found] = await house.engine.list({ limitMax: 1 });
  return found?.run.id ?? 0;
}

/** Of a step, as soon as the run has come to it. */
async function idOf(run: number, step: string): Promise<number> {
  const found = async (): Promise<number> =>
    (await house.engine.get(run)).steps.find(({ name }) => name === step)?.id ?? 0;
  await eventually(found).toBeGreaterThan(0);
  return found();
}

function rowOf(id: number): Locator {
  return page.locator(`[data-testid="run-row"][data-run-id="${id}"]`);
}

function stepOf(id: number, step: string): Locator {
  return rowOf(id).locator(`[data-testid="step-row"][data-step="${step}"]`);
}

describe("/workflow", () => {
  test("E3-31: a form with templates and a time, and below it the last run, expanded", async () => {
    await page.goto("/workflow");
    for (const label of ["Template", "Name", "Flow", "Input", "When"])
      await page.getByLabel(label, { exact: false }).first().waitFor();
    await page.getByLabel("Name").fill("by hand");
    await page.getByLabel("Flow").fill(JSON.stringify(greeting));
    await page.getByLabel("Input").fill('{"text": "written here"}');
    const before = await newest();
    await page.getByRole("button", { name: "Create" }).click();
    await eventually(newest).not.toBe(before);
    const id = await newest();
    expect(await house.engine.result(id)).toMatchObject({ output: "written here" });
    // Opened without a click.
    await stepOf(id, "start").and(page.locator('[data-status="done"]')).waitFor();
    await stepOf(id, "start").getByText("written here").first().waitFor();
    await page.getByLabel("When").fill("tomorrow at 9am");
    await page.getByTestId("instant").filter({ hasText: "09:00" }).waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await eventually(async () => (await house.engine.get(await newest())).status).toBe("scheduled");
  });

  test("E3-34: a template fills name, flow and input; one is saved with a description; Delete takes it off the list", async () => {
    await page.goto("/workflow");
    const template = page.getByLabel("Template");
    await template.locator('option[value="greeting"]').waitFor({ state: "attached" });
    await template.selectOption("greeting");
    await eventually(() => page.getByLabel("Name").inputValue()).toBe("greeting");
    expect(JSON.parse(await page.getByLabel("Flow").inputValue())).toEqual(greeting);
    expect(JSON.parse(await page.getByLabel("Input").inputValue())).toEqual({ text: "good morning" });
    await page.getByLabel("Name").fill("evening");
    await page.getByLabel("Input").fill('{"text": "good evening"}');
    await page.getByRole("button", { name: "Save as template" }).click();
    const dialog = page.getByRole("dialog", { name: "Save as template" });
    await dialog.getByLabel("Description").fill("Later in the day");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await house.engine.workflows.get("evening")).toMatchObject({
      description: "Later in the day",
      input: { text: "good evening" },
    });
    const option = template.locator('option[value="evening"]');
    await option.waitFor({ state: "attached" });
    expect(await option.textContent()).toBe("evening: Later in the day");
    await template.selectOption("evening");
    await eventually(() => page.getByLabel("Name").inputValue()).toBe("evening");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await eventually(() => option.count()).toBe(0);
    expect((await house.engine.workflows.list()).map(({ name }) => name)).toEqual(["greeting"]);
    // Its versions are still there.
    expect((await house.engine.workflows.list({ all: true })).map(({ name }) => name)).toContain("evening");
  });

  test("says which field is wrong, and starts nothing", async () => {
    await page.goto("/workflow");
    const before = await newest();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Write a flow, or choose a template.").waitFor();
    await page.getByLabel("Flow").fill(JSON.stringify(greeting));
    await page.getByLabel("Input").fill("{");
    await page.getByText("This is no JSON").waitFor();
    expect(await page.getByLabel("Input").getAttribute("aria-invalid")).toBe("true");
    expect(await newest()).toBe(before);
  });
});

describe("/workflows", () => {
  test("E3-32: all runs, each opens, is cancelled and approved", async () => {
    const [first, second] = [await start(asking, "one"), await start(asking, "two")];
    await page.goto("/workflows");
    await rowOf(second).getByRole("button", { name: /two/ }).click();
    await stepOf(second, "start").and(page.locator('[data-status="done"]')).waitFor();
    await stepOf(second, "review").getByRole("button", { name: "Ready" }).click();
    expect(await house.engine.result(second)).toMatchObject({ output: "published" });
    await rowOf(second).and(page.locator('[data-status="completed"]')).waitFor();
    await stepOf(second, "publish").and(page.locator('[data-status="done"]')).waitFor();
    await rowOf(first).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await eventually(async () => (await house.engine.get(first)).status).toBe("cancelled");
    await eventually(() => rowOf(first).getByRole("button", { name: "Cancel", exact: true }).count()).toBe(0);
  });

  test("tools that were tried are left out until somebody wants to see them", async () => {
    await house.engine.tools.call("say", { text: "tried" });
    const id = await start(greeting, "greeting", { text: "hello" });
    await page.goto("/workflows");
    await rowOf(id).waitFor();
    const tried = page.getByRole("button", { name: /call say/ });
    expect(await tried.count()).toBe(0);
    await page.getByRole("button", { name: "Show the call of a tool" }).click();
    await tried.waitFor();
  });

  test("E3-33: both pages show what happens as it happens, from the REST API, and ask nobody else", async () => {
    for (const path of ["/workflow", "/workflows"]) {
      const asked: URL[] = [];
      page.on("request", (request) => asked.push(new URL(request.url())));
      await page.goto(path);
      await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
      const id = await start(asking, "live");
      await rowOf(id).and(page.locator('[data-status="running"]')).waitFor();
      await house.engine.approve(await idOf(id, "review"), { by: "ann" });
      await rowOf(id).and(page.locator('[data-status="completed"]')).waitFor();
      expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([house.address]));
      expect(asked.some(({ pathname }) => pathname.startsWith("/api/workflow"))).toBe(true);
      page.removeAllListeners("request");
    }
  });

  test("E3-35: a new run is there at once, the newest first; a gate has no tool, and a button that makes it ready", async () => {
    const earlier = await start(asking, "earlier");
    await page.goto("/workflows");
    await rowOf(earlier).waitFor();
    await page.getByRole("link", { name: "+ New Workflow" }).click();
    await page.getByLabel("Name").fill("newer");
    await page.getByLabel("Flow").fill(JSON.stringify(asking));
    await page.getByRole("button", { name: "Create" }).click();
    await eventually(newest).not.toBe(earlier);
    const id = await newest();
    await page.goto("/workflows");
    await rowOf(id).and(page.locator('[data-status="running"]')).waitFor();
    const ids = await page
      .getByTestId("run-row")
      .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset["runId"])));
    expect(ids.slice(0, 2)).toEqual([id, earlier]);
    await rowOf(id).getByRole("button", { name: /newer/ }).click();
    const gate = stepOf(id, "review");
    await gate.getByText("(none)", { exact: true }).waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === "POST"),
      gate.getByRole("button", { name: "Ready" }).click(),
    ]);
    expect(new URL(request.url()).pathname).toBe(`/api/workflow/${await idOf(id, "review")}/ready`);
    expect(await house.engine.result(id)).toMatchObject({ output: "published" });
  });

  test("AC-69: what is under way stands above, with its number and its step, and stays there for a while after its end", async () => {
    const id = await start(asking, "under way");
    await page.goto("/workflows");
    const active = page.locator(`[data-testid="active-run"][data-run-id="${id}"]`);
    await active.filter({ hasText: "at review" }).waitFor();
    expect(await active.textContent()).toContain(`under way${id}`);
    await house.engine.cancel(id);
    await active.and(page.locator('[data-status="cancelled"]')).waitFor();
    expect(await active.getByRole("button", { name: "Cancel" }).count()).toBe(0);
  });

  test("AC-70: a run opens to its steps with their outcome, a result that is cut when it is long, its end and its error", async () => {
    const flow: Json = {
      start: { tool: "say", args: { text: "x".repeat(3000) }, branch: [{ if: "true", then: "ask" }] },
      ask: { gate: {}, next: "fail" },
      fail: { tool: "fail", retry: { attempts: 1 }, done: true },
    };
    const id = await start(flow, "long");
    await house.engine.approve(await idOf(id, "ask"), { by: "ann" });
    await house.engine.result(id);
    await page.goto("/workflows");
    await rowOf(id).getByRole("button", { name: /long/ }).click();
    const result = stepOf(id, "start").getByRole("group", { name: "Result of start" });
    await result.waitFor();
    expect((await result.textContent())?.length).toBe(2001);
    await stepOf(id, "ask").getByRole("rowheader").getByText("approved").waitFor();
    await rowOf(id).getByTestId("run-error").getByText("The source is gone.").waitFor();
    const good = await start(greeting, "good", { text: "the end" });
    await rowOf(good).getByRole("button", { name: /good/ }).click();
    await rowOf(good).getByRole("group", { name: "Final result" }).getByText("the end").waitFor();
  });
});

describe("the library", () => {
  test("AC-65, AC-66: a list with runs and what can be done with each, found by name, and deleted once it was asked", async () => {
    await house.engine.workflows.save(JSON.stringify(asking), { name: "asking", description: "Asks first" });
    await page.goto("/library");
    const row = page.locator('[data-testid="workflow-row"][data-workflow="asking"]');
    await row.getByText("Asks first").waitFor();
    await page
      .getByRole("searchbox")
      .or(page.getByPlaceholder(/filter|name/i))
      .first()
      .fill("askin");
    await eventually(() => page.getByTestId("workflow-row").count()).toBe(1);
    const more = row.getByRole("button", { name: "More about asking" });
    await more.click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toContain("Publish?");
    await row.getByRole("button", { name: "Run asking" }).click();
    await page.getByRole("dialog", { name: "Run asking" }).getByTestId("start").click();
    await page.locator('main[data-page="run"]').waitFor();
    await page.goto("/library?text=asking");
    await eventually(() => row.getByRole("cell").nth(2).textContent()).toBe("1");
    await more.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Delete/ })
      .click();
    await eventually(() => row.count()).toBe(0);
    expect((await house.engine.workflows.list()).map(({ name }) => name)).toEqual(["greeting"]);
  });

  test("AC-66: where nothing is saved, it says so", async () => {
    await using empty = await openHouse();
    await using other = await openWindow(empty.address);
    await other.page.goto("/library");
    await other.page.getByTestId("empty").getByText("No workflows yet").waitFor();
    expect(await other.page.getByTestId("workflow-row").count()).toBe(0);
  });
});

test("AC-71: a schedule says when it begins, is marked in the last ten minutes, and can begin now", async () => {
  const later = await house.engine.start(greeting, { name: "later", input: { text: "a" }, at: "in 12 minutes" });
  const soon = await house.engine.start(greeting, { name: "soon", input: { text: "b" }, at: "in 9 minutes" });
  await page.goto("/schedules");
  const row = (id: number): Locator => page.locator(`[data-testid="schedule-row"][data-run-id="${id}"]`);
  await row(later.id)
    .getByText(/^in 1[12] m/)
    .waitFor();
  await row(soon.id)
    .getByText(/^in [89] m/)
    .waitFor();
  // The day and the time of day, too.
  expect(await row(soon.id).getByRole("time").first().textContent()).toMatch(/^[A-Z][a-z]+,? .*\d\d:\d\d/);
  expect(await row(later.id).locator('[data-token="waiting"]').count()).toBe(0);
  expect(await row(soon.id).locator('[data-token="waiting"]').count()).toBe(1);
  await row(later.id).getByRole("button", { name: "Run now" }).click();
  expect(await house.engine.result(later.id)).toMatchObject({ output: "a" });
  await eventually(() => row(later.id).count()).toBe(0);
});

test("E3-35: who may not start anything is told so, and has no form", async () => {
  await using other = await openHouse({ tools: { say: () => "hello" } });
  await other.engine.access.save("ben", { keys: ["130001.read"], password: "correct horse" });
  await using theirs = await openWindow(other.address);
  const { page: seen } = theirs;
  await seen.goto("/workflow");
  await seen.getByLabel("User").fill("ben");
  await seen.getByLabel("Password").fill("correct horse");
  await seen.getByRole("button", { name: "Log in" }).click();
  await seen.locator('main[data-page="seed-workflow"]').waitFor();
  await seen.getByTestId("empty").getByText("You may not start workflows here.").waitFor();
  expect(await seen.getByRole("button", { name: "Create" }).count()).toBe(0);
  // Who comes without a login is told so by every answer.
  await seen.close();
  expect(theirs.faults.splice(0).filter((fault) => !fault.includes("401"))).toEqual([]);
});
