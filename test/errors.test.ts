// docs/errors.md explains every code there is and none that is not, and each of its examples gets the finding it stands
// under.

import { describe, expect, test } from "vitest";
import { errorCodes } from "../src/error.ts";
import { severityOf } from "../src/flow/finding.ts";
import { validate, type ValidateOptions } from "../src/index.ts";
import { readText } from "./example-files.ts";

const page = readText("docs/errors.md");
const sections = page.split(/^#{2,3} /m).flatMap((section) => {
  const heading = /^`([a-z0-9_]+)` \((error|warning)\)\n/.exec(section);
  const example = /^```(?:json|yaml)\n(.*?)^```$/ms.exec(section)?.[1];
  return heading === null ? [] : [{ code: heading[1] ?? "", severity: heading[2], example }];
});

/** Of an installation with one tool, one secret and one workflow: what the examples about these need. */
const surroundings: ValidateOptions = {
  tools: [
    {
      name: "log",
      inputSchema: { type: "object", properties: { message: { type: "string" } }, additionalProperties: false },
    },
  ],
  secrets: ["API_KEY"],
  workflows: ["refund"],
};
const needSurroundings = new Set(["bad_arguments", "unknown_tool", "unknown_workflow", "missing_secret"]);

describe("docs/errors.md", () => {
  test("explains every code once, with its severity", () => {
    expect(sections.map(({ code, severity }) => [code, severity])).toEqual(Object.entries(severityOf));
  });

  test.each(sections.flatMap(({ code, example }) => (example === undefined ? [] : [{ code, example }])))(
    "has an example of $code that gets this finding and no other",
    ({ code, example }) => {
      const { findings } = validate(example, needSurroundings.has(code) ? surroundings : {});
      expect([...new Set(findings.map((found) => found.code))]).toEqual([code]);
    },
  );

  test("lists every code of an error with its HTTP status and exit code", () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (\d+) \| \S/gm)];
    const documented = rows.map(([, code, status, exitCode]) => [
      code,
      { status: Number(status), exitCode: Number(exitCode) },
    ]);
    expect(documented).toEqual(Object.entries(errorCodes));
  });

  test("gives every finding a cure", () => {
    const cures = [...page.matchAll(/\bCure:\s\S/g)];
    expect(cures.length).toBe(sections.length - 1);
  });
});
