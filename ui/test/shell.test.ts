import { describe, expect, test } from "vitest";
import { findViolations } from "./harness/axe.ts";
import { openHouse } from "./harness/house.ts";
import { openWindow } from "./harness/browser.ts";

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

  test.each([
    ["light", 1280],
    ["dark", 320],
  ] as const)(
    "axe finds nothing on it in %s at %i pixels, and nothing is wider than the window",
    async (theme, width) => {
      await using house = await openHouse();
      await using window = await openWindow(house.address, { theme, width });
      await window.page.goto("/nowhere");
      await window.page.locator("main").waitFor();
      expect(await findViolations(window.page)).toEqual([]);
      expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    },
  );
});
