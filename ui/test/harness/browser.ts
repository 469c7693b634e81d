// One Chromium for all tests of a worker, and windows in it that tell of every fault: an error on the page, a rule of the
// page that was broken, a request that goes anywhere but to the house.

import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "../../../scripts/chromium.ts";

export type WindowWish = {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly isCalm?: boolean;
  /** Is pointed at with a finger. */
  readonly isTouch?: boolean;
  /** Loads ahead what nobody looks at yet, as the page does for everybody who has not asked for less. */
  readonly isLavish?: boolean;
};

export interface Window extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong so far; whoever expects something takes it out. */
  readonly faults: string[];
}

/** As patient as the browser itself: what is looked at comes in some time. */
export function eventually<Seen>(look: () => Seen | Promise<Seen>): ReturnType<typeof expect.poll<Seen>> {
  return expect.poll(look, { timeout: 15_000 });
}

let launching: Promise<Browser> | undefined;

/** Without what Chromium would ask the internet by itself. */
export const quiet: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(): Promise<Browser> {
  launching ??= chromium.launch({ executablePath: findChromium(), args: [...quiet] });
  return launching;
}

process.once("beforeExit", () => void launching?.then((browser) => browser.close()));

export async function openWindow(address: string, wish: WindowWish = {}): Promise<Window> {
  const { theme = "light", width = 1280, height = 800, isCalm = true, isTouch = false, isLavish = false } = wish;
  const browser = await launch();
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: isTouch,
    reducedMotion: isCalm ? "reduce" : "no-preference",
    baseURL: address,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (!isLavish) await context.addInitScript(saveData);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== address && !["data:", "blob:"].includes(url.protocol)) faults.push(`foreign: ${request.url()}`);
  });
  return {
    page,
    context,
    faults,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** Takes out what the browser says of a server that was killed or is not up yet, in whichever of its words, and gives the
 *  rest. */
export function takeOtherFaults({ faults }: Window): readonly string[] {
  return faults.splice(0).filter((fault) => !/Failed to load resource: (net::ERR_|.*\b503\b)/.test(fault));
}

/** A setting of the browser's that Chromium takes from its users only. */
function saveData(): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}
