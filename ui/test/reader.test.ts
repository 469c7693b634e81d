// What somebody finds who may read and nothing else: no button that would be refused. And who may not even read.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { openWindow, type Window } from "./harness/browser.ts";

const password = "correct horse";
const held = { start: { gate: { title: "Go on?" }, done: true } };

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ hasDemos: true });
  await house.engine.start(held, { name: "held" });
  await house.engine.start(held, { name: "later", at: "in 2 days" });
  await house.engine.access.save("ben", { keys: ["130001.read"], password });
  window = await openWindow(house.address);
  page = window.page;
  await page.goto("/login");
  await page.getByLabel("User").fill("ben");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator('main[data-page="home"]').waitFor();
  // Who comes without a login is told so by every answer.
  window.faults.splice(0);
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

/** With the permission that is missing, and whom to ask for it. */
function mayNot(what: string, key: string): string {
  return `You may not ${what} here: the permission 130001.${key} is missing. Ask somebody with 130001.admin for it.`;
}

async function look(path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.locator(`main[data-page="${name}"]`).waitFor();
}

function button(name: string | RegExp): Locator {
  return page.getByRole("main").getByRole("button", { name, disabled: false });
}

async function expectRefused(found: Locator, words: string): Promise<void> {
  await found
    .and(page.locator(`[title="${words}"]`))
    .first()
    .waitFor();
  expect(await found.first().isDisabled()).toBe(true);
}

test.each([
  ["users", "Users", "do what takes the right admin", "admin"],
  ["audit", "The audit", "do what takes the right admin", "admin"],
  ["secrets", "Secrets", "keep secrets", "secrets"],
])("a link to the settings' %s tells what is missing", async (tab, name, what, key) => {
  await look(`/settings?tab=${tab}`, "settings");
  await page
    .getByTestId("not-yours")
    .getByText(`${name}: ${mayNot(what, key)}`)
    .waitFor();
  await look("/settings", "settings");
  await page.getByRole("tab", { name: "General", selected: true }).waitFor();
  expect(await page.getByTestId("not-yours").count()).toBe(0);
});

test("neither Home nor the bar above starts anything", async () => {
  await look("/", "home");
  await page.getByRole("region", { name: "Waits for an answer" }).getByText("Go on?").waitFor();
  expect(await page.getByTestId("welcome").count()).toBe(0);
  expect(await button(/^Run |Remove the demo|Edit hello/).count()).toBe(0);
  await expectRefused(page.getByRole("banner").getByRole("button", { name: "Run" }), mayNot("start runs", "start"));
  await page.keyboard.press("n");
  await page
    .getByTestId("toast")
    .filter({ hasText: mayNot("start runs", "start") })
    .waitFor();
});

test("what they may not answer does not need them: no Decide, no count beside the inbox", async () => {
  await look("/", "home");
  await page.getByText(/^\d runs? today, 1 waits for an answer\.$/).waitFor();
  await page.getByRole("region", { name: "Running now" }).getByText("waiting for an answer").waitFor();
  expect(await page.getByRole("link", { name: /^Decide/ }).count()).toBe(0);
  expect(await page.getByTestId("inbox-count").count()).toBe(0);
  await house.engine.access.grant("ben", "130001.answer");
  await page.reload();
  await page.getByRole("link", { name: "Decide: Go on?" }).waitFor();
  await page.getByTestId("inbox-count").first().waitFor();
  await page.getByText(/1 needs you\.$/).waitFor();
  await house.engine.access.revoke("ben", "130001.answer");
});

test("the library shows what there is, and the editor says that it does not save", async () => {
  await look("/library", "library");
  await expectRefused(page.getByRole("button", { name: "Run hello" }), mayNot("start runs", "start"));
  expect(await page.getByRole("switch", { name: "hello is enabled" }).isDisabled()).toBe(true);
  expect(await page.getByTestId("new-workflow").count()).toBe(0);
  await look("/library/hello/edit", "editor");
  await page
    .getByTestId("may-not-save")
    .filter({ hasText: mayNot("save workflows", "save") })
    .waitFor();
  expect(await page.getByTestId("save").isDisabled()).toBe(true);
});

test("schedules, tools, runs and what waits are there to be looked at", async () => {
  await look("/schedules", "schedules");
  await expectRefused(page.getByRole("button", { name: "Schedule a run" }), mayNot("start runs", "start"));
  await page.getByTestId("schedule-row").waitFor();
  expect(await button(/Run now|Never begin/).count()).toBe(0);
  await look("/tools?tool=demo.echo", "tools");
  await expectRefused(page.getByTestId("try"), mayNot("start runs", "start"));
  await look("/runs", "runs");
  await page.getByRole("checkbox", { name: /of held$/ }).check();
  await expectRefused(page.getByRole("button", { name: "Cancel" }), mayNot("cancel runs", "cancel"));
  await look("/workflows", "seed-workflows");
  await page.getByTestId("active-run").first().waitFor();
  expect(await button("Cancel").count()).toBe(0);
  await look("/inbox", "inbox");
  await page.getByText(mayNot("answer this", "answer")).waitFor();
  expect(await page.getByTestId("decide-a").count()).toBe(0);
});

test("what is refused all the same is told in a sentence, without the mark that programs know it by", async () => {
  await look("/library/hello?start=hello", "workflow");
  await page.getByTestId("start").click();
  const told = page.getByText('"ben" may not start runs; the permission 130001.start is missing.');
  await told.first().waitFor();
  expect(await told.first().textContent()).not.toContain("not_allowed");
  expect(window.faults.splice(0).filter((fault) => !fault.includes("403"))).toEqual([]);
});

describe("who may not see runs", () => {
  const refused = mayNot("see runs", "read");

  test("loses the right while they look: the page says which is missing and whom to ask, not that nobody answers", async () => {
    await look("/runs", "runs");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await house.engine.access.save("ben", { keys: ["130001.start"] });
    await page.getByTestId("may-not-read").filter({ hasText: refused }).waitFor();
    expect(await page.getByTestId("live").count()).toBe(0);
    expect(await page.getByText("The server does not answer").count()).toBe(0);
  });

  test("finds on a page in place of what it shows what is missing, and no line is tried", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await look("/", "home");
    await page.getByTestId("may-not-read").filter({ hasText: refused }).waitFor();
    const failed = page.getByTestId("failed");
    await failed.getByText("the permission 130001.read is missing.").waitFor();
    await failed.getByText("Ask somebody with 130001.admin for it.").waitFor();
    expect(asked).toContain("/api/me");
    expect(asked).not.toContain("/api/events");
    // Each part of the page is refused by itself: what the browser says of that is whole only once it is closed.
    await page.close();
    expect(window.faults.splice(0).filter((fault) => !fault.includes("403"))).toEqual([]);
  });
});
