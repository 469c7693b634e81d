import { expect, test } from "vitest";
import { openHostileHouse } from "./xss/hostile-house.ts";
import { pick, readTexts } from "./xss/corpus.ts";
import { findExecutions, watch } from "./xss/visit.ts";
import { openHouse } from "./harness/house.ts";
import { openWindow } from "./harness/browser.ts";

const texts = readTexts();
if (texts === null) console.log("Skipped: ../shared/corpora/xss is not beside the project.");

test.runIf(texts !== null)(
  "300 hostile texts as names, inputs, results, errors and questions: none is run, and nothing goes to a foreign place",
  async () => {
    await using house = await openHostileHouse(pick(texts ?? [], 300));
    expect(await findExecutions(house)).toEqual([]);
  },
);

test("a script that is run, and one that the page does not let in, are noticed", async () => {
  await using house = await openHouse();
  await using window = await openWindow(house.address);
  const found: string[] = [];
  await watch(window.page, found);
  await window.page.goto("/");
  await window.page.evaluate(() => {
    alert("run");
    try {
      document.createElement("img").setAttribute("onerror", "alert(2)");
    } catch {
      // Told by the page's own rules.
    }
  });
  await expect.poll(() => found).toContain("alert was called");
  await expect.poll(() => found.some((each) => each.startsWith("policy: require-trusted-types-for"))).toBe(true);
  await window.page.close();
  window.faults.splice(0);
});
