// Takes the pictures of the page for the documentation, in both themes: `npm run pictures:page`. The page is the built one,
// the runs are real; look at the pictures before they are committed.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Json } from "../../src/flow/json.ts";
import { launch, openWindow } from "../test/harness/browser.ts";
import { openHouse, type House } from "../test/harness/house.ts";
import { ensurePage } from "../../scripts/ensure-page.ts";

const folder = fileURLToPath(new URL("../../docs/pictures/page/", import.meta.url));

type Shot = {
  readonly name: string;
  readonly path: string;
  readonly ready: string;
  readonly width?: number;
  readonly height?: number;
};

const mailing: Json = {
  format: "stepwell/v1",
  name: "mailing",
  start: "collect",
  steps: {
    collect: { tool: "demo.feed", args: { topic: "tides" }, routes: { empty: "nothing" }, next: "send" },
    send: {
      tool: "demo.fail",
      args: { message: "The mail server answered 421: too many connections." },
      retry: { attempts: 2, backoff: ["200ms"] },
      routes: { error: "tell" },
      next: "count",
    },
    count: { tool: "demo.counter", args: {}, done: true },
    tell: { done: { kind: "failure", message: "Nobody got the mailing: {{ previous.error.message }}" } },
    nothing: { done: true },
  },
};

async function fill({ engine }: House): Promise<{ readonly waiting: number; readonly failed: number }> {
  const again = async (name: string, times: number): Promise<void> => {
    for (let made = 0; made < times; made++) await engine.result((await engine.start(name, { input: {} })).id);
  };
  await again("fan-out", 3);
  await again("hello", 1);
  const failed = (await engine.start(mailing, { name: "mailing", input: {} })).id;
  await engine.result(failed);
  await engine.start("hello", { input: { who: "Ada" }, at: "tomorrow at 9am" });
  await engine.start("publish", { input: { topic: "harbours" } });
  const waiting = (await engine.start("publish-digest", { input: { topic: "tides" } })).id;
  while (!(await engine.get(waiting)).steps.some(({ gate, status }) => gate !== null && status === "pending"))
    await new Promise((resolve) => setImmediate(resolve));
  await engine.start("flaky", { input: {} });
  return { waiting, failed };
}

async function takeAll(house: House, shots: readonly Shot[], theme: "light" | "dark"): Promise<void> {
  for (const { name, path, ready, width = 1280, height = 800 } of shots) {
    await using window = await openWindow(house.address, { theme, width, height });
    await window.page.goto(path);
    await window.page.locator(ready).first().waitFor();
    await settle(window.page);
    await window.page.screenshot({ path: `${folder}${name}-${theme}.png` });
    window.faults.splice(0);
    console.log(`docs/pictures/page/${name}-${theme}.png`);
  }
}

/** Until the fonts are there and nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await page.waitForLoadState("load");
  await page.waitForTimeout(600);
}

if (!ensurePage()) process.exit(1);
mkdirSync(folder, { recursive: true });
await using house = await openHouse({ hasDemos: true });
const { waiting, failed } = await fill(house);
const shots: readonly Shot[] = [
  { name: "home", path: "/", ready: '[data-testid="hour"]', height: 1100 },
  { name: "runs", path: "/runs", ready: '[data-testid="run-row"]' },
  { name: "run", path: `/runs/${waiting}`, ready: "[data-node-key]", height: 900 },
  { name: "failed", path: `/runs/${failed}`, ready: "[data-node-key]" },
  { name: "inbox", path: "/inbox", ready: '[data-testid="inbox-item"]' },
  { name: "library", path: "/library", ready: 'main[data-page="library"]' },
  { name: "editor", path: "/library/publish-digest/edit", ready: ".cm-content" },
  { name: "tools", path: "/tools?tool=demo.feed", ready: '[role="dialog"]' },
  { name: "phone", path: `/runs/${waiting}`, ready: 'main[data-page="run"]', width: 390, height: 800 },
];
for (const theme of ["light", "dark"] as const) await takeAll(house, shots, theme);
await (await launch()).close();
