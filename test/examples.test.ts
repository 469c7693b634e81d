// The examples of the reference, and the page that shows them.

import { describe, expect, test } from "vitest";
import { flowsIn, planOf, readText, reportOf } from "./example-files.ts";

const language = flowsIn("examples/language");
const demos = flowsIn("examples/demo");

/** The warnings that an example is meant to show. */
const expectedWarnings: { readonly [path: string]: readonly string[] } = {
  "examples/language/no-match.yaml": ["no_else"],
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
    expect(blocks.map((match) => match[1]).toSorted()).toEqual(language);
  });

  test("links only to headings that are there", () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchor(title));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !headings.includes(target))).toEqual([]);
  });
});

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
