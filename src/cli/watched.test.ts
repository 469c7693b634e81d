import { expect, test } from "vitest";
import { whereToListen } from "./watched.ts";

test("a service takes the port that it is given, or the first of some that is free", () => {
  expect(whereToListen(null, 8080)).toEqual({ port: 8080 });
  expect(whereToListen(null, undefined)).toEqual({ port: 7700, triesMax: 20 });
  expect(whereToListen({ portBefore: null }, undefined)).toEqual({ port: 7700, triesMax: 20 });
});

test("one that is started again wants the port it had, and is patient for a few seconds", () => {
  const { port, triesMax = 1, waitsMs = [] } = whereToListen({ portBefore: 7703 }, 0);
  expect([port, triesMax]).toEqual([7703, 1]);
  expect(waitsMs).toEqual(waitsMs.toSorted((one, other) => one - other));
  const wholeMs = waitsMs.reduce((sum, ms) => sum + ms, 0);
  expect(wholeMs).toBeGreaterThan(3000);
  expect(wholeMs).toBeLessThan(10_000);
});
