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

test("who gives up waiting is gone at once, and those behind it move up", async () => {
  const turnstile = new Turnstile(1);
  void turnstile.enter();
  const left = Promise.withResolvers<never>();
  const second = turnstile.enter((turn) => Promise.race([turn, left.promise]));
  const third = turnstile.enter();
  left.reject(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  turnstile.leave();
  await third;
  turnstile.leave();
  expect(turnstile.enter()).toBeUndefined();
});

test("a place that is given to somebody who has just given up is handed on", async () => {
  const turnstile = new Turnstile(1);
  void turnstile.enter();
  const second = turnstile.enter(async (turn) => {
    await turn;
    throw new Error("enough");
  });
  const third = turnstile.enter();
  turnstile.leave();
  await expect(second).rejects.toThrow("enough");
  await third;
});

test("who comes back goes before those who wait", async () => {
  const turnstile = new Turnstile(1);
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
