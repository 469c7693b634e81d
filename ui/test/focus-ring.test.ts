// Whoever goes by Tab alone sees where they are: the ring around it is not cut off by what it stands in.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow } from "./harness/browser.ts";
import { openFullHouse, type FullHouse } from "./harness/full-house.ts";
import { settle } from "./harness/visit.ts";

let house: FullHouse;

beforeAll(async () => {
  house = await openFullHouse();
});

afterAll(async () => {
  await house[Symbol.asyncDispose]();
});

/** So many come before what a page itself is about, and some of that. */
const steps = 40;

test.each(["/inbox", "/tools?add=program", "/runs/:failed?tab=history", "/settings?tab=audit", "/library/publishing"])(
  "on %s the ring is seen on three sides at least",
  async (path) => {
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto(path.replace(":failed", String(house.runs.failed)));
    await page.locator("h1").waitFor();
    await settle(page);
    const cut = new Set<string>();
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(findCut);
      if (found !== null) cut.add(found);
    }
    expect([...cut]).toEqual([]);
  },
);

/** In the page: what has the focus, if two sides of its ring or more lie outside of what it stands in. One may, where a list
 *  was scrolled just so far. */
function findCut(): string | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
  if (outlineStyle === "none") return null;
  const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 0.6;
  const box = focused.getBoundingClientRect();
  const sides = new Set<string>();
  for (let around = focused.parentElement; around !== null; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    if (overflowX === "visible" && overflowY === "visible") continue;
    const clip = around.getBoundingClientRect();
    if (box.left - reach < clip.left) sides.add("left");
    if (box.right + reach > clip.right) sides.add("right");
    if (box.top - reach < clip.top) sides.add("top");
    if (box.bottom + reach > clip.bottom) sides.add("bottom");
  }
  const name = focused.getAttribute("aria-label") ?? focused.textContent.slice(0, 40);
  return sides.size < 2 ? null : `${focused.tagName} ${name}: ${[...sides].join(", ")}`;
}
