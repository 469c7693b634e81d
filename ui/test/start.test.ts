import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/flow/json.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

const order: Json = {
  format: "stepwell/v1",
  input: {
    type: "object",
    required: ["who"],
    properties: {
      who: { type: "string", title: "For whom", minLength: 2 },
      size: { enum: ["small", "large"], title: "Size", default: "small" },
      count: { type: "integer", title: "How many", minimum: 1 },
      isExpress: { type: "boolean", title: "Express" },
      extras: { type: "array", title: "Extras" },
    },
  },
  start: "make",
  steps: { make: { tool: "make", args: { who: "{{ input.who }}" }, done: true } },
};

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ tools: { make: ({ who }: { who?: string }) => `made for ${who}` } });
  await house.engine.workflows.save(JSON.stringify(order), { name: "order", description: "Makes something" });
  await house.engine.workflows.save(JSON.stringify({ start: { tool: "make", done: true } }), { name: "any" });
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

async function open(name = "order"): Promise<Locator> {
  await visit(page, `/?start=${name}`);
  const dialog = page.getByRole("dialog", { name: `Run ${name}` });
  await dialog.getByTestId("start").waitFor();
  return dialog;
}

/** The run that the page has gone to. */
async function startedRun(): Promise<number> {
  await page.locator('main[data-page="run"]').waitFor();
  expect(new URL(page.url()).searchParams.has("start")).toBe(false);
  return Number(new URL(page.url()).pathname.replace("/runs/", ""));
}

