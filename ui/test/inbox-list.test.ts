// The list of the inbox: what each line says, so that one finds the right one.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Json } from "../../src/flow/json.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

let house: House;
let window: Window;
let narrow: Window;

beforeAll(async () => {
  house = await openHouse({ tools: { say: ({ text }: { text?: Json }) => text ?? null } });
  window = await openWindow(house.address);
  narrow = await openWindow(house.address, { width: 320 });
});

afterAll(async () => {
  await narrow[Symbol.asyncDispose]();
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

beforeEach(async () => {
  for (const { run } of await house.engine.list({ status: "live" })) await house.engine.cancel(run.id);
});

test("a gate that escalates or expires says in the list which of them comes first, and when", async () => {
  const gate = {
    title: "In time?",
    expires_after: "2d",
    remind_after: "1h",
    escalate_after: "3h",
    escalate_to: "tell",
  };
  const flow: Json = {
    start: { gate, done: true },
    tell: { tool: "say", args: { text: "Nobody has answered." }, done: true },
  };
  await house.engine.start(flow, { name: "timely" });
  const { page } = window;
  await visit(page, "/inbox");
  const line = page.getByTestId("inbox-item").filter({ hasText: "In time?" });
  await line.waitFor();
  expect(await line.getByTestId("deadline").textContent()).toMatch(/^escalates in (3 h|2 h 59 m)$/);
});

/** It reaches out of what it stands in. */
function isCut(part: Element): boolean {
  return part.getBoundingClientRect().right > (part.parentElement ?? part).getBoundingClientRect().right;
}

test("what several runs ask in the same words is told apart in the list, however narrow it is", async () => {
  const ask = (title: string): Json => ({ start: { gate: { title }, done: true } });
  const topics = ["tides", "harbours and all that lies behind them, at length"];
  const ids: number[] = [];
  for (const topic of topics)
    ids.push((await house.engine.start(ask("Shall it go out?"), { name: "publishing", input: { topic } })).id);
  await house.engine.start(ask("Shall it stay?"), { name: "publishing", input: { topic: "whales" } });
  for (const { page } of [window, narrow]) {
    await visit(page, "/inbox");
    const lines = page.getByTestId("inbox-item");
    await eventually(() => lines.filter({ hasText: "Shall it" }).count()).toBe(3);
    const alike = lines.filter({ hasText: "Shall it go out?" }).getByTestId("apart");
    expect(await alike.allTextContents()).toEqual(topics.map((topic, no) => `${topic} · run ${ids[no]}`));
    for (const run of await alike.locator("span:last-child").all()) expect(await run.evaluate(isCut)).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await lines.filter({ hasText: "Shall it stay?" }).getByTestId("apart").count()).toBe(0);
  }
  expect([...window.faults, ...narrow.faults]).toEqual([]);
});
