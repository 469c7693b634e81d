// How the service is, as the page shows it to whoever looks after it.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { openHouse, type House } from "./harness/house.ts";
import { findFaults } from "./harness/look.ts";

/** What tools and programs say may hold anything. */
const said = "a-word-that-stays-here";

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  const program = fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url));
  const script = `console.error(${JSON.stringify(said)}); await import(${JSON.stringify(program)})`;
  house = await openHouse({
    tools: {
      say: ({ text }: { text?: string }) => ({ text }),
      fail: () => {
        throw new Error(said);
      },
    },
    mcpServers: { talker: { command: process.execPath, args: ["-e", script] } },
  });
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

const breaker = (): Locator => page.locator('[data-testid="breaker"][data-tool="fail"]');

async function breakIt(): Promise<void> {
  while ((await house.engine.breakers.list()).every(({ state }) => state !== "open"))
    await house.engine.tools.call("fail", {});
}

test("steps that end are drawn and counted by themselves, and what a commit takes is told", async () => {
  await page.goto("/system");
  const drawn = page.getByTestId("throughput");
  await drawn.waitFor();
  const before = Number(await drawn.getAttribute("data-total"));
  for (const _ of Array(4).keys()) await house.engine.tools.call("say", { text: "x" });
  await eventually(async () => Number(await drawn.getAttribute("data-total"))).toBe(before + 4);
  expect(await drawn.getByRole("img").getAttribute("aria-label")).toMatch(
    new RegExp(`^${before + 4} steps have ended in the last 15 minutes`),
  );
  const times = await page.getByTestId("throughput-times").locator("time").allTextContents();
  expect(times).toEqual([expect.stringMatching(/^\d\d:\d\d$/), expect.stringMatching(/^\d\d:\d\d$/)]);
  await page
    .getByRole("region", { name: "Store" })
    .getByText(/^\d+(?:\.\d+)? ms of late$/)
    .waitFor();
});

test("a breaker that is open stands there with its error, and is closed by Reset", async () => {
  await page.goto("/system");
  const card = page.getByRole("region", { name: "Breakers" });
  await card.getByText("None is open: every tool is called.").waitFor();
  await breakIt();
  await breaker().getByText(said).waitFor();
  await page.getByRole("button", { name: "Reset the breaker of fail" }).click();
  await card.getByText("None is open: every tool is called.").waitFor();
  expect((await house.engine.breakers.list()).filter(({ state }) => state === "open")).toEqual([]);
});

test("a run that failed says that its tool is not called now, before it is retried, and has a Reset", async () => {
  const flow = { start: "send", steps: { send: { tool: "fail", args: {}, retry: false, done: true } } };
  const { id } = await house.engine.start({ format: "stepwell/v1", ...flow }, { name: "sending" });
  await house.engine.result(id);
  await breakIt();
  await page.goto(`/runs/${id}`);
  const told = page.getByTestId("failure-banner").getByTestId("breaker");
  await told.getByText("Until then a retry does not call it either.").waitFor();
  expect(await told.textContent()).toMatch(/^Breakeropenfail failed \d+ times, .*It may be called again in \d/);
  // The step has the same line, and so has the tool.
  const ofStep = page.getByTestId("inspector").getByTestId("breaker");
  expect(await ofStep.textContent()).toMatch(/^Breakeropenfail failed \d+ times, .*It may be called again in \d/);
  await told.getByRole("button", { name: "Reset the breaker of fail" }).click();
  await told.waitFor({ state: "detached" });
  await ofStep.waitFor({ state: "detached" });
  expect((await house.engine.breakers.list()).filter(({ state }) => state === "open")).toEqual([]);
});

test("a run that waits for a person is not called running", async () => {
  const flow = { format: "stepwell/v1", start: "ask", steps: { ask: { gate: {}, done: true } } };
  const { id } = await house.engine.start(flow, { name: "asking" });
  await page.goto("/system");
  const runs = page.getByRole("region", { name: "Under way" }).getByText(/ 0 scheduled, 0 paused$/);
  await runs.filter({ hasText: "waiting" }).waitFor();
  expect(await runs.textContent()).toBe("1 waiting, 0 scheduled, 0 paused");
  await house.engine.cancel(id);
});

test("diagnostics are downloaded as a file, without what tools and programs have said", async () => {
  await breakIt();
  await page.goto("/system");
  await breaker().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download diagnostics" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^stepwell-diagnostics-[\dT-]+\.json$/);
  const text = await readFile(await download.path(), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    system: { pid: process.pid, isOwner: true, stepsEnded: { everyMs: 10_000 } },
    servers: [{ key: "talker", hasWritten: true }],
    breakers: [{ tool: "fail", state: "open" }],
  });
  expect(text).not.toContain(said);
});

test.each([
  { name: "Metrics", path: "/metrics", shown: "stepwell_commits_total" },
  { name: "Health", path: "/health", shown: '"status":"ok"' },
])("the link $name leads to what a program would read", async ({ name, path, shown }) => {
  await page.goto("/system");
  await page.getByRole("link", { name, exact: true }).click();
  await page.waitForURL(`**${path}`);
  expect(await page.locator("body").textContent()).toContain(shown);
});

test.each([1280, 320])("the page has no fault at %i pixels in either theme, with a breaker open", async (width) => {
  await breakIt();
  await using narrow = await openWindow(house.address, { width });
  await narrow.page.goto("/system");
  await narrow.page.getByTestId("breaker").waitFor();
  await narrow.page.getByTestId("throughput").waitFor();
  expect(await findFaults(narrow.page, "system")).toEqual([]);
});
