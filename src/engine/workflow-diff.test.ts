import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffFlows, diffLines } from "./workflow-diff.ts";

const lines = (text: string): readonly string[] => text.split("");

describe("the difference of two texts", () => {
  test("is told line by line, with a few equal lines around", () => {
    const before = lines("abcdefghij");
    expect(diffLines(before, lines("abcdeXghij"))).toEqual([
      "…",
      "  c",
      "  d",
      "  e",
      "- f",
      "+ X",
      "  g",
      "  h",
      "  i",
      "…",
    ]);
    expect(diffLines(before, before)).toEqual([]);
    expect(diffLines(lines("ab"), lines("b"))).toEqual(["- a", "  b"]);
    expect(diffLines(lines("b"), lines("ba"))).toEqual(["  b", "+ a"]);
  });

  test("gives back both texts when nothing is left out", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 7 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const told = diffLines(before, after);
        const of = (marks: string): readonly string[] =>
          told.filter((line) => marks.includes(line.slice(0, 1))).map((line) => line.slice(2));
        const isSame = before.join() === after.join();
        const isWhole = !told.includes("…");
        expect(isSame ? told : isWhole ? [of(" -"), of(" +")] : []).toEqual(isSame || !isWhole ? [] : [before, after]);
      }),
    );
  });

  test("of texts that have nothing in common and are long is told as a whole, and soon", () => {
    const before = Array.from({ length: 5000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 5000 }, (_, index) => `new ${index}`);
    const told = diffLines(before, after);
    expect(told).toHaveLength(10_000);
    expect([told[0], told[5000]]).toEqual(["- old 0", "+ new 0"]);
  });
});

describe("the difference of two flows", () => {
  test("does not depend on how they are written", () => {
    const bare = { a: { set: { n: 1 }, done: true } };
    const document = { format: "stepwell/v1", start: "a", steps: { a: { done: true, set: { n: 1 } } } };
    const { steps } = diffFlows({ flow: bare, text: null }, { flow: document, text: null });
    expect(steps).toEqual({ added: [], removed: [], changed: [] });
  });

  test("names the steps of a pipeline by name or position, and the states and other keys of a machine", () => {
    const pipeline = (tool: string): Parameters<typeof diffFlows>[0] => ({
      flow: { steps: [{ tool: "one" }, { name: "second", tool }] },
      text: null,
    });
    expect(diffFlows(pipeline("two"), pipeline("three")).steps.changed).toEqual(["second"]);
    const machine = (to: string): Parameters<typeof diffFlows>[0] => ({
      flow: {
        states: { draft: { initial: true }, [to]: { terminal: "success" } },
        transitions: [{ name: "go", from: "draft", to }],
      },
      text: null,
    });
    const { steps, keys } = diffFlows(machine("done"), machine("out"));
    expect([steps, keys]).toEqual([{ added: ["out"], removed: ["done"], changed: [] }, ["transitions"]]);
  });

  test("shows texts as they were written when both are texts", () => {
    const one = { flow: {}, text: "# first\na: {set: {}}\r\n" };
    const other = { flow: {}, text: "# second\na: {set: {}}\n" };
    expect(diffFlows(one, other).lines).toEqual(["- # first", "+ # second", "  a: {set: {}}"]);
  });
});
