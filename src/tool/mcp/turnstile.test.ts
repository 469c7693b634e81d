import { expect, test } from "vitest";
import type { LinkClock } from "./link-clock.ts";
import { Turnstile } from "./turnstile.ts";

/** It stands still. */
const clock: LinkClock = { elapsed: () => 0, after: () => ({ cancel: () => {} }) };

test("as many go through at once as there is room for; the others follow in the order in which they came", async () => {
  const turnstile = new Turnstile(2, clock);
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

test("who gives up waiting is gone at once, and those behind it move up", async () => {
  const turnstile = new Turnstile(1, clock);
  void turnstile.enter();
  const left = new AbortController();
  const second = turnstile.enter({ signal: left.signal });
  const third = turnstile.enter();
  left.abort();
  await expect(second).rejects.toThrow("Nobody waits for it any more.");
  turnstile.leave();
  await third;
  turnstile.leave();
  expect(turnstile.enter()).toBeUndefined();
});

test("who gives up in the moment in which it is let in has its place, and hands it on when it leaves", async () => {
  const turnstile = new Turnstile(1, clock);
  void turnstile.enter();
  const left = new AbortController();
  const second = turnstile.enter({ signal: left.signal });
  const third = turnstile.enter();
  turnstile.leave();
  left.abort();
  await second;
  turnstile.leave();
  await third;
  turnstile.leave();
  expect(turnstile.enter()).toBeUndefined();
});

test("who comes back goes before those who wait", async () => {
  const turnstile = new Turnstile(1, clock);
  void turnstile.enter();
  const through: string[] = [];
  const waiting = [
    turnstile.enter()?.then(() => through.push("new")),
    turnstile.enter(undefined, "first")?.then(() => through.push("back")),
  ];
  turnstile.leave();
  await waiting[1];
  turnstile.leave();
  await waiting[0];
  expect(through).toEqual(["back", "new"]);
});

test("a place that nobody waits for is free again", () => {
  const turnstile = new Turnstile(1, clock);
  void turnstile.enter();
  turnstile.leave();
  expect(turnstile.enter()).toBeUndefined();
  expect(turnstile.enter()).toBeInstanceOf(Promise);
});

test("where nobody says how many, nobody waits", () => {
  const turnstile = new Turnstile(null, clock);
  for (let entered = 0; entered < 10_000; entered++) expect(turnstile.enter()).toBeUndefined();
});
