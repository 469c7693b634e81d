import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

it.each([
  [[], { firstSeed: 1, seeds: 1000, isAlone: false, isPlanted: false, store: "memory" }],
  [["--seeds", "20,000"], { firstSeed: 1, seeds: 20_000, isAlone: false, isPlanted: false, store: "memory" }],
  [["--seed", "7"], { firstSeed: 7, seeds: 1, isAlone: true, isPlanted: false, store: "memory" }],
  [["--seed=7", "--seeds=3"], { firstSeed: 7, seeds: 3, isAlone: false, isPlanted: false, store: "memory" }],
  [["--store", "sqlite"], { firstSeed: 1, seeds: 1000, isAlone: false, isPlanted: false, store: "sqlite" }],
  [["--planted"], { firstSeed: 1, seeds: 1000, isAlone: false, isPlanted: true, store: "memory" }],
])("%j is understood", (args, value) => {
  expect(parseArguments(args)).toEqual({ ok: true, value });
});

it.each([
  [["--seeds", "many"], '--seeds takes a whole number, not "many".'],
  [["--seed", "-1"], "--seed"],
  [["--store", "paper"], '--store takes memory or sqlite, not "paper".'],
  [["7"], "Unexpected argument '7'"],
])("%j is refused", (args, problem) => {
  const parsed = parseArguments(args);
  expect(parsed.ok ? "" : parsed.problem).toContain(problem);
});
