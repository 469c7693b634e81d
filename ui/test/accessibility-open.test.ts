// What opens on a page at a click or a key. Pages by their addresses are in accessibility.test.ts.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWindow } from "./harness/browser.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { openHouse, type House } from "./harness/house.ts";
import { findFaults } from "./harness/look.ts";
import { settle, visit } from "./harness/visit.ts";

let full: FullHouse;
/** With users, tokens and a secret; whoever comes logs in. */
let guarded: House;
const password = "correct horse";

beforeAll(async () => {
  full = await openFullHouse();
  guarded = await openHouse();
  await guarded.engine.secrets.set("MAIL_KEY", "a-value-that-nobody-is-shown");
  await guarded.engine.access.save("ann", { keys: ["130001", "tool:*"], password });
  await guarded.engine.access.save("ben", { keys: ["130001.read"] });
  await guarded.engine.access.tokens.create({ user: "ann", name: "for the nightly job" });
});

afterAll(async () => {
  for (const house of [full, guarded]) await house[Symbol.asyncDispose]();
});

type Opening = {
  readonly name: string;
  readonly path: () => string;
  readonly open: (page: Page) => Promise<void>;
  /** In the house with users. */
  readonly isGuarded?: boolean;
  /** What the browser says of an answer that was meant to be so. */
  readonly said?: string;
};

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name, exact: true }).first().click();
}

async function openMenu(page: Page, button: string | RegExp, entry: string): Promise<void> {
  await press(page, button);
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Where it is narrow all that can be done with a run stands in one menu. */
async function actOnRun(page: Page, open: () => Promise<void>, entry: string): Promise<void> {
  await page.getByTestId("run-status").waitFor();
  const isNarrow = (page.viewportSize()?.width ?? 0) < 768;
  await (isNarrow ? openMenu(page, "Actions", entry) : open());
}

async function writeInEditor(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

const ofPages: readonly Opening[] = [
  { name: "the palette", path: () => "/", open: (page) => page.keyboard.press("Control+k") },
  { name: "the sheet of keys", path: () => "/runs", open: (page) => page.keyboard.press("?") },
  {
    name: "cancelling a run",
    path: () => `/runs/${full.runs.waiting}`,
    open: (page) => actOnRun(page, () => press(page, "Cancel"), "Cancel…"),
  },
  {
    name: "a rerun with another input",
    path: () => `/runs/${full.runs.done}`,
    open: (page) => actOnRun(page, () => openMenu(page, "Rerun", "Edited input…"), "Rerun: Edited input…"),
  },
  {
    name: "cancelling runs that were chosen",
    path: () => "/runs?status=live",
    open: async (page) => {
      await page.getByTestId("run-row").first().getByRole("checkbox").check();
      await page
        .getByRole("toolbar", { name: "Chosen runs" })
        .getByRole("button", { name: /^Cancel/ })
        .click();
    },
  },
  {
    name: "taking a run off the schedule",
    path: () => "/schedules",
    open: (page) => press(page, /^Never begin run/),
  },
];

const ofWorkflows: readonly Opening[] = [
  {
    name: "a file to import",
    path: () => "/library",
    open: async (page) => {
      await page.getByTestId("new-workflow").click();
      await page.getByRole("menuitem", { name: "Import a file" }).click();
    },
  },
  {
    name: "a text to paste, and what is wrong with it",
    path: () => "/library",
    open: async (page) => {
      await page.getByTestId("new-workflow").click();
      await page.getByRole("menuitem", { name: "Paste" }).click();
      await page
        .getByRole("dialog")
        .getByRole("textbox")
        .first()
        .fill("format: stepwell/v1\nstart: nowhere\nsteps: {}");
      await page
        .getByRole("dialog")
        .getByText(/nowhere/)
        .last()
        .waitFor();
    },
  },
  {
    name: "deleting a workflow from the list",
    path: () => "/library",
    open: (page) => openMenu(page, "More about asking", "Delete"),
  },
  {
    name: "deleting a workflow from its page",
    path: () => "/library/publishing",
    open: (page) => openMenu(page, "More about publishing", "Delete"),
  },
  {
    name: "clearing its history",
    path: () => "/library/publishing?tab=runs",
    open: (page) => press(page, "Clear history"),
  },
  {
    name: "trying a step",
    path: () => "/library/publishing/edit",
    open: async (page) => {
      await page
        .locator(".cm-line")
        .filter({ hasText: /"?tool"?:/ })
        .first()
        .click();
      await press(page, "Try step");
    },
  },
  {
    name: "leaving what was not saved",
    path: () => "/library/publishing/edit",
    open: async (page) => {
      await writeInEditor(page, " ");
      // The editor's own list of completions.
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Library" }).first().click();
    },
  },
  {
    name: "what somebody else has saved meanwhile",
    path: () => "/library/asking/edit",
    said: "409",
    open: async (page) => {
      await page.locator(".cm-content").waitFor();
      const { text } = await full.engine.workflows.get("asking");
      await full.engine.workflows.save(
        (text ?? "").replace(/"description": "[^"]*"/, `"description": "Theirs at ${Date.now()}"`),
        { name: "asking" },
      );
      await writeInEditor(page, "\n\n");
      await page.keyboard.press("Control+s");
      await page.getByTestId("conflict").waitFor();
    },
  },
];

const ofSettings: readonly Omit<Opening, "isGuarded">[] = [
  { name: "a user to add", path: () => "/settings?tab=users", open: (page) => press(page, /^Add/) },
  { name: "taking a user away", path: () => "/settings?tab=users", open: (page) => press(page, /^Take user:ben away/) },
  { name: "a token to make", path: () => "/settings?tab=tokens", open: (page) => press(page, "Make one") },
  {
    name: "a token that was made",
    path: () => "/settings?tab=tokens",
    open: async (page) => {
      await press(page, "Make one");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("User").fill("ann");
      await dialog.getByLabel("Name").fill("for a script");
      await dialog.getByRole("button", { name: "Make it" }).click();
      await page.getByRole("dialog", { name: "Your token" }).waitFor();
    },
  },
  { name: "revoking a token", path: () => "/settings?tab=tokens", open: (page) => press(page, "Revoke") },
  { name: "a secret to keep", path: () => "/settings?tab=secrets", open: (page) => press(page, "Keep one") },
  { name: "forgetting a secret", path: () => "/settings?tab=secrets", open: (page) => press(page, "Forget MAIL_KEY") },
];

async function logIn(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("User").fill("ann");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator('main[data-page="home"]').waitFor();
}

describe.each([1280, 320])("what opens at %i pixels has no fault in either theme:", (width) => {
  const openings: readonly Opening[] = [
    ...ofPages,
    ...ofWorkflows,
    ...ofSettings.map((opening) => ({ ...opening, isGuarded: true })),
  ];
  test.each(openings)("$name", async ({ name, path, open, isGuarded, said }) => {
    const { address } = isGuarded === true ? guarded : full;
    await using window = await openWindow(address, { width });
    const { page, faults } = window;
    if (isGuarded === true) await logIn(page);
    await visit(page, path());
    await page.locator("h1").first().waitFor({ state: "attached" });
    await settle(page);
    await open(page);
    await page.getByRole("dialog").waitFor();
    expect(await findFaults(page, name)).toEqual([]);
    const expected = [...(isGuarded === true ? ["401", "EventSource"] : []), ...(said === undefined ? [] : [said])];
    expect(faults.splice(0).filter((fault) => !expected.some((word) => fault.includes(word)))).toEqual([]);
  });
});
