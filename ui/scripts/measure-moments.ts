// Moments that somebody waits for: each is taken in the browser, from what sets it off to the frame in which it is seen.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Json } from "../../src/flow/json.ts";
import { openWindow } from "../test/harness/browser.ts";
import { openHouse, type House } from "../test/harness/house.ts";
import { openProcess } from "../test/harness/process.ts";

const times = 5;

type Take = (name: string, values: readonly number[]) => void;

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** When this was seen for the first time, in the clock of the machine. */
function seenAt(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector(wanted) === null) requestAnimationFrame(look);
          // The frame in which it is drawn is the next one.
          else requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
        };
        look();
      }),
    selector,
  );
}

async function repeat(take: () => Promise<number>): Promise<readonly number[]> {
  const values: number[] = [];
  for (let made = 0; made < times; made++) values.push(await take());
  return values;
}

/** As large as one may be, from the click on Load to its tree. */
async function takeLargeOutput(house: House, page: Page): Promise<number> {
  const flow: Json = { format: "stepwell/v1", start: "load", steps: { load: { tool: "much", args: {}, done: true } } };
  const { id } = await house.engine.start(flow, { name: "large" });
  await house.engine.result(id);
  await page.goto(`/runs/${id}?step=load&part=output`);
  const load = page.getByTestId("inspector").getByRole("button", { name: "Load" });
  await load.waitFor();
  const seen = seenAt(page, '[data-testid="inspector"] [role="tree"]');
  const from = await load.evaluate((button: HTMLElement) => {
    button.click();
    return performance.timeOrigin + performance.now();
  });
  return (await seen) - from;
}

/** From the start of a run to its line on Home. */
async function takeHome(house: House, page: Page): Promise<number> {
  await page.goto("/");
  await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
  const flow: Json = { format: "stepwell/v1", start: "nap", steps: { nap: { wait: "1h", done: true } } };
  const from = now();
  const { id } = await house.engine.start(flow, { name: "shown" });
  const at = await seenAt(page, `[data-testid="running-now"] a[href="/runs/${id}"]`);
  await house.engine.cancel(id);
  return at - from;
}

/** From the second click of an approval to the run that has gone on. */
async function takeApproval(house: House, page: Page): Promise<number> {
  const steps = {
    review: { gate: { title: "Go on?" }, routes: { approved: "go", rejected: "go" } },
    go: { tool: "quick", args: {}, done: true },
  };
  const { id } = await house.engine.start({ format: "stepwell/v1", start: "review", steps }, { name: "asked" });
  await page.goto(`/runs/${id}`);
  const gate = page.getByTestId("gate");
  await gate.getByRole("button", { name: "Approve", exact: true }).click();
  const sure = gate.getByRole("button", { name: "Yes, approve" });
  await sure.waitFor();
  const seen = seenAt(page, '[data-testid="run-status"][data-status="completed"]');
  const from = await sure.evaluate((button: HTMLElement) => {
    button.click();
    return performance.timeOrigin + performance.now();
  });
  return (await seen) - from;
}

/** From the kill of the service to the word Offline; it is started again each time. */
async function takeOffline(): Promise<readonly number[]> {
  await using service = await openProcess();
  await using window = await openWindow(service.address);
  const { page, faults } = window;
  await page.goto("/runs");
  const values = await repeat(async () => {
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor({ timeout: 60_000 });
    const seen = seenAt(page, '[data-testid="live"][data-line="offline"]');
    const from = now();
    await service.kill();
    const at = await seen;
    await service.start();
    return at - from;
  });
  // What the browser says of requests that nobody answered.
  faults.splice(0);
  return values;
}

/** From the kill of a server of tools to its card, red; it is connected anew each time. */
async function takeServer(): Promise<readonly number[]> {
  const program = fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url));
  const mcpServers = { parrot: { command: process.execPath, args: [program] } };
  await using house = await openHouse({ mcpServers });
  await using window = await openWindow(house.address);
  const { page } = window;
  await page.goto("/tools");
  const values = await repeat(async () => {
    await page.locator('[data-server="parrot"] [data-token="done"]').waitFor();
    const { result: pid } = await house.engine.tools.call("parrot.pid", {});
    const seen = seenAt(page, '[data-server="parrot"] [data-token="failed"]');
    const from = now();
    process.kill(Number(pid), "SIGKILL");
    const at = await seen;
    await page.getByRole("button", { name: "Connect to parrot anew" }).click();
    return at - from;
  });
  return values;
}

export async function measureMoments(take: Take): Promise<void> {
  const item = { text: "many words ".repeat(90) };
  const much = (): Json => ({ items: Array.from({ length: 4000 }, (_none, n) => ({ n, ...item })) });
  {
    await using house = await openHouse({ tools: { much, quick: () => "done" } });
    await using window = await openWindow(house.address);
    const { page } = window;
    take(
      "an output of 4 MB, the largest there is, from Load to its tree",
      await repeat(() => takeLargeOutput(house, page)),
    );
    take("a run that was started, on Home", await repeat(() => takeHome(house, page)));
    take("an approval, until its run has gone on", await repeat(() => takeApproval(house, page)));
  }
  take("Offline, after the service was killed", await takeOffline());
  take("a server's card red, after it was killed", await takeServer());
}
