import { readFile } from "node:fs/promises";
import type { Download, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

const many = 5000;
const hello: Json = { start: { tool: "say", args: {}, done: true } };
const failing: Json = { start: { tool: "fail", args: {}, retry: { attempts: 1 }, done: true } };
const held: Json = { start: { gate: { title: "Go on?" }, done: true } };

let house: House;
let window: Window;
/** Of the many, oldest first. */
let ids: readonly number[] = [];

async function start(flow: Json, name: string, input: JsonObject = {}): Promise<number> {
  const { id } = await house.engine.start(flow, { name, input });
  return id;
}

async function startMany(name: string, count: number): Promise<readonly number[]> {
  const started: number[] = [];
  const together = 250;
  while (started.length < count) {
    const batch = await Promise.all(Array.from({ length: together }, (_, n) => start(hello, name, { n })));
    await Promise.all(batch.map((id) => house.engine.result(id)));
    started.push(...batch);
  }
  return started.toSorted((one, other) => one - other);
}

beforeAll(async () => {
  house = await openHouse({
    tools: {
      say: () => "hello",
      fail: () => {
        throw new Error("The source is gone.");
      },
    },
  });
  ids = await startMany("hello", many);
  for (const topic of ["low", "high", '=HYPERLINK("x")'])
    await house.engine.result(await start(hello, "tides", { topic }));
  await house.engine.result(await start(failing, "tides", { topic: "none" }));
  window = await openWindow(house.address);
}, 120_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

function rows(): Locator {
  return window.page.getByTestId("run-row");
}

async function shownIds(): Promise<readonly number[]> {
  return await rows().evaluateAll((found) => found.map((row) => Number((row as HTMLElement).dataset["runId"])));
}

/** Away from the list, under which nothing may move. */
async function leave(): Promise<void> {
  await window.page.mouse.move(5, 5);
}

async function look(search: string): Promise<void> {
  await window.page.goto(`/runs${search}`);
  await leave();
  await rows().first().waitFor();
}

async function readDownload(download: Download): Promise<string> {
  return await readFile(await download.path(), "utf8");
}

async function exportAs(kind: "CSV" | "JSON"): Promise<Download> {
  const { page } = window;
  await page.getByRole("button", { name: "Export all that match" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: `as ${kind}` }).click(),
  ]);
  return download;
}

