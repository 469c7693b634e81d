// docs/errors.md explains every code there is and none that is not, and each of its examples gets the finding it stands
// under.

import { describe, expect, test } from "vitest";
import { severityOf } from "../src/flow/finding.ts";
import { validate } from "../src/index.ts";
import { readText } from "./example-files.ts";

const page = readText("docs/errors.md");
const sections = page.split(/^#{2,3} /m).flatMap((section) => {
  const heading = /^`([a-z0-9_]+)` \((error|warning)\)\n/.exec(section);
  const example = /^```(?:json|yaml)\n(.*?)^```$/ms.exec(section)?.[1];
  return heading === null ? [] : [{ code: heading[1] ?? "", severity: heading[2], example }];
});

describe("docs/errors.md", () => {
  test("explains every code once, with its severity", () => {
    expect(sections.map(({ code, severity }) => [code, severity])).toEqual(Object.entries(severityOf));
  });

  test.each(sections.flatMap(({ code, example }) => (example === undefined ? [] : [{ code, example }])))(
    "has an example of $code that gets this finding and no other",
    ({ code, example }) => {
      expect([...new Set(validate(example).findings.map((found) => found.code))]).toEqual([code]);
    },
  );

  test("gives every finding a cure", () => {
    const cures = [...page.matchAll(/\bCure: \S/g)];
    expect(cures.length).toBe(sections.length - 1);
  });
});
