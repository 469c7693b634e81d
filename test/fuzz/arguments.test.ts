import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

it("what is not given has a default, and thousands may be separated", () => {
  expect(parseArguments([], 7)).toEqual({
    ok: true,
    value: { documents: 5000, expressions: 50_000, rest: 0, seed: 7 },
  });
  expect(parseArguments(["--documents", "100,000", "--expressions", "1_000_000", "--seed=4"], 7)).toEqual({
    ok: true,
    value: { documents: 100_000, expressions: 1_000_000, rest: 0, seed: 4 },
  });
});

it.each([
  [["--documents", "many"], '--documents takes a whole number, not "many".'],
  [["--seed", "1.5"], '--seed takes a whole number, not "1.5".'],
  [["--document", "5"], "Unknown option '--document'"],
  [["5"], "Unexpected argument '5'"],
  [["--seed"], "argument missing"],
])("%j is refused", (args, problem) => {
  const parsed = parseArguments(args, 1);
  expect(parsed.ok ? "" : parsed.problem).toContain(problem);
});
