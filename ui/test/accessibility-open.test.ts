// What opens on a page at a click or a key. Pages by their addresses are in accessibility.test.ts.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWindow } from "./harness/browser.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { findFaults } from "./harness/look.ts";
import { settle, visit } from "./harness/visit.ts";

let full: FullHouse;

beforeAll(async () => {
  full = await openFullHouse();
});

afterAll(async () => {
  await full[Symbol.asyncDispose]();
});

type Opening = { readonly name: string; readonly path: () => string; readonly open: (page: Page) => Promise<void> };

async function openMenu(page: Page, button: string | RegExp, entry: string): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await page.getByRole("menuitem", { name: entry }).click();
}

const openings: readonly Opening[] = [
  { name: "the palette", path: () => "/", open: (page) => page.keyboard.press("Control+k") },
  { name: "the sheet of keys", path: () => "/runs", open: (page) => page.keyboard.press("?") },
  {
    name: "cancelling a run",
    path: () => `/runs/${full.runs.waiting}`,
    open: (page) => page.getByRole("button", { name: "Cancel", exact: true }).click(),
  },
  {
    name: "a file to import",
    path: () => "/library",
    open: async (page) => {
      await page.getByTestId("new-workflow").click();
      await page.getByRole("menuitem", { name: "Import a file" }).click();
    },
  },
  {
    name: "a user to add, with what they may",
    path: () => "/settings?tab=users",
    open: (page) => page.getByRole("button", { name: "Add", exact: true }).click(),
  },
  {
    name: "a rerun with another input",
    path: () => `/runs/${full.runs.done}`,
    open: (page) => openMenu(page, /^Rerun/, "Edited input…"),
  },
];

describe("what opens has no fault in either theme:", () => {
  test.each(openings)("$name", async ({ name, path, open }) => {
    await using window = await openWindow(full.address);
    const { page } = window;
    await visit(page, path());
    await page.locator("h1").first().waitFor({ state: "attached" });
    await settle(page);
    await open(page);
    await page.getByRole("dialog").waitFor();
    expect(await findFaults(page, name)).toEqual([]);
  });
});
