import { expect, test } from "vitest";
import { sayRetention } from "./retention.ts";

const none = { ageMs: null, runsMax: null, bytesMax: null };

test.each([
  [null, "Another process keeps the store, and knows how long ended runs are kept."],
  [none, "Ended runs are kept for ever."],
  [{ ...none, ageMs: 30 * 86_400_000 }, "Ended runs are kept for 30 d."],
  [
    { ageMs: 86_400_000, runsMax: 10_000, bytesMax: 500_000_000 },
    "Ended runs are kept for 1 d; the newest 10,000 of them; as many as fit into 500.0 MB, whichever is least.",
  ],
])("how long ended runs are kept is said: %j", (retention, words) => {
  expect(sayRetention(retention)).toBe(words);
});
