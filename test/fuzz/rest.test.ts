// A short run of `npm run fuzz -- --rest 20000`.

import { expect, test } from "vitest";
import { fuzzRest } from "./rest.ts";

test("1,000 requests of every kind: no 5xx, every refusal a problem with a code, and the service goes on", async () => {
  const { requests, routes, statuses, violations } = await fuzzRest({ count: 1000, seed: 1 });
  expect(violations.slice(0, 10)).toEqual([]);
  expect(requests).toBe(1000);
  expect(routes).toBeGreaterThan(60);
  // Enough of them are understood to show something.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(100);
  expect(statuses.get(201) ?? 0).toBeGreaterThan(0);
  expect(statuses.get(422) ?? 0).toBeGreaterThan(100);
});
