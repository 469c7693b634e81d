import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { eventually, openWindow, takeOtherFaults } from "./harness/browser.ts";
import { openHouse } from "./harness/house.ts";
import { openProcess } from "./harness/process.ts";

describe("the first five minutes", () => {
  test("hello is run from the welcome and watched to its end, and the welcome remembers it", async () => {
    await using house = await openHouse({ hasDemos: true });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/");
    await page.getByRole("button", { name: "Run hello" }).click();
    await page.locator('main[data-page="run"]').waitFor();
    await page.getByText(/^Completed in/).waitFor();
    await page.goto("/");
    await page.locator('[data-testid="welcome-hello"][data-done="true"]').waitFor();
    await page.getByRole("button", { name: "Close the welcome" }).click();
    expect(await page.getByTestId("welcome").count()).toBe(0);
    await page.reload();
    await page.getByTestId("hour").first().waitFor();
    expect(await page.getByTestId("welcome").count()).toBe(0);
  });

  test("a failure heals before one's eyes: it backs off, is tried again, and the run completes", async () => {
    // As the demo's own, once somebody looks: it is down for a moment only.
    const looked = Promise.withResolvers<void>();
    const flaky = async (_args: unknown, { attempt }: { readonly attempt: number }): Promise<object> => {
      await looked.promise;
      if (attempt <= 2) throw new Error(`The source is down (try ${attempt})`);
      return { attempt, text: "Here you are." };
    };
    await using house = await openHouse({ hasDemos: true, tools: { "demo.flaky": flaky } });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/");
    const task = page.getByTestId("welcome-flaky");
    await task.getByRole("heading", { name: "See a failure heal" }).waitFor();
    await task.getByRole("button", { name: "Run flaky" }).click();
    await page.locator('[data-testid="graph-node"][data-status="running"]').waitFor();
    looked.resolve();
    await page.locator('[data-testid="graph-node"][data-status="retrying"]').waitFor();
    await page.getByText(/^Completed in/).waitFor();
    await page.getByTestId("timeline-row").first().click();
    expect(await page.getByTestId("inspector").getByText(/^#\d$/).count()).toBeGreaterThan(1);
    await page.goto("/");
    await page.locator('[data-testid="welcome-flaky"][data-done="true"]').waitFor();
  });

  test("a tick says that it has happened: not that it was begun, nor that a button was pressed", async () => {
    await using house = await openHouse({ hasDemos: true, app: { program: "npm start --" } });
    await using window = await openWindow(house.address);
    const { page } = window;
    const task = (id: string, isDone: boolean) =>
      page.locator(`[data-testid="welcome-${id}"][data-done="${isDone}"]`).waitFor();
    await page.goto("/");
    await page.getByRole("button", { name: "Run publish-digest" }).click();
    await page.locator('[data-node-key="review"]').filter({ hasText: "waiting" }).waitFor();
    // Commands are copied as they are typed where the server was started.
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy CLI command" }).click();
    const id = await page.getByTestId("run-status").getAttribute("data-run-id");
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`npm start -- rerun ${id}`);
    await page.goto("/library/publish-digest?tab=use");
    await page.getByRole("group", { name: "Command line" }).getByText("npm start -- run 'publish-digest'").waitFor();
    await page.goto("/");
    await task("publish-digest", false);
    await task("plug", false);
    await page.getByTestId("welcome-assistant").getByText("npm start -- mcp config claude").waitFor();
    expect(await page.getByTestId("welcome-assistant").locator("h3 svg").count()).toBe(0);
    await page.getByTestId("welcome-assistant").getByRole("button", { name: "Copy the command" }).click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe("npm start -- mcp config claude");
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Decide/ })
      .click();
    await page.getByTestId("inbox-detail").getByTestId("decide-a").click();
    await page.getByText("Nothing waits for you.").waitFor();
    await page.goto("/");
    await task("publish-digest", true);
    await task("own", false);
    await page.getByRole("button", { name: "Copy hello and edit it" }).click();
    await page.locator(".cm-content").waitFor();
    expect(new URL(page.url()).pathname).not.toBe("/library/hello/edit");
    const saved = await house.engine.workflows.list();
    expect(saved.filter(({ name, isEnabled }) => name.startsWith("hello") && isEnabled)).toHaveLength(2);
    await page.goto("/");
    await task("own", true);
  });

  test("a real MCP server is connected from the welcome, which leads to the dialog, and is ticked when it has brought tools", async () => {
    await using house = await openHouse({ hasDemos: true });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/");
    await page.locator('[data-testid="welcome-connect"][data-done="false"]').waitFor();
    await page.getByRole("button", { name: "Add a server" }).click();
    await page.locator('main[data-page="tools"]').waitFor();
    const dialog = page.getByRole("dialog", { name: "Add server" });
    await dialog.getByLabel("Name").fill("parrot");
    const program = fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url));
    await dialog.getByLabel("Command").fill(`'${process.execPath}' '${program}'`);
    await dialog.getByRole("button", { name: "Add without testing" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.locator('[data-testid="welcome-connect"][data-done="true"]').waitFor();
    expect(await house.engine.servers.list()).toMatchObject([{ key: "parrot", isAdded: true, toolCount: 2 }]);
  });

  test("what was once done stays ticked, also when its runs are deleted and the server is removed", async () => {
    const args = [fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url))];
    await using house = await openHouse({ hasDemos: true });
    await house.engine.servers.add("parrot", {
      command: process.execPath,
      args,
    });
    const { id } = await house.engine.start("hello");
    await house.engine.result(id);
    await using window = await openWindow(house.address);
    const { page } = window;
    const ticked = async (): Promise<void> => {
      await page.goto("/");
      for (const task of ["hello", "connect"])
        await page.locator(`[data-testid="welcome-${task}"][data-done="true"]`).waitFor();
    };
    await ticked();
    await house.engine.servers.remove("parrot");
    await house.engine.remove(id);
    expect(await house.engine.servers.list()).toEqual([]);
    await ticked();
    await page.locator('[data-testid="welcome-flaky"][data-done="false"]').waitFor();
  });

  test("the plug is pulled: the worker process dies in the midst of a step, another one goes on, and the page shows it", async () => {
    await using service = await openProcess(["--supervise"]);
    const findPid = async (): Promise<number> => {
      const response = await fetch(`${service.address}/api/system`);
      return ((await response.json()) as { readonly pid: number }).pid;
    };
    const before = await findPid();
    await using window = await openWindow(service.address, { isLavish: true });
    const { page } = window;
    await page.goto("/");
    await page.getByRole("button", { name: "Pull the plug" }).click();
    // Its page may be asked for in that very moment: then it comes with the next process.
    const completed = page.locator('main[data-page="run"]').getByText(/^Completed in/);
    await completed.waitFor({ timeout: 60_000 }).catch((error: unknown) => {
      throw new Error(`The service said: ${service.said()}`, { cause: error });
    });
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    expect(await findPid()).not.toBe(before);
    await page.goto("/");
    await page.locator('[data-testid="welcome-plug"][data-done="true"]').waitFor();
    // What the browser says of requests that nobody answered.
    await page.close();
    const lost = /dynamically imported|This part of the page could not be loaded/;
    const others = takeOtherFaults(window).filter((fault) => !lost.test(fault));
    expect(others).toEqual([]);
  });

  test("the demo is removed in one go, and what was changed stays", async () => {
    await using house = await openHouse({ hasDemos: true });
    await house.engine.workflows.save(
      { format: "stepwell/v1", start: "a", steps: { a: { tool: "demo.echo", args: { text: "mine" }, done: true } } },
      { name: "hello" },
    );
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/");
    await page.getByRole("button", { name: "Remove the demo" }).click();
    await page.getByRole("button", { name: "Remove them" }).click();
    await page.getByTestId("toast").filter({ hasText: "changed ones stay: hello" }).waitFor();
    expect((await house.engine.workflows.list()).map(({ name }) => name)).toEqual(["hello"]);
  });
});

