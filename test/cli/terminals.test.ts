// The pictures of terminals in the documentation are what the commands print today, but for ids and times.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawTerminal, drawTerminals, terminalFile, terminals } from "../../scripts/draw-terminals.ts";

test("docs/pictures shows what the commands print today", async () => {
  const drawn = await drawTerminals();
  expect([...drawn.keys()]).toEqual(terminals);
  for (const [name, picture] of drawn) expect(readFileSync(terminalFile(name), "utf8")).toBe(picture);
});

test("colours become classes, and every piece keeps its column", () => {
  const svg = drawTerminal("x", "\u001B[32m✔\u001B[39m a<b \u001B[1mbold\u001B[22m\n");
  expect(svg).toContain(
    '<tspan x="16.0" class="c32">✔</tspan><tspan x="24.4"> a&lt;b </tspan><tspan x="66.6" class="b">bold</tspan>',
  );
  expect(svg).toContain("prefers-color-scheme:dark");
});
