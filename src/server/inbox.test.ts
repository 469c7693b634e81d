import { expect, test } from "vitest";
import { readRowsOf } from "./inbox.ts";

test("rows of many runs are asked for together, though never more than sixteen at once, and each once", async () => {
  let under = 0;
  let most = 0;
  const asked: number[] = [];
  const listRows = async (run: number): Promise<readonly never[]> => {
    asked.push(run);
    under += 1;
    most = Math.max(most, under);
    await Promise.resolve();
    under -= 1;
    return [];
  };
  const runs = Array.from({ length: 200 }, (_, index) => index);
  const rows = await readRowsOf({ listRows }, [...runs, 7, 7]);
  expect([most, asked, [...rows.keys()].toSorted((one, other) => one - other)]).toEqual([16, runs, runs]);
  expect(await readRowsOf({ listRows }, [])).toEqual(new Map());
});

test("what one of them fails with is told", async () => {
  const listRows = (run: number): Promise<readonly never[]> =>
    run === 5 ? Promise.reject(new Error("gone")) : Promise.resolve([]);
  await expect(readRowsOf({ listRows }, [1, 5, 9])).rejects.toThrow("gone");
});
