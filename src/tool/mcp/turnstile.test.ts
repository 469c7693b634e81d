import { expect, test } from "vitest";
import { Turnstile } from "./turnstile.ts";

test("as many go through at once as there is room for; the others follow in the order in which they came", async () => {
  const turnstile = new Turnstile(2);
  expect([turnstile.enter(), turnstile.enter()]).toEqual([undefined, undefined]);
  const through: string[] = [];
  const waiting = ["third", "fourth"].map((name) => turnstile.enter()?.then(() => through.push(name)));
  await Promise.resolve();
  expect(through).toEqual([]);
  turnstile.leave();
  await waiting[0];
  expect(through).toEqual(["third"]);
  turnstile.leave();
  await waiting[1];
  expect(through).toEqual(["third", "fourth"]);
});

test("a place that nobody waits for is free again", () => {
  const turnstile = new Turnstile(1);
  void turnstile.enter();
  turnstile.leave();
  expect(turnstile.enter()).toBeUndefined();
  expect(turnstile.enter()).toBeInstanceOf(Promise);
});

test("where nobody says how many, nobody waits", () => {
  const turnstile = new Turnstile(null);
  for (let entered = 0; entered < 10_000; entered++) expect(turnstile.enter()).toBeUndefined();
});
