// Every page by its address. What opens on it at a click or a key is looked at in accessibility-open.test.ts.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWindow } from "./harness/browser.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { openHouse, type House } from "./harness/house.ts";
import { findFaults } from "./harness/look.ts";
import { settle, visit } from "./harness/visit.ts";

let full: FullHouse;
let guarded: House;
let empty: House;

const password = "correct horse";

beforeAll(async () => {
  full = await openFullHouse();
  empty = await openHouse();
  guarded = await openHouse();
  await guarded.engine.secrets.set("MAIL_KEY", "a-value-that-nobody-is-shown");
  await guarded.engine.access.save("ann", { keys: ["130001", "tool:*"], password });
  await guarded.engine.access.save("editors", { keys: ["130001.read"] });
  await guarded.engine.access.tokens.create({ user: "ann", name: "for the nightly job" });
});

afterAll(async () => {
  for (const house of [full, guarded, empty]) await house[Symbol.asyncDispose]();
});

const everywhere = [
  "/",
  "/runs",
  "/inbox",
  "/inbox?tab=done",
  "/library",
  "/library?tab=examples",
  "/schedules",
  "/tools",
  "/system",
  "/settings",
  "/settings?tab=users",
  "/settings?tab=tokens",
  "/settings?tab=secrets",
  "/settings?tab=audit",
  "/settings?tab=about",
  "/docs",
  "/docs/rest",
  "/workflow",
  "/workflows",
  "/new",
  "/?start=*",
  "/runs/1",
  "/library/nobody",
];

function ofRuns(): readonly string[] {
  const { runs } = full;
  const parts = ["input", "output", "error", "logs", "raw"];
  return [
    `/runs/${runs.done}?step=rate`,
    `/runs/${runs.failed}`,
    `/runs/${runs.waiting}?tab=history`,
    `/runs/${runs.each}?view=table`,
    `/runs/${runs.machine}?tab=definition`,
    `/runs/${runs.older}?tab=definition`,
    `/runs/${runs.done}?tab=values`,
    `/runs/${runs.older}?tab=logs`,
    `/runs/${runs.later}`,
    `/runs/${runs.uncertain}`,
    `/runs/${runs.astray}`,
    `/runs/${runs.held}`,
    ...parts.map((part) => `/runs/${runs.failed}?step=send&part=${part}`),
    `/runs/${runs.older}?step=write&part=output`,
  ];
}

function ofWorkflowsAndTools(): readonly string[] {
  return [
    "/library/publishing",
    ...["runs", "versions", "use", "settings", "definition"].map((tab) => `/library/asking?tab=${tab}`),
    "/library/publishing/edit",
    "/tools?tool=demo.echo",
    "/?start=asking",
  ];
}

/** One address of each page: where nothing can be read its parts and tabs are not there. */
function eachPage(): readonly string[] {
  const more = [`/runs/${full.runs.done}`, "/library/publishing", "/library/publishing/edit", "/tools?tool=demo.echo"];
  return [...everywhere, ...more, "/?start=asking"];
}

async function findAll(page: Page, paths: readonly string[], isReadable = true): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await visit(page, path);
    if (path.includes("?start=") || (path.includes("?tool=") && isReadable)) await page.getByRole("dialog").waitFor();
    await page.locator("h1").first().waitFor({ state: "attached" });
    await settle(page);
    found.push(...(await findFaults(page, path)));
  }
  return found;
}

/** What the browser says of answers that were meant to be so, of a page that is closed: before, it may ask again. */
function othersThan(said: readonly string[], faults: string[]): readonly string[] {
  return faults.splice(0).filter((fault) => !said.some((word) => fault.includes(word)));
}

describe.each([1280, 320])("at %i pixels, in both themes, axe finds nothing, and no page is wider", (width) => {
  test.each([
    ["on every page", () => everywhere],
    ["on those of a run", ofRuns],
    ["on those of a workflow or a tool", ofWorkflowsAndTools],
  ])("where there is something of everything, %s", async (_, addresses) => {
    await using window = await openWindow(full.address, { width });
    const found = await findAll(window.page, addresses());
    await window.page.close();
    expect([...found, ...othersThan(["404"], window.faults)]).toEqual([]);
  });

  test("where there is nothing yet", async () => {
    await using window = await openWindow(empty.address, { width });
    const { page } = window;
    const found = [...(await findAll(page, everywhere))];
    await page.goto("/nowhere");
    await page.locator('main[data-page="not-found"]').waitFor();
    found.push(...(await findFaults(page, "/nowhere")));
    await page.close();
    expect([...found, ...othersThan(["404"], window.faults)]).toEqual([]);
  });

  test("where somebody logs in, at first in vain", async () => {
    await using window = await openWindow(guarded.address, { width });
    const { page } = window;
    await page.goto("/login");
    await page.getByLabel("User").fill("ann");
    const found = [...(await findFaults(page, "/login"))];
    for (const word of ["wrong horse", password]) {
      await page.getByLabel("Password").fill(word);
      await page.getByRole("button", { name: "Log in" }).click();
      if (word === password) continue;
      await page.getByRole("alert").waitFor();
      found.push(...(await findFaults(page, "/login in vain")));
    }
    await page.locator('main[data-page="home"]').waitFor();
    const tabs = ["general", "users", "tokens", "secrets", "audit"];
    const paths = tabs.map((tab) => `/settings?tab=${tab}`);
    found.push(...(await findAll(page, paths)));
    await page.close();
    expect([...found, ...othersThan(["401", "EventSource"], window.faults)]).toEqual([]);
  });

  test("where nothing can be read", async () => {
    await using window = await openWindow(full.address, { width });
    const problem = {
      type: "about:blank",
      title: "Not available",
      status: 503,
      code: "ENGINE_STOPPED",
      detail: "The engine has stopped.",
      hint: "Start it again.",
    };
    await window.page.route("**/api/**", (route) => route.fulfill({ status: 503, json: problem }));
    const found = await findAll(window.page, eachPage(), false);
    await window.page.close();
    expect([...found, ...othersThan(["503", "EventSource"], window.faults)]).toEqual([]);
  });
});
