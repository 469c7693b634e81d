// The page of one workflow: which of its steps are slow or fail, and what governs its runs.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow, type Window } from "./harness/browser.ts";
import * as flows from "./harness/run-house.ts";
import { visit } from "./harness/visit.ts";

let house: flows.RunHouse;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await flows.openRunHouse();
  window = await openWindow(house.address);
  ({ page } = window);
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

const main = () => page.locator('main[data-page="workflow"]');

test("its overview tells which steps are slowest and which fail, also of one tool, and leads to them in the drawing", async () => {
  const mail = (key: string, next: object) => ({ tool: "mail", args: { key }, retry: false, ...next });
  const flow = {
    format: "stepwell/v1",
    start: "send",
    steps: {
      send: mail("sent", { next: "send again" }),
      "send again": mail("never", { routes: { error: "note" }, done: true }),
      note: { tool: "say", args: { text: "noted" }, done: true },
    },
  };
  house.mend("sent");
  await house.engine.save(flow, { name: "letters" });
  for (let run = 0; run < 2; run += 1) await house.engine.result((await house.engine.start("letters")).id);
  await visit(page, "/library/letters");
  const failing = main().locator("section").filter({ hasText: "Steps that fail most" }).getByRole("listitem");
  await failing.first().waitFor();
  expect(await failing.allTextContents()).toEqual(["send againmail2 of 2 calls"]);
  const slowest = main().locator("section").filter({ hasText: "Slowest steps" }).getByRole("listitem");
  expect((await slowest.getByRole("link").allTextContents()).toSorted()).toEqual(["note", "send", "send again"]);
  await failing.getByRole("link", { name: "send again" }).click();
  await page.locator('[data-testid="graph-node"][data-node-key="send again"][aria-pressed="true"]').waitFor();
});

test("its settings say what the definition declares and who may do what, and turn it off and on", async () => {
  const flow = {
    format: "stepwell/v1",
    cancel: "never",
    timeout: "2d",
    start: "ask",
    steps: {
      ask: {
        gate: { title: "Well?", approvers: ["user:ann"], need: 1 },
        routes: { approved: "rate", rejected: "end" },
      },
      rate: {
        tool: "say",
        args: { text: "{{ item }}" },
        each: { items: "{{ input.items }}", concurrency: 7 },
        timeout: "9s",
        done: true,
      },
    },
  };
  await house.engine.save(flow, { name: "governed" });
  await visit(page, "/library/governed?tab=settings");
  const told = async (term: string): Promise<string | null> =>
    main()
      .locator("dl > div")
      .filter({ has: page.locator("dt", { hasText: term }) })
      .locator("dd")
      .textContent();
  await main().getByText("What version 1 says").waitFor();
  expect(await told("Cancelling")).toBe("never");
  expect(await told("A run may take")).toBe("2d");
  expect(await told("A call may take")).toBe("120srate: 9s");
  expect(await told("Items at a time")).toBe("rate: 7");
  expect(await told("Who answers")).toBe("ask: ann");
  expect(await told("130001.cancel")).toBe("Cancels runs");
  await main().getByRole("switch", { name: "governed can be started" }).click();
  await main().getByText("It is not started by anybody.").waitFor();
  expect((await house.engine.workflows.get("governed")).isEnabled).toBe(false);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    main().getByRole("button", { name: "Export governed" }).click(),
  ]);
  expect(file.suggestedFilename()).toContain("governed");
  await main().getByRole("link", { name: "edit it" }).click();
  await page.waitForURL("**/library/governed/edit");
});
