import { expect, test } from "vitest";
import type { LinkClock } from "./link-clock.ts";
import { Turnstile } from "./turnstile.ts";
import type { Place, Waiter } from "./waiting-line.ts";

/** It stands still. */
const clock: LinkClock = { elapsed: () => 0, after: () => ({ cancel: () => {} }) };

/** A promise only when there is no room. */
function enter(turnstile: Turnstile, who: Waiter = {}, place: Place = "last"): Promise<void> | undefined {
  let isIn = false;
  const waiting = new Promise<void>((resolve, reject) => {
    const go = (): void => {
      isIn = true;
      resolve();
    };
    turnstile.enter(who, { go, left: (_who, problem) => reject(problem) }, place);
  });
  return isIn ? undefined : waiting;
}

/** Somebody who may give up. */
function createWaiter(): Waiter & { readonly leave: () => void } {
  const waiter: Waiter & { readonly leave: () => void } = { leave: () => waiter.line?.leave(waiter) };
  return waiter;
}

test("as many go through at once as there is room for; the others follow in the order in which they came", async () => {
  const turnstile = new Turnstile(2, clock);
  expect([enter(turnstile), enter(turnstile)]).toEqual([undefined, undefined]);
  const through: string[] = [];
  const waiting = ["third", "fourth"].map((name) => enter(turnstile)?.then(() => through.push(name)));
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
  void enter(turnstile);
  const left = createWaiter();
  const second = enter(turnstile, left);
  const third = enter(turnstile);
  left.leave();
  await expect(second).rejects.toThrow("Nobody waits for it any more.");
  turnstile.leave();
  await third;
  turnstile.leave();
  expect(enter(turnstile)).toBeUndefined();
});

test("who gives up in the moment in which it is let in has its place, and hands it on when it leaves", async () => {
  const turnstile = new Turnstile(1, clock);
  void enter(turnstile);
  const left = createWaiter();
  const second = enter(turnstile, left);
  const third = enter(turnstile);
  turnstile.leave();
  left.leave();
  await second;
  turnstile.leave();
  await third;
  turnstile.leave();
  expect(enter(turnstile)).toBeUndefined();
});

test("who comes back goes before those who wait", async () => {
  const turnstile = new Turnstile(1, clock);
  void enter(turnstile);
  const through: string[] = [];
  const waiting = [
    enter(turnstile)?.then(() => through.push("new")),
    enter(turnstile, {}, "first")?.then(() => through.push("back")),
  ];
  turnstile.leave();
  await waiting[1];
  turnstile.leave();
  await waiting[0];
  expect(through).toEqual(["back", "new"]);
});

test("a place that nobody waits for is free again", () => {
  const turnstile = new Turnstile(1, clock);
  void enter(turnstile);
  turnstile.leave();
  expect(enter(turnstile)).toBeUndefined();
  expect(enter(turnstile)).toBeInstanceOf(Promise);
});

test("where nobody says how many, nobody waits", () => {
  const turnstile = new Turnstile(null, clock);
  for (let entered = 0; entered < 10_000; entered++) expect(enter(turnstile)).toBeUndefined();
});
