import { expect, test } from "vitest";
import { evaluate } from "../../../src/flow/expression/evaluate.ts";
import { parseExpression } from "../../../src/flow/expression/parse.ts";
import {
  columnsOf,
  tableOf,
  flatten,
  keyOf,
  openAtFirst,
  openTo,
  portion,
  rootOfResult,
  search,
  showPath,
  toggle,
  valueAt,
} from "./json-path.ts";

const value = { items: [{ title: "Tides", "odd key": 1, 'with "quotes"': 2, in: 3 }], count: 1 };

test("a copied path is an expression that resolves to the very value", () => {
  for (const path of [
    ["items", 0, "title"],
    ["items", 0, "odd key"],
    ["items", 0, 'with "quotes"'],
    ["items", 0, "in"],
    ["count"],
  ]) {
    const source = showPath(rootOfResult("fetch"), path);
    const parsed = parseExpression(source);
    if (!parsed.ok) throw new Error(`${source} does not parse`);
    const found = evaluate(parsed.expression, {
      lookup: (name) => (name === "steps" ? { fetch: { result: value } } : undefined),
    });
    expect(found).toMatchObject({ ok: true, value: valueAt(value, path) });
  }
});

test("plain names stand behind a dot, all others in brackets", () => {
  expect(showPath(rootOfResult("fetch"), ["items", 0])).toBe("steps.fetch.result.items[0]");
  expect(rootOfResult("my step")).toBe('steps["my step"].result');
});

test("what does not stand there is not found, not even what every object inherits", () => {
  expect(valueAt(value, ["constructor"])).toBeUndefined();
  expect(valueAt(value, ["items", 7])).toBeUndefined();
});

test("a long list is drawn in portions, and the rest is counted", () => {
  const long = Array.from({ length: 250 }, (_none, at) => at);
  const rows = flatten(long, new Map([[keyOf([]), { from: 0, to: portion }]]));
  expect(rows).toHaveLength(1 + portion + 1);
  expect(rows.at(-1)).toMatchObject({ kind: "more", side: "behind", left: 150 });
});

test("nothing beneath what is closed is drawn", () => {
  expect(flatten(value, new Map())).toMatchObject([{ kind: "value", isOpen: false, level: 1 }]);
});

test("a small value is open at first, a large one only at its root", () => {
  expect(openAtFirst(value).has(keyOf(["items", 0]))).toBe(true);
  const large = Array.from({ length: 90 }, () => ({ a: 1, b: 2 }));
  expect([...openAtFirst(large).keys()]).toEqual([keyOf([])]);
});

test("to show a place everything above it is opened, and only the portion in which it stands is drawn", () => {
  const long = { list: Array.from({ length: 450 }, (_none, at) => ({ at })) };
  const rows = flatten(long, openTo(long, ["list", 320, "at"], new Map()));
  expect(rows.some((row) => row.key === keyOf(["list", 320, "at"]))).toBe(true);
  expect(rows.filter(({ kind }) => kind === "more")).toMatchObject([
    { side: "before", left: 300 },
    { side: "behind", left: 50 },
  ]);
  expect(rows.length).toBeLessThan(portion + 10);
});

test("a portion more is drawn on the side on which somebody asks for it", () => {
  const long = Array.from({ length: 450 }, (_none, at) => at);
  const opened = openTo(long, [250], new Map());
  const before = flatten(long, opened).find(({ kind }) => kind === "more");
  if (before === undefined) throw new Error("nothing is left out");
  expect(toggle(opened, before).get(keyOf([]))).toEqual({ from: 100, to: 300 });
});

test("what is open is closed, and what is closed is opened", () => {
  const [root] = flatten(value, new Map());
  if (root === undefined) throw new Error("there is no root");
  const opened = toggle(new Map(), root);
  expect(opened.has(keyOf([]))).toBe(true);
  expect(toggle(opened, root).size).toBe(0);
});

test("a search finds keys and values in their order, and says when it stops", () => {
  expect(search(value, "TIDE").paths).toEqual([["items", 0, "title"]]);
  expect(search(value, "odd").paths).toEqual([["items", 0, "odd key"]]);
  expect(
    search(
      Array.from({ length: 900 }, () => "same"),
      "same",
    ),
  ).toMatchObject({ isCut: true });
});

test("a list of objects has columns, anything else has none", () => {
  expect(columnsOf([{ a: 1 }, { b: 2 }])).toEqual(["a", "b"]);
  expect(columnsOf([{ a: 1 }, 2])).toBeNull();
  expect(columnsOf([])).toBeNull();
  expect(columnsOf("text")).toBeNull();
});

test("the one list of an object is a table, also that of an answer in a structure; of several none is", () => {
  const rows = [{ a: 1 }, { b: 2 }];
  const table = { rows, columns: ["a", "b"] };
  expect(tableOf(rows)).toEqual(table);
  expect(tableOf({ total: 2, items: rows })).toEqual(table);
  expect(tableOf({ content: [{ type: "text", text: "two" }], structuredContent: { items: rows } })).toEqual(table);
  expect(tableOf({ items: rows, others: rows })).toBeNull();
  expect(tableOf({ items: [1, 2] })).toBeNull();
  expect(tableOf({ total: 2 })).toBeNull();
  expect(tableOf("text")).toBeNull();
});
