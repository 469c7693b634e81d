import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const usual = { firstSeed: 1, lists: 1000, commandsMax: 7, store: "postgres" };

it.each([
  [[], usual],
  [["--lists", "200,000"], { ...usual, lists: 200_000 }],
  [["--seed", "7"], { ...usual, firstSeed: 7, lists: 1 }],
  [["--seed=7", "--lists=3"], { ...usual, firstSeed: 7, lists: 3 }],
  [["--store", "file", "--commands", "30"], { ...usual, store: "file", commandsMax: 30 }],
])("%j is understood", (args, value) => {
  expect(parseArguments(args)).toEqual({ ok: true, value });
});

it.each([
  [["--lists", "many"], '--lists takes a whole number, not "many".'],
  [["--commands", "2"], "--commands takes a number from 3 to 1000, not 2."],
  [["--store", "paper"], '--store takes postgres, file or memory, not "paper".'],
  [["7"], "Unexpected argument '7'"],
])("%j is refused", (args, problem) => {
  const parsed = parseArguments(args);
  expect(parsed.ok ? "" : parsed.problem).toContain(problem);
});
