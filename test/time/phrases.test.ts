// Phrases, zones and the days around both changes of the clocks. What is expected was worked out by Python's calendar and
// zone rules (expectations.py) from meanings that were written down by hand, and is compared as it is.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseInstant } from "../../src/flow/time/instant.ts";

type Column = { readonly zone: string; readonly now: string; readonly expected: Map<string, string> };

const lines = readFileSync(new URL("expectations.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const columns = readColumns();

function readColumns(): readonly Column[] {
  const read: Column[] = [];
  let open: readonly Column[] = [];
  for (const line of lines) {
    const [head = "", ...cells] = line.split("\t");
    if (head.startsWith("zone ")) {
      open = cells.map((now) => ({ zone: head.slice("zone ".length), now, expected: new Map() }));
      read.push(...open);
    } else {
      for (const [index, cell] of cells.entries()) open[index]?.expected.set(head, cell);
    }
  }
  return read;
}

function understand(phrase: string, { zone, now }: Column): string {
  const reading = parseInstant(phrase, { now: Date.parse(now), zone });
  return reading.ok ? new Date(reading.at).toISOString().replace(".000Z", "Z") : reading.reason;
}

test("the table has 60 phrases and more, in five zones, around both changes of the clocks", () => {
  const zones = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"];
  expect(columns.map(({ zone }) => zone)).toEqual(zones.flatMap((zone) => Array.from({ length: 7 }, () => zone)));
  for (const { expected } of columns) expect(expected.size).toBeGreaterThanOrEqual(60);
});

describe("E3-38: what is written in words is understood", () => {
  test.each(columns)("in $zone at $now", (column) => {
    const understood = [...column.expected.keys()].map((phrase) => [phrase, understand(phrase, column)] as const);
    expect(new Map(understood)).toEqual(column.expected);
  });
});