describe("what is looked for", () => {
  test("stands in the address: after a reload there are the same words and the same rows", async () => {
    const { page } = window;
    await look("");
    const field = page.getByRole("combobox", { name: /^Filter/ });
    await field.fill("workflow:tides status:completed input.topic=low");
    await field.press("Enter");
    await eventually(() => rows().count()).toBe(1);
    const chips = page.getByTestId("filter-chip");
    const words = ["status:completed", "workflow:tides", "input.topic=low"];
    expect(await chips.allTextContents()).toEqual(words);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      status: "completed",
      workflow: "tides",
      field: "topic=low",
    });
    const before = await shownIds();
    await page.reload();
    await rows().first().waitFor();
    expect(await chips.allTextContents()).toEqual(words);
    expect(await shownIds()).toEqual(before);
    await page.getByRole("button", { name: "Remove the filter input.topic=low" }).click();
    await eventually(() => rows().count()).toBe(3);
    await page.goBack();
    await eventually(() => chips.allTextContents()).toEqual(words);
  });

  test("and is not there says so, and leads back to all of them", async () => {
    const { page } = window;
    await page.goto("/runs?workflow=nobody");
    await page.getByTestId("empty").getByText("No runs match").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rows().first().waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("says of each run what set it going, by a sign with its word", async () => {
    const first = await start(hello, "spring");
    await house.engine.result(first);
    const again = await house.engine.rerun(first);
    await house.engine.result(again.id);
    await look("?workflow=spring");
    await eventually(() => rows().getByTestId("trigger").allTextContents()).toEqual([`rerun of ${first}`, "started"]);
    expect(await rows().getByTestId("trigger").first().getAttribute("title")).toBe(`rerun of ${first}`);
    expect(await window.page.getByRole("columnheader", { name: "Trigger" }).isVisible()).toBe(true);
  });

  test("by a word that nobody knows is said beside the field, and the word stays to be written otherwise", async () => {
    const { page } = window;
    await look("");
    const field = page.getByRole("combobox", { name: /^Filter/ });
    await field.fill("flow:tides colour:red");
    await field.press("Enter");
    const note = page.getByTestId("filter-note");
    await note.getByText("There is no filter colour.").waitFor();
    await eventually(() => page.getByTestId("filter-chip").allTextContents()).toEqual(["workflow:tides"]);
    expect(await field.inputValue()).toBe("colour:red");
    expect(new URL(page.url()).search).toBe("?workflow=tides");
    await field.fill('"colour:red"');
    expect(await note.textContent()).toBe("");
    await field.press("Enter");
    await page.getByTestId("empty").getByText("No runs match").waitFor();
  });

  test("may be one run, by its id or its uid, or those of a time as links from elsewhere say it", async () => {
    const { page } = window;
    const id = ids[17] ?? 0;
    const { uid, createdAt } = await house.engine.get(id);
    for (const word of [String(id), uid]) {
      await look("");
      const field = page.getByRole("combobox", { name: /^Filter/ });
      await field.fill(`id:${word}`);
      await field.press("Enter");
      await eventually(shownIds).toEqual([id]);
    }
    await look(`?from=${createdAt}&to=${createdAt + 1}&flow=hello`);
    await eventually(() => page.getByTestId("filter-chip").count()).toBe(2);
    // There may be more of that instant than are in sight.
    const times = await Promise.all((await shownIds()).map(async (one) => (await house.engine.get(one)).createdAt));
    expect(new Set(times)).toEqual(new Set([createdAt]));
  });

  test("may be what set runs going; a retry says which try it is", async () => {
    const { page } = window;
    const first = await start(failing, "thrice");
    await house.engine.result(first).catch(() => null);
    const second = await house.engine.retry(first);
    await house.engine.result(second.id).catch(() => null);
    const third = await house.engine.retry(second.id);
    await house.engine.result(third.id).catch(() => null);
    await page.setViewportSize({ width: 1500, height: 800 });
    await look("?workflow=thrice&trigger=retry");
    await eventually(shownIds).toEqual([third.id, second.id]);
    expect(await page.getByTestId("filter-chip").allTextContents()).toEqual(["workflow:thrice", "trigger:retry"]);
    expect(await rows().getByTestId("attempt").allTextContents()).toEqual(["3", "2"]);
    expect(await page.getByRole("columnheader", { name: "Attempt" }).isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await look("?workflow=thrice&trigger=person");
    await eventually(shownIds).toEqual([first]);
  });

  test("can be saved as a file, in which nothing is a formula", async () => {
    await look("?workflow=tides&status=completed");
    const download = await exportAs("CSV");
    expect(download.suggestedFilename()).toBe("runs.csv");
    const lines = (await readDownload(download)).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^id,uid,workflow,status,key,/);
    expect(lines.slice(1).map((line) => Number(line.split(",")[0]))).toEqual(await shownIds());
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

describe("a list of 5,000 runs", () => {
  test("is exported whole, also when little of it is loaded", async () => {
    await look("?workflow=hello");
    const exported = JSON.parse(await readDownload(await exportAs("JSON"))) as readonly { readonly id: number }[];
    expect(exported.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("that has no end is exported as far as a file can be read, and that is said", async () => {
    const { page } = window;
    await look("?workflow=hello");
    // There is always more behind the last one.
    const endless = /\/api\/workflow\?.*limit=1000/;
    await page.route(endless, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "x-next-cursor": String(ids.at(-1)) } });
    });
    const exported = JSON.parse(await readDownload(await exportAs("JSON"))) as readonly unknown[];
    expect(exported).toHaveLength(10_000);
    await page
      .getByTestId("toast")
      .filter({ hasText: "The file holds the newest 10,000 of them; there are more." })
      .waitFor();
    await page.unroute(endless);
  });

  test("is there to its end, and draws what is in sight", async () => {
    const { page } = window;
    await look("?workflow=hello");
    const list = page.getByTestId("run-list");
    const toEnd = async (): Promise<boolean> => {
      await list.evaluate((found) => found.scrollTo(0, found.scrollHeight));
      return (await shownIds()).at(-1) === ids[0];
    };
    await expect.poll(toEnd, { timeout: 100_000, interval: 20 }).toBe(true);
    expect(await rows().count()).toBeLessThan(100);
    expect(await page.locator("table").getAttribute("aria-rowcount")).toBe(String(many + 1));
    await leave();
  }, 120_000);

  test("is where it was when one comes back from a run", async () => {
    const { page } = window;
    const list = page.getByTestId("run-list");
    await list.evaluate((found) => found.scrollTo(0, 36 * 2000));
    const wanted = ids[many - 2005] ?? 0;
    await eventually(shownIds).toContain(wanted);
    const before = await list.evaluate((found) => found.scrollTop);
    await rows()
      .and(page.locator(`[data-run-id="${wanted}"]`))
      .getByRole("link")
      .click();
    await page.locator('main[data-page="run"]').waitFor();
    await page.goBack();
    await eventually(() => list.evaluate((found) => found.scrollTop)).toBe(before);
    expect(await shownIds()).toContain(wanted);
    await page.locator(`[data-run-id="${wanted}"]:focus`).waitFor();
  });
});

describe("a run that ends under the pointer", () => {
  test("stays in its place though it does not belong there any more, and does not tell of steps that run", async () => {
    const run = await start(held, "ending");
    await look("?status=running");
    const row = rows().and(window.page.locator(`[data-run-id="${run}"]`));
    await row.hover();
    await row.getByText("steps: 1 waiting").waitFor({ state: "attached" });
    await house.engine.cancel(run);
    await row.and(window.page.locator('[data-status="cancelled"]')).waitFor();
    await eventually(() => row.getByText(/steps:/).count()).toBe(0);
    expect(await row.count()).toBe(1);
    await leave();
    await eventually(() => row.count()).toBe(0);
  });
});

describe("runs that begin", () => {
  test("move nothing under the pointer: a button tells of them, and shows them", async () => {
    const { page } = window;
    await look("");
    await rows().nth(2).hover();
    const before = await shownIds();
    const begun = [];
    for (const _ of Array(3).keys()) begun.push(await start(hello, "news"));
    await page.getByTestId("new-runs").filter({ hasText: "3 new runs" }).waitFor();
    expect(await shownIds()).toEqual(before);
    await page.getByTestId("new-runs").click();
    await eventually(async () => (await shownIds()).slice(0, 3)).toEqual(begun.toReversed());
    await leave();
  });

  test("come in by themselves at the top, when no pointer is over them", async () => {
    const { page } = window;
    await look("");
    const id = await start(hello, "news");
    await eventually(async () => (await shownIds())[0]).toBe(id);
    await rows()
      .and(page.locator(`[data-run-id="${id}"][data-status="completed"]`))
      .waitFor();
    expect(await page.getByTestId("new-runs").count()).toBe(0);
  });
});

describe("runs that are chosen", () => {
  test("three are cancelled at once: it is asked before, and each says so", async () => {
    const { page } = window;
    const begun: number[] = [];
    for (const topic of ["a", "b", "c", "d"]) begun.push(await start(held, "held", { topic }));
    await look("?workflow=held");
    await eventually(() => rows().count()).toBe(4);
    const chosen = begun.slice(0, 3);
    const top = async (): Promise<number | undefined> => (await rows().first().boundingBox())?.y;
    const before = await top();
    for (const id of chosen) await page.getByRole("checkbox", { name: `Select run ${id} of held` }).check();
    await page.getByTestId("selection-bar").waitFor();
    expect(await top()).toBe(before);
    await page.getByTestId("selection-bar").getByRole("button", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel 3 runs?" });
    await dialog.getByRole("button", { name: "Cancel 3 runs" }).click();
    await dialog.waitFor({ state: "detached" });
    for (const id of chosen) await page.locator(`[data-run-id="${id}"][data-status="cancelled"]`).waitFor();
    expect(await page.locator('[data-testid="run-row"][data-status="running"]').count()).toBe(1);
    const statuses = await Promise.all(begun.map(async (id) => (await house.engine.get(id)).status));
    expect(statuses).toEqual(["cancelled", "cancelled", "cancelled", "running"]);
    expect(await page.getByTestId("selection-bar").count()).toBe(0);
  });

  test("those that failed are tried again at once; one that has not failed is told of", async () => {
    const { page } = window;
    const failed: number[] = [];
    for (const topic of ["a", "b"]) failed.push(await start(failing, "again", { topic }));
    const fine = await start(hello, "again");
    for (const id of [...failed, fine]) await house.engine.result(id).catch(() => null);
    await look("?workflow=again");
    await eventually(() => rows().count()).toBe(3);
    for (const id of [...failed, fine]) await page.getByRole("checkbox", { name: `Select run ${id} of again` }).check();
    await page.getByTestId("selection-bar").getByRole("button", { name: "Retry" }).click();
    const dialog = page.getByRole("dialog", { name: "Retry 3 runs?" });
    await dialog.getByRole("button", { name: "Retry 3 runs" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByTestId("toast").filter({ hasText: "2 retried, 1 refused" }).waitFor();
    await leave();
    await eventually(() => rows().count()).toBe(5);
    const retries = (await house.engine.list({ name: "again" })).filter(({ run }) => run.origin?.kind === "retry");
    expect(new Set(retries.map(({ run }) => run.origin?.run))).toEqual(new Set(failed));
    // What the browser says of the one that was refused.
    expect(window.faults.splice(0).filter((fault) => !fault.includes("status of 409"))).toEqual([]);
    expect(await page.getByTestId("selection-bar").count()).toBe(0);
  });

  test("keys choose and leave them", async () => {
    const { page } = window;
    await look("?workflow=tides");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByTestId("selection-bar").getByText("2 runs chosen").waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => page.getByTestId("selection-bar").count()).toBe(0);
    const second = (await shownIds())[1];
    await page.keyboard.press("Enter");
    await page.locator('main[data-page="run"]').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${second}`);
  });
});

test("where nothing has run yet, the list offers a run", async () => {
  await using empty = await openHouse({ hasDemos: true });
  await using other = await openWindow(empty.address);
  await other.page.goto("/runs");
  await other.page.getByTestId("empty").getByText("No runs yet").waitFor();
  await other.page.getByRole("button", { name: "Run the demo" }).click();
  await other.page.locator('main[data-page="run"]').waitFor();
  const [run] = await empty.engine.list();
  expect(new URL(other.page.url()).pathname).toBe(`/runs/${run?.run.id}`);
});