test("without a pointer: a run is started, watched, approved and read", async () => {
  await using house = await openHouse({ hasDemos: true });
  await using window = await openWindow(house.address);
  const { page } = window;
  const { keyboard } = page;
  await page.goto("/");
  await page.locator('main[data-page="home"]').waitFor();
  await keyboard.press("n");
  const choosing = page.getByRole("dialog", { name: "Run a workflow" });
  await choosing.getByRole("option", { name: /^publish Write/ }).waitFor();
  await keyboard.type("publish");
  await choosing.getByRole("option", { name: /^publish Write/, selected: true }).waitFor();
  await keyboard.press("Enter");
  await page
    .getByRole("dialog", { name: /^Run publish/ })
    .getByTestId("start")
    .waitFor();
  await keyboard.press("Control+Enter");
  await page.locator('main[data-page="run"]').waitFor();
  await page.locator('[data-node-key="review"]').filter({ hasText: "waiting" }).waitFor();
  await keyboard.press("g");
  await keyboard.press("i");
  await page.getByTestId("inbox-item").first().waitFor();
  // A key counts once its answer stands there.
  await eventually(() => page.getByTestId("decide-a").isEnabled()).toBe(true);
  await keyboard.press("a");
  await page.getByTestId("armed").waitFor();
  await keyboard.press("Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  await keyboard.press("g");
  await keyboard.press("r");
  await page.getByTestId("run-row").first().waitFor();
  await keyboard.press("j");
  await keyboard.press("Enter");
  await page.locator('main[data-page="run"]').waitFor();
  await page.getByText(/^Completed in/).waitFor();
  expect((await house.engine.list({ status: "all" })).map(({ run }) => run.status)).toEqual(["completed"]);
});