describe("the dialog that starts a run", () => {
  test("lets a workflow be chosen wherever one is", async () => {
    await page.goto("/runs");
    await page.locator('main[data-page="runs"]').waitFor();
    await page.keyboard.press("n");
    const choosing = page.getByRole("dialog", { name: "Run a workflow" });
    await choosing.getByRole("combobox", { name: "Workflow" }).waitFor();
    const first = await choosing.getByRole("option").first().textContent();
    // Going through them chooses none.
    await page.keyboard.press("ArrowDown");
    await choosing
      .getByRole("option", { selected: true })
      .filter({ hasNotText: String(first) })
      .waitFor();
    await page.keyboard.type("nobody knows");
    await choosing.getByText("Nothing is called so.").waitFor();
    await choosing.getByRole("combobox", { name: "Workflow" }).fill("ord");
    await choosing.getByRole("option", { name: "order", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Run order" }).getByTestId("start").waitFor();
    expect(await page.evaluate("document.activeElement.closest('form') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/runs");
  });

  test("is not come back to once it was closed, or its run begun", async () => {
    await page.goto("/library");
    await page.locator('main[data-page="library"]').waitFor();
    await page.goto("/");
    await page.locator('main[data-page="home"]').waitFor();
    for (const end of ["Close", "Run now"]) {
      await page.getByRole("banner").getByRole("button", { name: "Run" }).click();
      await page.getByRole("dialog").getByRole("option", { name: "any", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: end }).last().click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.locator('main[data-page="run"]').waitFor();
    await page.goBack();
    await page.locator('main[data-page="home"]').waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("has a field for everything that the schema asks for; Ctrl Enter starts it and leads to the run", async () => {
    const dialog = await open();
    const who = dialog.getByLabel("For whom");
    expect(await who.getAttribute("aria-required")).toBe("true");
    expect(await dialog.getByLabel("Size").inputValue()).toBe('"small"');
    await who.fill("ann");
    await dialog.getByLabel("How many").fill("3");
    await dialog.getByRole("switch", { name: "Express" }).click();
    await dialog.getByLabel("Extras").fill('["salt"]');
    await dialog.getByLabel("Extras").press("Control+Enter");
    const id = await startedRun();
    expect(await house.engine.result(id)).toMatchObject({ status: "completed", output: "made for ann" });
    expect((await house.engine.get(id)).input).toEqual({
      who: "ann",
      size: "small",
      count: 3,
      isExpress: true,
      extras: ["salt"],
    });
  });

  test("is started by Ctrl Enter wherever in it somebody is", async () => {
    const dialog = await open();
    await dialog.getByLabel("For whom").fill("bob");
    // Nothing there takes keys.
    await dialog.getByRole("heading", { level: 2 }).click();
    await page.keyboard.press("Control+Enter");
    expect(await house.engine.result(await startedRun())).toMatchObject({ output: "made for bob" });
  });

  test("begins with what it was started with before, when that is wanted", async () => {
    const dialog = await open();
    await dialog.getByRole("button", { name: "Recent" }).click();
    await page.getByRole("menuitem", { name: /"who":"ann"/ }).click();
    expect(await dialog.getByLabel("For whom").inputValue()).toBe("ann");
    expect(await dialog.getByLabel("How many").inputValue()).toBe("3");
  });

  test("marks a field in which a text stands for nothing, and does not start", async () => {
    const dialog = await open();
    const count = dialog.getByLabel("How many");
    await count.fill("three");
    await dialog.getByText('"three" is no number.').waitFor();
    expect(await count.getAttribute("aria-invalid")).toBe("true");
    expect(await dialog.getByTestId("start").isDisabled()).toBe(true);
    await count.fill("3");
    await eventually(() => count.getAttribute("aria-invalid")).toBe("false");
    expect(await dialog.getByTestId("start").isEnabled()).toBe(true);
  });

  test("marks the field that the server finds wrong, says why, and puts the focus there", async () => {
    const dialog = await open();
    const count = dialog.getByLabel("How many");
    await dialog.getByLabel("For whom").fill("ben");
    await count.fill("0");
    await dialog.getByTestId("start").click();
    await eventually(() => count.getAttribute("aria-invalid")).toBe("true");
    const problem = (await count.getAttribute("aria-describedby"))?.split(" ").find((id) => id.endsWith("-problem"));
    expect(await page.locator(`[id="${problem}"]`).textContent()).toMatch(/1/);
    await eventually(() => count.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(window.faults.splice(0).filter((fault) => !fault.includes("422"))).toEqual([]);
    await count.fill("1");
    await dialog.getByTestId("start").click();
    expect((await house.engine.get(await startedRun())).input).toMatchObject({ who: "ben", count: 1 });
  });

  test("lets go of what was wrong with a field once it is changed, and names a field by its label", async () => {
    const dialog = await open();
    const [who, count] = [dialog.getByLabel("For whom"), dialog.getByLabel("How many")];
    await count.fill("0");
    await dialog.getByTestId("start").click();
    await dialog.getByText("For whom is missing.").waitFor();
    await who.fill("ben");
    await dialog.getByText("For whom is missing.").waitFor({ state: "detached" });
    expect(await who.getAttribute("aria-invalid")).toBe("false");
    expect(await who.evaluate((field) => field === document.activeElement)).toBe(true);
    await dialog.getByTestId("start").click();
    await eventually(() => count.getAttribute("aria-invalid")).toBe("true");
    expect(await who.getAttribute("aria-invalid")).toBe("false");
    expect(window.faults.splice(0).filter((fault) => !fault.includes("422"))).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await dialog.waitFor({ state: "detached" });
  });

  test("takes JSON where nothing says what is asked for", async () => {
    const dialog = await open("any");
    const json = dialog.getByLabel("JSON");
    await json.fill('{"who": ');
    await dialog.getByText("This is no JSON").waitFor();
    expect(await dialog.getByTestId("start").isDisabled()).toBe(true);
    await json.fill('{"who": "eve"}');
    await dialog.getByTestId("start").click();
    expect((await house.engine.get(await startedRun())).input).toEqual({ who: "eve" });
  });
});

describe("a time to begin", () => {
  test("is told as an instant while it is typed; of nonsense it is said what was not understood", async () => {
    const dialog = await open();
    const when = dialog.getByLabel("When");
    await when.fill("tomorrow at 9am");
    await dialog
      .getByTestId("instant")
      .filter({ hasText: /09:00 .*\(Europe\/Berlin\), in / })
      .waitFor();
    expect(await dialog.getByTestId("start").textContent()).toBe("Schedule");
    await when.fill("when pigs fly");
    await eventually(() => when.getAttribute("aria-invalid")).toBe("true");
    await dialog.getByRole("alert").filter({ hasText: "when pigs fly" }).waitFor();
    await when.fill("");
    await eventually(() => when.getAttribute("aria-invalid")).toBe("false");
    expect(await dialog.getByTestId("start").textContent()).toBe("Run now");
    expect(window.faults.splice(0).filter((fault) => !fault.includes("422"))).toEqual([]);
  });

  test("puts the run under Schedules, where it can be begun now", async () => {
    const dialog = await open();
    await dialog.getByLabel("For whom").fill("later");
    await dialog.getByLabel("When").fill("in 3 hours");
    await dialog.getByTestId("start").click();
    const id = await startedRun();
    expect((await house.engine.get(id)).status).toBe("scheduled");
    await page.goto("/schedules");
    const row = page.locator(`[data-testid="schedule-row"][data-run-id="${id}"]`);
    await row.filter({ hasText: /in (?:3 h|2 h 59 m)/ }).waitFor();
    await row.getByRole("button", { name: "Run now" }).click();
    expect(await house.engine.result(id)).toMatchObject({ output: "made for later" });
    await eventually(() => row.count()).toBe(0);
  });

  test("is taken away again, once somebody has said yes", async () => {
    const { id } = await house.engine.start(order, { name: "order", input: { who: "ann" }, at: "in 2 hours" });
    await page.goto("/schedules");
    const row = page.locator(`[data-testid="schedule-row"][data-run-id="${id}"]`);
    await row.getByRole("button", { name: `Never begin run ${id}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take it off" }).click();
    await eventually(() => row.count()).toBe(0);
    expect((await house.engine.get(id)).status).toBe("cancelled");
    await page.getByTestId("empty").getByText("No run is scheduled.").waitFor();
  });
});
