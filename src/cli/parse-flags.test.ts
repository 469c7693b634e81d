import { describe, expect, test } from "vitest";
import { parseFlags } from "./parse-flags.ts";

const flags = {
  store: { value: "FILE", about: "" },
  json: { about: "" },
  quiet: { short: "q", about: "" },
  mode: { value: "full|fast", about: "", choices: ["full", "fast"] },
} as const;

function parse(...args: readonly string[]): ReturnType<typeof parseFlags<typeof flags>> {
  return parseFlags(args, flags, "stepwell x");
}

describe("a command line", () => {
  test("is flags in any place, and the words between them", () => {
    expect(parse("one", "--store", "a.db", "-q", "two=2", "--mode=fast")).toEqual({
      values: { store: "a.db", json: false, quiet: true, mode: "fast" },
      operands: ["one", "two=2"],
    });
  });

  test("what is not given is no, or nothing", () => {
    expect(parse().values).toEqual({ store: undefined, json: false, quiet: false, mode: undefined });
  });

  test("after -- everything is a word; so is a lone dash, and a number below zero", () => {
    expect(parse("-", "-5", "--", "--json", "--", "-q").operands).toEqual(["-", "-5", "--json", "--", "-q"]);
  });

  test("a value may be empty, hold an equals sign, or be a dash", () => {
    expect(parse("--store=").values.store).toBe("");
    expect(parse("--store=a=b\nc").values.store).toBe("a=b\nc");
    expect(parse("--store", "-").values.store).toBe("-");
  });

  test.each([
    [["--sotre", "a"], "There is no flag --sotre. Did you mean --store?"],
    [["--zzzzzz"], "There is no flag --zzzzzz."],
    [["-x"], "There is no flag -x."],
    [["--store"], "--store needs a value: --store FILE"],
    [["--store", "--json"], "--store needs a value: --store FILE"],
    [["--json=yes"], "--json takes no value."],
    [["--store", "a", "--store", "b"], "--store is given twice."],
    [["--mode", "fats"], 'There is no mode "fats". Did you mean "fast"?'],
    [["--__proto__"], "There is no flag --__proto__."],
  ])("%j is refused", (args, message) => {
    expect(() => parse(...args)).toThrow(expect.objectContaining({ code: "USAGE", message }) as Error);
  });
});
