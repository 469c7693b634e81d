// Every line that the seeds ask for has its test, or a part of the project that still owes it. The list says which, and
// this file compares it with the titles of the tests. Which part owes what is written by hand; which test shows what
// `npx vitest run test/acceptance.test.ts -u` writes anew.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Entry = { readonly tests?: readonly string[]; readonly owed?: readonly string[] };
type Entries = { readonly [id: string]: Entry };
type List = {
  readonly parts: readonly string[];
  /** What the seeds ask. */
  readonly seed: Entries;
  /** What was found only in the projects that the seeds come from, where a test shows it all the same. */
  readonly wished: Entries;
};

const root = join(import.meta.dirname, "..");
const text = readFileSync(join(root, "test/acceptance.json"), "utf8");
const list: List = JSON.parse(text);
const entries = Object.entries({ ...list.seed, ...list.wished });

function testFiles(): readonly string[] {
  return ["src", "test", "ui/src", "ui/test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.ts$|^store\/conformance\/./.test(name) && name !== "acceptance.test.ts")
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .toSorted(),
  );
}

/** By id, `file: title` of every test whose title opens with it: `E0-22: …`, or `E0-22, E3-10: …`. */
function testsById(): ReadonlyMap<string, readonly string[]> {
  const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
  const opening = /^([A-Z][A-Z0-9]-\d\d(?:, [A-Z][A-Z0-9]-\d\d)*): /;
  const found = new Map<string, string[]>();
  for (const file of testFiles()) {
    for (const match of readFileSync(join(root, file), "utf8").matchAll(literal)) {
      const title = (match[1] ?? match[2] ?? match[3] ?? "").replaceAll(/\\(.)/g, "$1");
      for (const id of opening.exec(title)?.[1]?.split(", ") ?? []) {
        found.set(id, [...(found.get(id) ?? []), `${file}: ${title}`]);
      }
    }
  }
  return found;
}

/** The list with the tests that are there, as the formatter would write it. */
function rewritten(tests: ReadonlyMap<string, readonly string[]>): string {
  const section = (ids: readonly string[], known: Entries): string =>
    ids.map((id) => `    "${id}": ${writeEntry(tests.get(id) ?? [], known[id]?.owed ?? [])}`).join(",\n");
  const wished = [...tests.keys()].filter((id) => !Object.hasOwn(list.seed, id)).toSorted();
  const members = [
    `  "parts": [${quoted(list.parts).join(", ")}]`,
    `  "seed": {\n${section(Object.keys(list.seed), list.seed)}\n  }`,
    wished.length === 0 ? '  "wished": {}' : `  "wished": {\n${section(wished, list.wished)}\n  }`,
  ];
  return `{\n${members.join(",\n")}\n}\n`;
}

function writeEntry(tests: readonly string[], owed: readonly string[]): string {
  const owing = `"owed": [${quoted(owed).join(", ")}]`;
  if (tests.length === 0) return `{ ${owing} }`;
  const comma = owed.length === 0 ? "" : ",";
  const line = `      "tests": [${quoted(tests).join(", ")}]${comma}`;
  const lines = `      "tests": [\n        ${quoted(tests).join(",\n        ")}\n      ]${comma}`;
  const written = line.length <= 120 ? line : lines;
  return `{\n${written}\n${owed.length === 0 ? "" : `      ${owing}\n`}    }`;
}

function quoted(texts: readonly string[]): readonly string[] {
  return texts.map((each) => JSON.stringify(each));
}

describe("the acceptance list", () => {
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

  test("names exactly the tests whose titles open with an id", async () => {
    await expect(rewritten(testsById())).toMatchFileSnapshot("acceptance.json");
  });

  test("has the ids of its source, where that lies beside the repository", () => {
    const source = join(root, "../shared/acceptance.md");
    const asked = existsSync(source) ? readFileSync(source, "utf8") : "";
    const ids = [...asked.matchAll(/^- \[.\] ([A-Z][A-Z0-9]-\d\d) \[(\w+)\]/gm)];
    const seed = ids.filter((match) => match[2] === "seed").map((match) => match[1]);
    expect(seed).toEqual(asked === "" ? [] : Object.keys(list.seed));
  });
});
