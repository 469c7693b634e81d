import { describe, expect, test } from "vitest";
import { openHouse } from "./harness/house.ts";
import { openWindow } from "./harness/browser.ts";
import { openProcess } from "./harness/process.ts";

const hello = { start: { tool: "say", args: {}, done: true } };
const echo = { start: { tool: "demo.echo", args: { text: "hello" }, done: true } };
const tools = { say: () => "hello" };

describe("the shell", () => {
  test("an address that no page has shows a page that says so, and leads home", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address);
    await window.page.goto("/nowhere/at/all");
    await window.page.locator('main[data-page="not-found"]').waitFor();
    await window.page.getByRole("link", { name: "Go home" }).click();
    await window.page.locator('main[data-page="home"]').waitFor();
    expect(new URL(window.page.url()).pathname).toBe("/");
  });

  test("a run's id or uid in the palette opens that run", async () => {
    await using house = await openHouse({ tools });
    const { id, uid } = await house.engine.start(hello, { name: "hello" });
    await house.engine.result(id);
    await using window = await openWindow(house.address);
    const { page } = window;
    for (const text of [String(id), uid]) {
      await page.goto("/");
      await page.locator('main[data-page="home"]').waitFor();
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("A page, a workflow").fill(text);
      await page.getByText(`Open run ${id}`).click();
      await page.locator('main[data-page="run"]').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/runs/${id}`);
    }
  });

  test("a theme that was chosen is there before the first paint of the next visit", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address, { theme: "light" });
    const { page } = window;
    await page.goto("/");
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    // Before any of the page's own script has run.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    window.faults.splice(0);
  });

  test("keys lead from page to page, and do nothing where somebody types", async () => {
    await using house = await openHouse({ tools });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/");
    await page.locator('main[data-page="home"]').waitFor();
    for (const [key, name] of [
      ["r", "runs"],
      ["i", "inbox"],
      ["t", "tools"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.locator(`main[data-page="${name}"]`).waitFor();
    }
    await page.getByPlaceholder("Words of a name").fill("");
    await page.keyboard.type("gh?n");
    expect(await page.getByPlaceholder("Words of a name").inputValue()).toBe("gh?n");
    expect(await page.locator('main[data-page="tools"]').count()).toBe(1);
    await page.locator("h1").click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  });

  test("a server that is killed shows Offline, its return Live, and what happened meanwhile is there once", async () => {
    await using service = await openProcess();
    await using window = await openWindow(service.address);
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
    const others = window.faults
      .splice(0)
      .filter((fault) => !/ERR_CONNECTION|503|ERR_EMPTY|ERR_INCOMPLETE/.test(fault));
    expect(others).toEqual([]);
  });
});
