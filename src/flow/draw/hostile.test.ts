import { expect, test } from "vitest";
import { buildPlan, samples } from "../../../test/golden/draw/plans.ts";
import { drawAscii } from "./ascii.ts";
import { drawMermaid } from "./mermaid.ts";
import { drawSvg } from "./svg.ts";

const hostile: readonly (readonly [string, string])[] = [
  ["a script", `</title></text><script>alert("x")</script>`],
  ["an attribute", `x" onload="alert(1)' y='`],
  ["entities", "&lt;b&gt; &#60;i&#62; #quot; #35;"],
  ["line breaks", "one\r\ntwo\u2028three\u0085four"],
  ["control characters", "\u0000a\u0007b\u001B[31mc\u009B1md\u007F"],
  ["direction marks", "\u202Egnp.exe\u2066\u200F\u061C"],
  ["the word end", "end"],
  ["Mermaid's own signs", `end"]; subgraph [x] --> {y} | %%{init: {"theme":"x"}}%% \`z\` click n1 "javascript:x"`],
  ["a very long name", "long ".repeat(2000)],
  ["broken and private characters", "\uD800 \uFFFE \uFFFF \u{1F600} ﷽ e\u0301\u0323"],
  ["nothing to see", "\u0000\u200B\u202E"],
  ["wide characters", "数据".repeat(100)],
  ["a name of every object", "__proto__"],
];

test.each(hostile)("text with %s stays text", (_, text) => {
  const plan = buildPlan(text, {
    start: { label: text, tool: text, branch: [[text, "other"]], else: "end", routes: { [text]: "other" } },
    other: { label: `2 ${text}`, flow: text, done: "failure" },
  });
  const ascii = drawAscii(plan, { unicode: false, width: 60 });
  expect(ascii).toMatch(/^[\n -~]*$/);
  expect(Math.max(...ascii.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  for (const drawing of [drawAscii(plan), drawMermaid(plan), drawSvg(plan)]) {
    expect(drawing.isWellFormed()).toBe(true);
    expect(drawing).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u);
  }
  expect(
    drawMermaid(plan)
      .split("\n")
      .filter((line) => !mermaidLine.test(line)),
  ).toEqual(["flowchart TD", ""]);
  expectWellFormed(drawSvg(plan));
});

const mermaidLine =
  /^ {2}(?:classDef \w+ [\w:,#\- ]+|\w+(?:\[{1,2}|\({1,2}|\{\{|>|\[\/|\(\[)"[^"[\](){}|`%]*"[\])}/]{1,2}(?::::\w+)?|\w+ (?:-->|==>|-\.->)(?:\|"[^"[\](){}|`%]*"\|)? \w+)$/;

test("the SVG has no script, no link to the outside and only the elements of a drawing", () => {
  for (const plan of Object.values(samples)) {
    const svg = drawSvg(plan);
    expectWellFormed(svg);
    expect(svg).not.toMatch(/href|url\(|@import|<script|\son\w+=/);
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
  }
});

/** Balanced tags of the few elements in use, attributes in quotes, and no bare sign of markup in between. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [A-Za-z:]+="[^"<]*")*)(\/?)>/g;
  for (const [, closing, name = "", , empty] of svg.matchAll(tag)) {
    expect(["svg", "title", "desc", "style", "rect", "g", "path", "text", "circle"]).toContain(name);
    if (closing !== "/" && empty !== "/") open.push(name);
    const isClosed = closing !== "/" || open.pop() === name;
    expect(isClosed).toBe(true);
  }
  expect(open).toEqual([]);
  const text = svg.replace(/<style>[^<]*<\/style>/, "").replaceAll(tag, "");
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, "")).not.toMatch(/[<>&"']/);
}
