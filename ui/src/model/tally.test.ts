import { expect, test } from "vitest";
import { doToEach, showTally } from "./tally.ts";

test("what is refused keeps nothing else from being done", async () => {
  const seen: number[] = [];
  const results = await doToEach([1, 2, 3], async (n) => {
    await Promise.resolve();
    seen.push(n);
    if (n === 2) throw new Error("Too late.");
  });
  expect(seen.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
  expect(results).toEqual([{ ok: true }, { ok: false, why: "Too late." }, { ok: true }]);
});

test("no more are under way at once than said", async () => {
  let [now, most] = [0, 0];
  await doToEach(
    [1, 2, 3, 4, 5],
    async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
    },
    2,
  );
  expect(most).toBe(2);
});

test("it is told how many were done, how many refused, and why", () => {
  const no = (why: string) => ({ ok: false, why }) as const;
  const yes = { ok: true } as const;
  expect(showTally("cancelled", [yes, yes])).toBe("2 cancelled.");
  expect(showTally("cancelled", [yes, no("It has ended."), no("It has ended.")])).toBe(
    "1 cancelled, 2 refused: It has ended.",
  );
  expect(showTally("retried", [no("A."), no("B."), no("B.")])).toBe("3 refused: B. (2) A.");
});
