// Every line that the seeds ask for has its test, or a part of the project that still owes it. The list says which; this
// file compares the list with the titles of the tests, both ways.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Entry = { readonly tests?: readonly string[]; readonly owed?: readonly string[] };
type List = {
  readonly parts: readonly string[];
  /** What the seeds ask. */
  readonly seed: { readonly [id: string]: Entry };
  /** What was found only in the projects that the seeds come from, where a test shows it all the same. */
  readonly wished: { readonly [id: string]: Entry };
};

const root = join(import.meta.dirname, "..");
const text = readFileSync(join(root, "test/acceptance.json"), "utf8");
const list = JSON.parse(text) as List;
const entries = Object.entries({ ...list.seed, ...list.wished });
const listed = new Set(entries.flatMap(([id, { tests = [] }]) => tests.map((title) => `${id} = ${title}`)));

/** `file: title` of every test whose title opens with ids: `E0-22: …`, or `E0-22, E3-10: …`. */
function titlesOfTests(): readonly { readonly ids: readonly string[]; readonly title: string }[] {
  const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
  const opening = /^((?:[A-Z][A-Z0-9]-\d\d)(?:, [A-Z][A-Z0-9]-\d\d)*): /;
  return testFiles().flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(literal)].flatMap((match) => {
      const written = (match[1] ?? match[2] ?? match[3] ?? "").replaceAll(/\\(.)/g, "$1");
      const ids = opening.exec(written)?.[1]?.split(", ");
      return ids === undefined ? [] : [{ ids, title: `${file}: ${written}` }];
    }),
  );
}

function testFiles(): readonly string[] {
  return ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts") && name !== "acceptance.test.ts")
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
}

describe("the acceptance list", () => {
  const titles = titlesOfTests();

  test("names every id once", () => {
    const keys = [...text.matchAll(/"([A-Z][A-Z0-9]-\d\d)":/g)].map((match) => match[1]);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    expect(keys).toHaveLength(entries.length);
  });

  test("gives every id a test or a part that owes it", () => {
    const empty = entries.filter(([, { tests = [], owed = [] }]) => tests.length + owed.length === 0);
    expect(empty).toEqual([]);
  });

  test("knows every part that owes something", () => {
    const owing = new Set(entries.flatMap(([, { owed = [] }]) => owed));
    expect([...owing].filter((part) => !list.parts.includes(part))).toEqual([]);
  });

  test("names only tests that are there, under their own id", () => {
    const there = new Set(titles.flatMap(({ ids, title }) => ids.map((id) => `${id} = ${title}`)));
    expect([...listed].filter((claim) => !there.has(claim))).toEqual([]);
  });

  test("names every test whose title opens with an id", () => {
    const claims = titles.flatMap(({ ids, title }) => ids.map((id) => `${id} = ${title}`));
    expect(claims.filter((claim) => !listed.has(claim))).toEqual([]);
  });

  // The source of the ids lies beside the repository where it is developed, and is not part of it.
  const source = join(root, "../shared/acceptance.md");
  test.runIf(existsSync(source))("has exactly the ids of its source", () => {
    const asked = [...readFileSync(source, "utf8").matchAll(/^- \[.\] ([A-Z][A-Z0-9]-\d\d) \[(\w+)\]/gm)];
    const ids = (isSeed: boolean): readonly (string | undefined)[] =>
      asked.filter((match) => (match[2] === "seed") === isSeed).map((match) => match[1]);
    expect(Object.keys(list.seed).toSorted()).toEqual(ids(true).toSorted());
    expect(Object.keys(list.wished).filter((id) => !ids(false).includes(id))).toEqual([]);
  });
});
