// The examples of the reference, and the page that shows them.

import { describe, expect, test } from "vitest";
import { evaluate } from "../src/flow/expression/evaluate.ts";
import { parseExpression } from "../src/flow/expression/parse.ts";
import type { Json } from "../src/index.ts";
import { flowsIn, planOf, readText, reportOf } from "./example-files.ts";

const language = flowsIn("examples/language");
const demos = flowsIn("examples/demo");

/** The warnings that an example is meant to show. */
const expectedWarnings: { readonly [path: string]: readonly string[] } = {
  "examples/language/not-active-yet.yaml": ["not_active_yet", "not_active_yet", "not_active_yet"],
  "examples/language/templates.yaml": ["unknown_placeholder"],
};

describe("every example", () => {
  test.each([...language, ...demos])("%s validates, with no warning but those it is meant to show", (path) => {
    const report = reportOf(path);
    expect(report.findings.map(({ code }) => code).toSorted()).toEqual(expectedWarnings[path] ?? []);
    expect(report.ok).toBe(true);
  });

  test.each([...language, ...demos])("%s compiles to a plan that starts at one of its steps", (path) => {
    const plan = planOf(path);
    expect(Object.keys(plan.steps)).toContain(plan.start);
  });

  test.each([...language, ...demos].filter((path) => path.endsWith(".yaml")))(
    "%s opens with a comment and says its format and name",
    (path) => {
      expect(readText(path)).toMatch(/^# \S[^\n]*\nformat: stepwell\/v1\nname: \S/);
    },
  );

  test.each(demos)("%s fits into thirty lines", (path) => {
    expect(readText(path).trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  });
});

describe("docs/flow-language.md", () => {
  const page = readText("docs/flow-language.md");
  const blocks = [...page.matchAll(/^```\w+ (examples\/\S+)\n(.*?)^```$/gms)];

  test.each(blocks.map((match) => [match[1] ?? "", match[2] ?? ""]))("shows %s as it is", (path, shown) => {
    expect(shown).toBe(readText(path));
  });

  test("shows every example of the language", () => {
    expect(new Set(blocks.map((match) => match[1]))).toEqual(new Set(language));
    expect(blocks).toHaveLength(language.length);
  });

  const input: Json = JSON.parse(/^With the input `(.*)`:$/m.exec(page)?.[1] ?? "");
  const answers = [...page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)].flatMap(([, expression = "", value = ""]) =>
    isJson(value) ? [{ expression, value }] : [],
  );

  test("has a table of expressions with their values", () => {
    expect(answers.length).toBeGreaterThan(25);
  });

  test.each(answers)("is right about $expression", ({ expression, value }) => {
    const parsed = parseExpression(expression);
    const scope = { lookup: (root: string): Json | undefined => (root === "input" ? input : undefined) };
    expect(parsed.ok && evaluate(parsed.expression, scope)).toMatchObject({ ok: true, value: JSON.parse(value) });
  });

  test("links only to headings that are there", () => {
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchor(title)));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !headings.has(target))).toEqual([]);
  });
});

function isJson(text: string): boolean {
  return /^(["[{\d-]|true$|false$|null$)/.test(text);
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
