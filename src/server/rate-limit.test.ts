import { describe, expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { codeOfRejection } from "../testing/engine.ts";
import { createLoginLimit, createRateLimit } from "./rate-limit.ts";

const minute = 60_000;

describe("a measure of requests", () => {
  test("lets a burst through, then as many as a second allows, and no more after a long rest", () => {
    let now = 0;
    const limit = createRateLimit({ perSecond: 10, burst: 3 }, () => now);
    const takeAll = (): number => {
      for (let taken = 0; ; taken++) {
        try {
          limit.take("ann");
        } catch {
          return taken;
        }
      }
    };
    expect(takeAll()).toBe(3);
    now += 100;
    expect(takeAll()).toBe(1);
    now += 50;
    expect(takeAll()).toBe(0);
    now -= 10_000;
    expect(takeAll()).toBe(0);
    now += minute;
    expect(takeAll()).toBe(3);
    expect(() => limit.take("bob")).not.toThrow();
  });

  test("forgets those who came longest ago before it needs more memory", () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, () => 0);
    limit.take("first");
    for (let count = 0; count < 9999; count++) limit.take(`name ${count}`);
    expect(() => limit.take("first")).toThrow("Too many requests at once.");
    limit.take("one more");
    expect(() => limit.take("first")).not.toThrow();
  });
});

describe("a measure of guesses", () => {
  const wrong = (): Promise<never> => Promise.reject(new StepwellError("NOT_LOGGED_IN", "wrong"));

  test("lets five wrong ones through in a quarter of an hour, for the user and for the address", async () => {
    let now = 0;
    const limit = createLoginLimit(() => now);
    const guess = (user: string, address: string): Promise<string> =>
      codeOfRejection(limit.guess([user, address], wrong));
    for (let count = 0; count < 5; count++) {
      expect(await guess("ann", `address ${count}`)).toBe("NOT_LOGGED_IN");
      now += minute;
    }
    expect(await guess("ann", "address 9")).toBe("TOO_MANY_REQUESTS");
    for (let count = 0; count < 5; count++) expect(await guess(`user ${count}`, "home")).toBe("NOT_LOGGED_IN");
    expect(await guess("user 9", "home")).toBe("TOO_MANY_REQUESTS");
    now = 15 * minute;
    expect(await guess("ann", "address 9")).toBe("NOT_LOGGED_IN");
    expect(await guess("ann", "address 9")).toBe("TOO_MANY_REQUESTS");
  });

  test("W10: of a thousand at once five are tried", async () => {
    const limit = createLoginLimit(() => 0);
    let tried = 0;
    const all = Array.from({ length: 1000 }, () =>
      codeOfRejection(
        limit.guess(["ann"], () => {
          tried += 1;
          return wrong();
        }),
      ),
    );
    expect((await Promise.all(all)).filter((code) => code === "NOT_LOGGED_IN")).toHaveLength(5);
    expect(tried).toBe(5);
  });

  test("does not count who was right, nor what went wrong otherwise", async () => {
    const limit = createLoginLimit(() => 0);
    for (let count = 0; count < 10; count++) {
      expect(await limit.guess(["ann"], () => Promise.resolve("in"))).toBe("in");
      expect(await codeOfRejection(limit.guess(["ann"], () => Promise.reject(new Error("lost"))))).toBe("Error: lost");
    }
  });

  test("lets no more than eight be computed at once", async () => {
    const limit = createLoginLimit(() => 0);
    const gate = Promise.withResolvers<string>();
    const all = Array.from({ length: 9 }, (_, user) =>
      codeOfRejection(limit.guess([`user ${user}`], () => gate.promise)),
    );
    expect(await all[8]).toBe("TOO_MANY_REQUESTS");
    gate.resolve("in");
    expect(await Promise.all(all.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => "none"));
  });
});
