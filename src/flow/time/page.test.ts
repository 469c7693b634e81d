// What docs/time.md says is so.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseInstant } from "./instant.ts";

const page = readFileSync(new URL("../../../docs/time.md", import.meta.url), "utf8");
const [, understood = "", refused = ""] = page.split(/^## What is /m);
const options = { now: Date.parse("2026-03-07T17:00:00Z"), zone: "America/New_York" };

function rowsOf(section: string): readonly { readonly text: string; readonly answer: string }[] {
  return [...section.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, text = "", answer = ""]) => ({ text, answer }));
}

describe("docs/time.md", () => {
  test.each(rowsOf(understood))("shows how `$text` is understood", ({ text, answer }) => {
    expect(parseInstant(text, options)).toMatchObject({ ok: true, echo: answer });
  });

  test.each(rowsOf(refused))("shows why `$text` is refused", ({ text, answer }) => {
    const reading = parseInstant(text, options);
    expect(reading.ok ? reading.echo : reading.problem).toContain(answer);
  });

  test("has rows in both tables", () => {
    expect(rowsOf(understood)).toHaveLength(23);
    expect(rowsOf(refused)).toHaveLength(15);
  });
});
