// `npm run measure:page`: how long after its commit a step's change is on the page, how soon lists, large runs and large
// values are there, and how soon it is seen that something has started, gone on or ended. Figures for docs/performance.md; nothing is asserted.

import type { Page } from "playwright-core";
import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../src/flow/json.ts";
import { builtPage } from "../../src/server/page.ts";
import { launch, openWindow } from "../test/harness/browser.ts";
import { openHouse, type House } from "../test/harness/house.ts";
import { ensurePage } from "../../scripts/ensure-page.ts";
import { measureMoments } from "./measure-moments.ts";

const changes = 40;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function highest(values: readonly number[]): number {
  return Math.max(...values);
}

function chain(length: number): Json {
  const steps = Array.from({ length }, (_none, at): [string, Json] => [
    `s${at}`,
    { tool: "wait", args: {}, ...(at + 1 < length ? { next: `s${at + 1}` } : { done: true }) },
  ]);
  return { format: "stepwell/v1", start: "s0", steps: Object.fromEntries(steps) };
}

/** From the moment at which the engine has written a step's end to the moment at which the page shows it. */
async function measureLive(house: House, page: Page, release: () => void): Promise<readonly number[]> {
  const { id } = await house.engine.start(chain(changes), { name: "live" });
  await page.goto(`/runs/${id}?view=table`);
  await page.getByText("s0").first().waitFor();
  const ended = new Map<string, number>();
  const following = (async () => {
    for await (const { row } of eventsOf(house, id))
      if (!ended.has(row)) ended.set(row, performance.timeOrigin + performance.now());
  })();
  const times: number[] = [];
  for (let at = 0; at < changes; at++) {
    const seen = page.evaluate(
      (key) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            const row = [...document.querySelectorAll("tr")].find((each) => each.textContent?.startsWith(key));
            if (row?.textContent?.includes("done") === true) resolve(performance.timeOrigin + performance.now());
            else requestAnimationFrame(look);
          };
          look();
        }),
      `s${at}`,
    );
    release();
    const shownAt = await seen;
    while (!ended.has(`s${at}`)) await new Promise((resolve) => setImmediate(resolve));
    times.push(shownAt - (ended.get(`s${at}`) ?? 0));
  }
  await following;
  return times;
}

async function* eventsOf(house: House, run: number): AsyncGenerator<{ readonly row: string }> {
  for await (const news of house.engine.changes({ run })) {
    if (news.kind !== "changes") continue;
    for (const change of news.changes) {
      if (change.step !== null && change.status === "done") yield { row: change.stepName ?? "" };
      if (change.step === null && change.status === "completed") return;
    }
  }
}

async function timeOf(page: Page, path: string, ready: string): Promise<number> {
  const from = performance.now();
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  return performance.now() - from;
}

function report(name: string, values: readonly number[]): void {
  console.log(
    `${name}: median ${median(values).toFixed(0)} ms, most ${highest(values).toFixed(0)} ms (${values.length} times)`,
  );
}

if (!ensurePage()) process.exit(1);
const held: (() => void)[] = [];
let isQuick = false;
const wait = (): Promise<string> | string =>
  isQuick ? "done" : new Promise((resolve) => held.push(() => resolve("done")));
await using house = await openHouse({ hasDemos: true, tools: { wait } });
await using window = await openWindow(house.address);
const { page, faults } = window;
const release = (): void => {
  const go = (): void => {
    const first = held.shift();
    if (first === undefined) setImmediate(go);
    else first();
  };
  go();
};
report("a step's change on the page after its commit", await measureLive(house, page, release));
isQuick = true;
for (let made = 0; made < 5000; made += 100)
  await Promise.all(Array.from({ length: 100 }, () => house.engine.start(chain(1), { name: "many" })));
const big = await house.engine.start(chain(300), { name: "big" });
await house.engine.result(big.id);
const repeat = async (path: string, ready: string): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let made = 0; made < 5; made++) times.push(await timeOf(page, path, ready));
  return times;
};
report("Runs with 5,000 runs, first row", await repeat("/runs", '[data-testid="run-row"]'));
report("Home with 5,000 runs", await repeat("/", '[data-testid="hour"]'));
report("a run of 300 steps, graph", await repeat(`/runs/${big.id}`, "[data-node-key]"));
await measureMoments(report);
for (const file of readdirSync(join(builtPage, "assets"))
  .filter((each) => each.endsWith(".js"))
  .toSorted()) {
  const kilobytes = gzipSync(readFileSync(join(builtPage, "assets", file))).length / 1000;
  if (kilobytes > 10) console.log(`${file.replace(/-[\w-]{8}\.js$/, "")}: ${kilobytes.toFixed(0)} kB gzip`);
}
faults.splice(0);
await (await launch()).close();
