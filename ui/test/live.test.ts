// What others do while a page is open: it is there without a reload.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openHouse } from "./harness/house.ts";
import { eventually, openWindow } from "./harness/browser.ts";

const tools = { say: () => "hello" };
const hello = { start: { tool: "say", args: {}, done: true } };

async function untilLive(page: Page): Promise<void> {
  await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
}

describe("what is kept beside the runs", () => {
  test("a workflow that another saves, switches off or deletes shows in the open library at once", async () => {
    await using house = await openHouse({ tools });
    const { workflows } = house.engine;
    await workflows.save(hello, { name: "first" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/library");
    const rows = page.getByTestId("workflow-row");
    const names = (): Promise<readonly (string | null)[]> =>
      rows.evaluateAll((found) => found.map((row) => row.getAttribute("data-workflow")));
    await eventually(names).toEqual(["first"]);
    await untilLive(page);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await workflows.save(hello, { name: "second" });
    await eventually(names).toEqual(["first", "second"]);
    const isOn = page.locator('[data-workflow="second"]').getByRole("switch");
    expect(await isOn.getAttribute("aria-checked")).toBe("true");
    await workflows.disable("second");
    await eventually(() => isOn.getAttribute("aria-checked")).toBe("false");
    await workflows.delete("first");
    await eventually(names).toEqual(["second"]);
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
  });

  test("a tool that comes with another description shows in the inbox, its badge and the list of tools", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-parrot-"));
    const program = join(folder, "parrot.mts");
    const text = readFileSync(fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url)), "utf8");
    writeFileSync(program, text);
    try {
      const mcpServers = { parrot: { command: process.execPath, args: [program] } };
      await using house = await openHouse({ mcpServers });
      await using window = await openWindow(house.address);
      const { page } = window;
      await page.goto("/inbox");
      await page.locator('main[data-page="inbox"]').waitFor();
      await untilLive(page);
      expect(await page.getByTestId("inbox-count").count()).toBe(0);
      writeFileSync(program, text.replace('"Says what it was told"', '"Says what it was told, louder"'));
      await house.engine.servers.restart("parrot");
      await eventually(() => page.getByTestId("inbox-count").first().textContent()).toBe("1 waiting");
      await page.locator("main").getByText("parrot.echo").first().waitFor();
      await house.engine.lock.approve("parrot");
      await eventually(() => page.getByTestId("inbox-count").count()).toBe(0);
      await page.goto("/tools");
      await page.locator("main").getByText("Says what it was told, louder").first().waitFor();
      await untilLive(page);
      await house.engine.tools.load({ "garden.count": () => 3 });
      await page.locator("main").getByText("garden.count").first().waitFor();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
