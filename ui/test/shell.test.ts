import { describe, expect, test } from "vitest";
import { openHouse } from "./harness/house.ts";
import { eventually, openWindow } from "./harness/browser.ts";

const hello = { start: { tool: "say", args: {}, done: true } };
const failing = { start: { tool: "fail", args: {}, retry: { attempts: 1 }, done: true } };
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

  test("the way to a page stands above it, and leads back; a narrow window shows the last step of it alone", async () => {
    await using house = await openHouse({ tools });
    const { id } = await house.engine.start(hello, { name: "hello" });
    await house.engine.workflows.save(JSON.stringify(hello), { name: "hello" });
    await using window = await openWindow(house.address);
    const { page } = window;
    const way = page.getByRole("navigation", { name: "Breadcrumb" });
    await page.goto(`/runs/${id}`);
    await way.getByText(`hello ${id}`, { exact: true }).waitFor();
    expect(await way.getByRole("listitem").allTextContents()).toEqual(["Runs", `hello ${id}`]);
    expect(await way.locator("[aria-current=page]").textContent()).toBe(`hello ${id}`);
    expect(await page.locator("h1").count()).toBe(1);
    await way.getByRole("link", { name: "Runs" }).click();
    await page.locator('main[data-page="runs"]').waitFor();
    await eventually(() => way.getByRole("listitem").allTextContents()).toEqual(["Runs"]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await way.isVisible()).toBe(false);
    await page.goto("/library/hello/edit");
    await eventually(() => way.getByRole("listitem").allTextContents()).toEqual(["hello"]);
    await way.getByRole("link", { name: "hello" }).click();
    await page.locator('main[data-page="workflow"]').waitFor();
  });

  test("a theme that was chosen is there before the first paint of the next visit", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address, { theme: "light" });
    const { page } = window;
    await page.goto("/");
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    await eventually(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    // Before any of the page's own script has run.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload({ waitUntil: "domcontentloaded" });
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    // What the browser says of scripts that did not come is whole only once it is closed.
    await page.close();
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

  test("in the library, the tools and the schedules J and K go from row to row, and Enter opens", async () => {
    await using house = await openHouse({ tools, hasDemos: true });
    for (const minutes of [30, 60]) await house.engine.start(hello, { name: "later", at: `in ${minutes} minutes` });
    await using window = await openWindow(house.address);
    const { page } = window;
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
    const lists = [
      { path: "/library", row: "workflow-row", opened: 'main[data-page="workflow"]' },
      { path: "/tools", row: "tool-row", opened: "[role=dialog]" },
      { path: "/schedules", row: "schedule-row", opened: 'main[data-page="run"]' },
    ];
    for (const { path, row, opened } of lists) {
      await page.goto(path);
      const names = page.getByTestId(row).locator("[data-row-link]");
      await names.nth(1).waitFor();
      const [first, second] = await names.allTextContents();
      for (const [key, name] of [
        ["j", first],
        ["j", second],
        ["k", first],
        ["k", first],
        ["j", second],
      ] as const) {
        await page.keyboard.press(key);
        expect([path, await focused()]).toEqual([path, name]);
      }
      await page.keyboard.press("Enter");
      await page.locator(opened).waitFor();
    }
  });

  test("E edits the workflow that is looked at, but not while somebody types", async () => {
    await using house = await openHouse({ tools });
    await house.engine.workflows.save(JSON.stringify(hello), { name: "hello" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/library");
    await page.getByPlaceholder(/./).first().fill("");
    await page.keyboard.type("jeke");
    expect(await page.getByPlaceholder(/./).first().inputValue()).toBe("jeke");
    await page.goto("/library/hello");
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await page.keyboard.press("e");
    await page.locator('main[data-page="editor"]').waitFor();
    expect(new URL(page.url()).pathname).toBe("/library/hello/edit");
  });

  test("what could not be read says which request it was, as the server's log does; the details can be copied", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.route("**/api/schedules*", (route) => route.continue({ url: `${house.address}/api/workflow/7` }));
    const ids: (string | null)[] = [];
    page.on("response", async (response) => {
      if (response.status() === 404) ids.push(await response.headerValue("x-request-id"));
    });
    await page.goto("/schedules");
    // Then it is read once more.
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    const failed = page.getByTestId("failed").first();
    const id = await failed.locator("code").textContent();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await eventually(() => ids).toContain(id);
    await failed.getByRole("button", { name: "Copy details" }).click();
    await page.getByTestId("toast").getByText("Copied.").waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as { request_id: string };
    expect(copied).toMatchObject({ code: "RUN_NOT_FOUND", page: "/schedules" });
    await eventually(() => ids).toContain(copied.request_id);
    await page.close();
    expect(window.faults.splice(0).filter((fault) => !fault.includes("404"))).toEqual([]);
  });

  test("in a narrow window every page can be reached", async () => {
    await using house = await openHouse({ tools });
    await using window = await openWindow(house.address, { width: 320, height: 640 });
    const { page } = window;
    await page.goto("/");
    for (const [label, name] of [
      ["Schedules", "schedules"],
      ["System", "system"],
      ["Settings", "settings"],
    ] as const) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: label }).click();
      await page.locator(`main[data-page="${name}"]`).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${name}`);
    }
  });

  test("the icon tells that a run failed until somebody has looked at it", async () => {
    const fail = (): never => {
      throw new Error("No.");
    };
    await using house = await openHouse({ tools: { fail } });
    await using window = await openWindow(house.address);
    const { page } = window;
    const icon = (): Promise<string | null> => page.locator('link[rel="icon"]').getAttribute("href");
    await page.goto("/");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await house.engine.start(failing, { name: "failing" });
    await eventually(icon).toContain("DC2B32");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByTestId("run-row").getByRole("link").first().click();
    await page.locator('main[data-page="run"]').waitFor();
    await eventually(icon).toBe("/favicon.svg");
    await page.locator("main").getByText("failed", { exact: true }).first().waitFor();
    expect(await icon()).toBe("/favicon.svg");
  });

  test("the icon is amber while something waits for a person", async () => {
    await using house = await openHouse({ tools });
    await using window = await openWindow(house.address);
    const { page } = window;
    const icon = (): Promise<string | null> => page.locator('link[rel="icon"]').getAttribute("href");
    await page.goto("/");
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    expect(await icon()).toBe("/favicon.svg");
    const { id } = await house.engine.start({ start: { gate: { title: "Go on?" }, done: true } }, { name: "asking" });
    await eventually(icon).toContain("E09A1E");
    const [gate] = (await house.engine.get(id)).steps;
    await house.engine.answer(gate?.id ?? 0, { by: "ann", outcome: "approved" });
    await eventually(icon).toBe("/favicon.svg");
  });

  test("in the palette are pages to go to and things to do: run a workflow, toggle the theme", async () => {
    await using house = await openHouse({ tools });
    await house.engine.workflows.save(JSON.stringify(hello), { name: "hello" });
    await using window = await openWindow(house.address, { theme: "light" });
    const { page } = window;
    const pick = async (text: string, word: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("A page, a workflow").fill(text);
      await page.getByTestId("palette").getByRole("option", { name: word, exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByTestId("palette").waitFor({ state: "detached" });
    };
    await page.goto("/");
    await page.locator('main[data-page="home"]').waitFor();
    for (const [label, name] of [
      ["System", "system"],
      ["Documentation", "docs"],
      ["Runs", "runs"],
    ] as const) {
      await pick(`go to ${label}`, label);
      await page.locator(`main[data-page="${name}"]`).waitFor();
    }
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    await pick("toggle th", "Toggle theme");
    await eventually(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    await pick("run hello", "Run hello");
    await page.getByRole("dialog", { name: "Run hello" }).getByTestId("start").click();
    await page.locator('main[data-page="run"]').waitFor();
    const [run] = await house.engine.list();
    expect(run?.run.name).toBe("hello");
  });

  test("the sidebar is folded by a key, and stays so on the next visit", async () => {
    await using house = await openHouse();
    await using window = await openWindow(house.address);
    const { page } = window;
    const width = async (): Promise<number> =>
      (await page.getByRole("navigation", { name: "Pages" }).first().boundingBox())?.width ?? 0;
    await page.goto("/");
    await page.locator('main[data-page="home"]').waitFor();
    const wide = await width();
    await page.keyboard.press("[");
    await eventually(width).toBeLessThan(wide / 2);
    await page.reload();
    await page.locator('main[data-page="home"]').waitFor();
    expect(await width()).toBeLessThan(wide / 2);
    // Its pages have their names all the same.
    await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Library" }).click();
    await page.locator('main[data-page="library"]').waitFor();
    await page.keyboard.press("[");
    await eventually(width).toBe(wide);
  });

  test("what is counted down to says when it is", async () => {
    await using house = await openHouse({ tools });
    const at = Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000;
    await house.engine.start(hello, { name: "later", at });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/schedules");
    const countdown = page.getByTestId("schedule-row").locator("time").filter({ hasText: /^in / });
    expect(await countdown.getAttribute("datetime")).toBe(new Date(at).toISOString());
    expect(await countdown.getAttribute("title")).toMatch(/\d{4},? (?:at )?\d\d:\d\d:00 /);
  });

  test("on a page of a workflow the button above every page, and N, run that one", async () => {
    await using house = await openHouse({ tools });
    await house.engine.workflows.save(JSON.stringify(hello), { name: "harbour" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/library/harbour");
    await page.locator('main[data-page="workflow"]').waitFor();
    await page.getByRole("banner").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog", { name: "Run harbour" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "Run harbour" }).getByTestId("start").waitFor();
    expect(new URL(page.url()).search).toBe("?start=harbour");
  });
});
