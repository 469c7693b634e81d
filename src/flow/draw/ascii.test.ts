import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { buildPlan, samples, type PlanSketch } from "../../../test/golden/draw/plans.ts";
import { drawAscii } from "./ascii.ts";
import { measureText } from "./text.ts";

const lines = (...list: readonly string[]): string => `${list.join("\n")}\n`;

const range = Array.from({ length: 12 }, (_, index) => index);

const forks: PlanSketch = Object.fromEntries([
  ...range.map((index) => [`f${index}`, { parallel: [`a${index}`, `f${index + 1}`], join: `j${index}` }] as const),
  ...range.map((index) => [`a${index}`, { join: `j${index}` }] as const),
  ...range.map((index) => [`j${index}`, index === 0 ? {} : { join: `j${index - 1}` }] as const),
  ["f12", { join: "j11" }] as const,
]);

test("a sequence keeps its column, also through decisions", () => {
  const steps = range.map((index) => [
    `check${index}`,
    { branch: [[`x == ${index}`, `do${index}`]] as const, else: index === 11 ? "end" : `check${index + 1}` },
  ]);
  const text = drawAscii(
    buildPlan("guards", {
      ...Object.fromEntries(steps),
      ...Object.fromEntries(range.map((index) => [`do${index}`, {}])),
    }),
  );
  for (const index of range) expect(text).toMatch(new RegExp(`^● check${index} `, "m"));
});

test("alternatives of about the same size are drawn alike, and the place where they meet below them", () => {
  const plan = buildPlan("x", {
    s: { tool: "t", routes: { a: "a1", b: "b1", error: "e" } },
    a1: { tool: "t", next: "a2" },
    a2: { tool: "t", next: "m" },
    b1: { tool: "t", next: "b2" },
    b2: { tool: "t", next: "m" },
    e: { tool: "t", done: "failure" },
    m: { tool: "t" },
  });
  expect(drawAscii(plan)).toBe(
    lines(
      "▶ x",
      "│",
      "● s               t",
      "├─ a",
      "│  ● a1           t",
      "│  │",
      "│  ● a2           t",
      "│  └─▶ m",
      "├─ b",
      "│  ● b1           t",
      "│  │",
      "│  ● b2           t",
      "│  └─▶ m",
      "├─ error ─▶ ● e   t  ✘",
      "│",
      "● m               t  ✔",
    ),
  );
});

test("alternatives that end are drawn alike", () => {
  const plan = buildPlan("x", {
    s: { tool: "t", branch: [["result", "a1"]], else: "b1" },
    a1: { tool: "t", next: "a2" },
    a2: { tool: "t" },
    b1: { tool: "t", next: "b2" },
    b2: { tool: "t" },
  });
  expect(drawAscii(plan)).toContain("├─ result\n│  ● a1");
  expect(drawAscii(plan)).toContain("└─ else\n   ● b1");
});

test("what no way from the start reaches stands apart", () => {
  const plan = buildPlan("x", {
    a: { tool: "t", next: "gone" },
    orphan: { tool: "t", next: "a" },
    ring: { tool: "t", next: "ring" },
  });
  expect(drawAscii(plan)).toBe(
    lines(
      "▶ x",
      "│",
      "● a        t",
      "│",
      "? gone     missing",
      "",
      "not reachable:",
      "● orphan   t",
      "└─▶ a",
      "",
      "● ring     t",
      "└─↺ ring",
    ),
  );
});

test("a plan without steps has only a start that is missing", () => {
  expect(drawAscii(buildPlan(null, {}))).toBe(lines("▶ flow", "│", "? start   missing"));
});

test("deep nesting goes on at the margin", () => {
  const text = drawAscii(buildPlan("deep", forks), { width: 80 });
  expect(text).toMatch(/═▶ f7$/m);
  expect(text).toMatch(/^● f7 /m);
});

test.each([40, 60, 80, 200])("no line is longer than %d columns", (width) => {
  const plans = [...Object.values(samples), buildPlan("deep", forks)];
  for (const text of plans.flatMap((plan) => [
    drawAscii(plan, { width }),
    drawAscii(plan, { width, unicode: false }),
  ])) {
    expect(Math.max(...text.split("\n").map(measureText))).toBeLessThanOrEqual(width);
  }
});

test.each([0, -5, Number.NaN, 39])("a width of %d is taken as 40", (width) => {
  const plan = samples["gate"] ?? buildPlan(null, {});
  expect(drawAscii(plan, { width })).toBe(drawAscii(plan, { width: 40 }));
});

test("long details are cut before the mark of the end", () => {
  const plan = buildPlan("x", { a: { tool: `server.${"tool".repeat(30)}`, done: "failure" } });
  expect(drawAscii(plan, { width: 40 })).toMatch(/^● a {3}server\.[tol]+… {2}✘$/m);
});

test("with colours the text is the same, ends are green, red and yellow", () => {
  for (const plan of Object.values(samples)) {
    const coloured = drawAscii(plan, { colour: true });
    const plain = stripVTControlCharacters(coloured);
    expect(plain.replaceAll(/ +$/gm, "")).toBe(drawAscii(plan));
  }
  const ends = drawAscii(
    buildPlan("x", {
      s: { parallel: ["a", "b", "c"] },
      a: { terminal: "success" },
      b: { terminal: "failure" },
      c: { terminal: "cancel" },
    }),
    {
      colour: true,
    },
  );
  expect(ends).toContain("\u001B[32m✔\u001B[0m");
  expect(ends).toContain("\u001B[31m✘\u001B[0m");
  expect(ends).toContain("\u001B[33m⊘\u001B[0m");
});

test("an end that only arrives at a join is no end of the flow", () => {
  const plan = buildPlan("x", {
    s: { tool: "t", parallel: ["a", "b"], join: "j", arrive: true, routes: { error: "alert" } },
    a: { tool: "t", routes: { error: "alert" }, done: "success" },
    b: { terminal: "success" },
    j: { tool: "t" },
    alert: { tool: "t" },
  });
  expect(drawAscii(plan)).toBe(
    lines(
      "▶ x",
      "│",
      "● s       t",
      "╞═▶ ● a   t",
      "│   ├─ error ─▶ alert",
      "│   ╘═▶ j",
      "╞═▶ ○ b  ═▶ j",
      "├─ error ─▶ alert",
      "│",
      "● j       t  ⇇ joins s ✔",
      "",
      "● alert   t  ✔",
      "╘═▶ j",
    ),
  );
});
