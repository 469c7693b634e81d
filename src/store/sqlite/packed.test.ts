import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Scalar } from "../columns/row.ts";
import { forEachRow, packList, type PackedList } from "./packed.ts";

/** Few values, so that columns are often the same in all rows. */
const scalar: fc.Arbitrary<Scalar> = fc.constantFrom(null, 0, 1, 1_763_500_000_000, "", "a", "0");
const width = 4;
const list = fc.array(fc.tuple(scalar, scalar, scalar, scalar), { maxLength: 6 }).map((rows) => rows.flat());

function unpack(packed: PackedList): readonly Scalar[] {
  const values: Scalar[] = [];
  forEachRow(packed, (row) => values.push(...row));
  return values;
}

describe("a list that crosses to the thread that writes", () => {
  test("comes out as it went in, whatever its rows have in common", () => {
    fc.assert(
      fc.property(list, (values) => {
        expect(unpack(structuredClone(packList(values, width)))).toEqual(values);
      }),
    );
  });

  test("takes a value once that all rows have, and a list of those that differ", () => {
    const rows = [7, "many", null, 1, 8, "many", null, 2, 9, "many", null, 2];
    expect(packList(rows, width)).toEqual({ count: 3, columns: [[7, 8, 9], "many", null, [1, 2, 2]] });
  });

  test("does not take a number for the text of it", () => {
    expect(packList([1, "1"], 1).columns).toEqual([[1, "1"]]);
  });

  test("of one row, or of none, is no longer than that", () => {
    expect(packList([7, "many", null, 1], width)).toEqual({ count: 1, columns: [7, "many", null, 1] });
    expect(packList([], width)).toEqual({ count: 0, columns: [] });
  });

  test("with a value that cannot be written is refused before it crosses", () => {
    for (const value of [undefined, {}, [1, 2]])
      expect(() => packList([1, "a", 2, value as never], 2)).toThrow("Value 3 of a list cannot be written");
  });

  test("that is no rows of its width is refused", () => {
    expect(() => packList([1, 2, 3, 4, 5], width)).toThrow("5 values are no rows of 4");
  });
});
