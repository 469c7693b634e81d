import { describe, expect, test } from "vitest";
import { findMark, findPlacesIn, type Mark } from "./places.ts";

describe("findPlacesIn", () => {
  test("counts lines and columns from one, in UTF-16 units", () => {
    const text = 'ab\n\n"😀"x';
    const placeAt = findPlacesIn(text);
    const places = [0, 1, 3, 4, text.indexOf("x"), text.length].map((offset) => placeAt(offset));
    expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:1", "1:2", "2:1", "3:1", "3:5", "3:6"]);
  });

  test("takes a carriage return as part of the line it ends", () => {
    const placeAt = findPlacesIn("a\r\nb");
    expect([placeAt(1), placeAt(3)]).toEqual([
      { line: 1, column: 2 },
      { line: 2, column: 1 },
    ]);
  });
});

function leaf(at: number): Mark {
  return { at, keyAt: undefined };
}

describe("findMark", () => {
  const list: Mark = { at: 20, keyAt: 10, items: [leaf(21), leaf(22)] };
  const root: Mark = {
    at: 0,
    keyAt: undefined,
    members: new Map([
      ["list", list],
      ["a/b~c", leaf(30)],
    ]),
  };

  test.each([
    ["the root", "", 0],
    ["a member", "/list", 20],
    ["an item", "/list/1", 22],
    ["an escaped key", "/a~1b~0c", 30],
    ["the nearest value around a missing member", "/nope/deeper", 0],
    ["the nearest value around a missing item", "/list/2", 20],
    ["the list for an index that is none", "/list/01", 20],
    ["the scalar for something below it", "/list/0/x", 21],
  ])("finds %s", (_, pointer, at) => {
    expect(findMark(root, pointer).at).toBe(at);
  });
});
