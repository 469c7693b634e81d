import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { compile } from "../validate/compile.ts";

function joinsOf(input: Json): { readonly [key: string]: string | null } {
  const plan = compile(input);
  const forks = Object.values(plan.steps).flatMap(({ key, transition }) =>
    transition.kind === "fork" ? [[key, transition.join] as const] : [],
  );
  return Object.fromEntries(forks);
}

describe("forks know their joins", () => {
  const work = { tool: "x" };
  const split = (...parallel: readonly string[]): { tool: string; parallel: readonly string[] } => ({
    tool: "x",
    parallel,
  });
  test.each<readonly [string, Json, object]>([
    [
      "on the branches",
      { start: split("a", "b"), a: { tool: "x", join: "j" }, b: { tool: "x", next: "j" }, j: work },
      { start: "j" },
    ],
    ["on the forking step", { start: { ...split("a", "b"), join: "j" }, a: work, b: work, j: work }, { start: "j" }],
    ["nowhere", { start: split("a", "b"), a: work, b: work }, { start: null }],
    [
      "of an inner fork, that closes first",
      {
        start: split("f", "b"),
        f: split("c", "d"),
        c: { tool: "x", join: "k" },
        d: { tool: "x", join: "k" },
        k: { tool: "x", join: "j" },
        b: { tool: "x", join: "j" },
        j: work,
      },
      { start: "j", f: "k" },
    ],
    [
      "shared with the fork around it",
      {
        start: split("f", "b"),
        f: split("c", "d"),
        c: { tool: "x", join: "j" },
        d: { tool: "x", join: "j" },
        b: { tool: "x", join: "j" },
        j: work,
      },
      { start: "j", f: "j" },
    ],
    [
      "shared by two inner forks and nothing else",
      {
        start: split("f", "g"),
        f: split("c"),
        g: split("d"),
        c: { tool: "x", join: "j" },
        d: { tool: "x", join: "j" },
        j: work,
      },
      { start: "j", f: "j", g: "j" },
    ],
    [
      "of the fork around it, that a branch goes to",
      {
        start: split("f", "b"),
        f: split("c", "d"),
        c: { tool: "x", next: "j" },
        d: work,
        b: { tool: "x", join: "j" },
        j: work,
      },
      { start: "j", f: "j" },
    ],
    [
      "with joins one behind the other, the nearest",
      {
        start: split("f", "z"),
        z: { tool: "x", join: "m" },
        f: split("a", "b"),
        a: { tool: "x", next: "j" },
        b: { tool: "x", join: "j" },
        j: { tool: "x", join: "m" },
        m: work,
      },
      { start: "m", f: "j" },
    ],
  ])("%s", (_, input, joins) => {
    expect(joinsOf(input)).toEqual(joins);
  });

  test("a join outside any fork acts as next", () => {
    expect(compile({ start: { tool: "x", join: "j" }, j: work }).steps["start"]?.transition).toEqual({
      kind: "join",
      to: "j",
    });
  });
});
