import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

it.each([
  [[], { firstSeed: 1, seeds: 1000, isAlone: false, isPlanted: false }],
  [["--seeds", "20,000"], { firstSeed: 1, seeds: 20_000, isAlone: false, isPlanted: false }],
  [["--seed", "7"], { firstSeed: 7, seeds: 1, isAlone: true, isPlanted: false }],
  [["--seed=7", "--seeds=3"], { firstSeed: 7, seeds: 3, isAlone: false, isPlanted: false }],
  [["--planted"], { firstSeed: 1, seeds: 1000, isAlone: false, isPlanted: true }],
])("%j is understood", (args, value) => {
  expect(parseArguments(args)).toEqual({ ok: true, value });
});

it.each([
  [["--seeds", "many"], '--seeds takes a whole number, not "many".'],
  [["--seed", "-1"], "--seed"],
  [["7"], "Unexpected argument '7'"],
])("%j is refused", (args, problem) => {
  const parsed = parseArguments(args);
  expect(parsed.ok ? "" : parsed.problem).toContain(problem);
});
