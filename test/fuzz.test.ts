// A short run of `npm run fuzz`; the long one is 100,000 documents. The 50,000 expressions are in fuzz/expressions.test.ts.

import { describe, expect, it } from "vitest";
import { fuzzDocuments } from "./fuzz/documents.ts";

describe("documents of every kind", () => {
  const { documents, kinds, violations } = fuzzDocuments({ count: 5000, seed: 1 });

  it("never make the validator throw, and what it accepts compiles, whatever the order of keys and the syntax", () => {
    expect(violations.slice(0, 10)).toEqual([]);
    expect(documents).toBe(5000);
  });

  it("are accepted and refused often enough to show something", () => {
    expect(kinds.get("valid")?.accepted).toBe(kinds.get("valid")?.made);
    expect(kinds.get("mistaken")?.made).toBeGreaterThan(900);
    expect(kinds.get("rewired")?.accepted).toBeGreaterThan(200);
    expect(kinds.get("damaged")?.made).toBeGreaterThan(1000);
    expect(kinds.get("damaged")?.accepted).toBeGreaterThan(100);
    expect(kinds.get("rubbish")?.made).toBeGreaterThan(100);
  });

  it("are the same for the same seed", () => {
    const first = fuzzDocuments({ count: 50, seed: 7 });
    expect(fuzzDocuments({ count: 50, seed: 7 })).toEqual(first);
  });
});
