import { expect, it } from "vitest";
import { createRandom } from "./random.ts";

function words(seed: number): readonly number[] {
  const random = createRandom(seed);
  return Array.from({ length: 20 }, () => random.next());
}

it("one seed gives one sequence, and neighbouring seeds share nothing", () => {
  expect(words(7)).toEqual(words(7));
  expect(words(7).filter((word) => words(8).includes(word))).toEqual([]);
});

it("numbers are spread evenly and stay within their bounds", () => {
  const random = createRandom(1);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let round = 0; round < 100_000; round += 1) {
    const number = random.integer(10);
    counts[number] = (counts[number] ?? Number.NaN) + 1;
  }
  expect(counts).toHaveLength(10);
  expect(Math.min(...counts)).toBeGreaterThan(9_500);
  expect(Math.max(...counts)).toBeLessThan(10_500);
});

it("a shuffled list keeps its members, and a pick is one of them", () => {
  const random = createRandom(2);
  const list = Array.from({ length: 30 }, (_, index) => index);
  expect(random.shuffle(list)).not.toEqual(list);
  expect(random.shuffle(list).toSorted((a, b) => a - b)).toEqual(list);
  expect(list).toContain(random.pick(list));
  expect(() => random.pick([])).toThrow("Cannot pick from an empty list");
});

it("what a split generator is asked does not shift the answers of its parent", () => {
  const [one, other] = [createRandom(3), createRandom(3)];
  const child = one.split();
  other.split();
  child.next();
  expect(one.next()).toBe(other.next());
});

it("a chance of nothing never comes, a certain one always", () => {
  const random = createRandom(4);
  const chances = Array.from({ length: 100 }, () => [random.chance(0), random.chance(1)]);
  expect(chances.every(([never, always]) => never === false && always === true)).toBe(true);
});
