// What the page shows while it stands still: paused, or without a server.

import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openHouse } from "./harness/house.ts";
import { eventually, openWindow, takeOtherFaults } from "./harness/browser.ts";
import { openProcess } from "./harness/process.ts";

const echo = { start: { tool: "demo.echo", args: { text: "hello" }, done: true } };

/** How many requests to such paths are not answered yet. */
function countUnderWay(page: Page, isMeant: (path: string) => boolean): () => number {
  const open = new Set<Request>();
  page.on("request", (request) => isMeant(new URL(request.url()).pathname) && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return () => open.size;
}

describe("a page that stands still", () => {
  test("paused, no clock goes on", async () => {
    const hold = (_args: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("Given up."))));
    await using house = await openHouse({ tools: { hold } });
    const { id } = await house.engine.start({ start: { tool: "hold", done: true } }, { name: "holding" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.clock.install();
    await page.goto("/runs");
    const row = page.locator('[data-testid="run-row"][data-status="running"]');
    await row.waitFor();
    await page.keyboard.press("p");
    await page.locator("html[data-paused]").waitFor({ state: "attached" });
    const before = await row.textContent();
    await page.clock.fastForward(90_000);
    expect(await row.textContent()).toBe(before);
    await page
      .getByTestId("paused")
      .getByText(/^Paused at \d\d:\d\d:\d\d/)
      .waitFor();
    await page.getByTestId("paused").getByRole("button", { name: "Resume" }).click();
    await eventually(() => row.textContent()).not.toBe(before);
    await house.engine.cancel(id);
  });

  test("paused, nothing is asked for: not what no event tells of, and nothing when the line breaks", async () => {
    await using service = await openProcess();
    await using window = await openWindow(service.address);
    const { page } = window;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const isRead = (path: string): boolean => path.startsWith("/api/") && path !== "/api/events";
    const reads = (): readonly string[] => asked.filter(isRead);
    const underWay = countUnderWay(page, isRead);
    await page.clock.install();
    await page.goto("/system");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    const before = reads().filter((path) => path === "/api/system").length;
    await page.clock.runFor(5000);
    await eventually(() => reads().filter((path) => path === "/api/system").length).toBeGreaterThan(before);
    // What was asked for before is asked for again should its answer be lost.
    await eventually(underWay).toBe(0);
    await page.keyboard.press("p");
    await page.locator("html[data-paused]").waitFor({ state: "attached" });
    asked.splice(0);
    await page.clock.runFor(30_000);
    expect(reads()).toEqual([]);
    await service.kill();
    // It tries to listen again and again, and is refused: the line is as bad as it gets.
    for (let tries = 1; tries <= 3; tries++) {
      const again = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/events"));
      await page.clock.runFor(5000);
      await again;
    }
    await page.clock.runFor(30_000);
    expect(reads()).toEqual([]);
    await service.start();
    await page.getByTestId("paused").getByRole("button", { name: "Resume" }).click();
    await page.clock.runFor(5000);
    await eventually(() => reads().includes("/api/system")).toBe(true);
    await page.close();
    expect(takeOtherFaults(window)).toEqual([]);
  });

  test("a page that was not loaded before the server was killed says so in its place, and comes by itself when it is back", async () => {
    await using service = await openProcess();
    await using window = await openWindow(service.address);
    const { page } = window;
    // As if there had been no time yet to load it.
    await page.addInitScript("globalThis.requestIdleCallback = () => 0");
    await page.goto("/runs");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await service.kill();
    await page.getByRole("link", { name: "System" }).click();
    await page.locator('main[data-page="broken"]').getByText("This part of the page could not be loaded.").waitFor();
    await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Runs" }).waitFor();
    // What opens a menu is loaded ahead by the pointer alone.
    await page.getByRole("button", { name: /^Theme/ }).hover();
    await page.keyboard.press("?");
    await page.getByTestId("toast").filter({ hasText: "could not be loaded" }).waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    await page.getByTestId("toast").filter({ hasText: "The server does not answer." }).waitFor();
    await service.start();
    await page.locator('main[data-page="system"]').waitFor();
    await page.close();
    const others = takeOtherFaults(window).filter((fault) => !fault.includes("could not be loaded"));
    expect(others).toEqual([]);
  });

  test("a page that did not come though the server is there is tried again by whoever wants it", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.addInitScript("globalThis.requestIdleCallback = () => 0");
    await page.goto("/runs");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    const part = /\/assets\/system[^/]*\.js/;
    await page.route(part, (route) => route.abort());
    await page.getByRole("link", { name: "System" }).click();
    await page.locator('main[data-page="broken"]').getByText("This part of the page could not be loaded.").waitFor();
    await page.unroute(part);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator('main[data-page="system"]').waitFor();
    await page.close();
    const others = takeOtherFaults(window).filter((fault) => !fault.includes("could not be loaded"));
    expect(others).toEqual([]);
  });

  test("offline, no clock goes on, and nothing seems to run", async () => {
    await using service = await openProcess();
    await using window = await openWindow(service.address);
    const { page } = window;
    const wait = { format: "stepwell/v1", start: "nap", steps: { nap: { wait: "30m", done: true } } };
    await service.post("/api/workflow", { name: "nap", flow: wait });
    await page.clock.install();
    await page.goto("/runs");
    const row = page.getByTestId("run-row").filter({ hasText: "nap" });
    await row.waitFor();
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await service.kill();
    await page.locator('[data-testid="live"][data-line="offline"]').first().waitFor();
    const before = await row.textContent();
    await page.clock.fastForward(90_000);
    expect(await row.textContent()).toBe(before);
    // It asks on while it is looked at: what the browser says of that is whole only once it is closed.
    await page.close();
    expect(takeOtherFaults(window)).toEqual([]);
    await service.start();
  });

  test("a server that is killed shows Offline, its return Live, and what happened meanwhile is there once", async () => {
    await using service = await openProcess();
    await using window = await openWindow(service.address, { isLavish: true });
    const { page } = window;
    await page.goto("/runs");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await service.post("/api/workflow", { name: "before", flow: echo });
    await page.getByTestId("run-row").filter({ hasText: "before" }).waitFor();
    await service.kill();
    await page.locator('[data-testid="live"][data-line="offline"]').first().waitFor();
    await service.start();
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await service.post("/api/workflow", { name: "after", flow: echo });
    await page.getByTestId("run-row").filter({ hasText: "after" }).waitFor();
    expect(await page.getByTestId("run-row").filter({ hasText: "before" }).count()).toBe(1);
    expect(await page.getByTestId("run-row").filter({ hasText: "after" }).count()).toBe(1);
    // What the browser says of requests that nobody answered.
    await page.close();
    expect(takeOtherFaults(window)).toEqual([]);
  });
});
