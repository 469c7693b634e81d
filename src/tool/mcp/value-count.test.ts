import { array, assert, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { hasTooManyValues, ValueCount, valuesMax } from "./value-count.ts";

const manyTimes = (value: string, times: number): string => `[${`${value},`.repeat(times - 1)}${value}]`;

test("so many values may be in a text, and one more may not", () => {
  // The list, and a comma between each two.
  expect(hasTooManyValues(manyTimes("1", valuesMax))).toBe(false);
  expect(hasTooManyValues(manyTimes("1", valuesMax + 1))).toBe(true);
  expect(hasTooManyValues(Buffer.from(manyTimes("1", valuesMax)))).toBe(false);
  expect(hasTooManyValues(Buffer.from(manyTimes("1", valuesMax + 1)))).toBe(true);
});

test.each(["{}", "[]", '{"a":1}', '"a"', " null "])("however small they are: %s", (value) => {
  expect(hasTooManyValues(manyTimes(value, valuesMax + 1))).toBe(true);
});

test("what is written in a text is none, whatever signs are in it", () => {
  const text = `${"a,b\n[{".repeat(valuesMax)}\\"\\\\`;
  expect(hasTooManyValues(JSON.stringify({ text }))).toBe(false);
  expect(hasTooManyValues(JSON.stringify(["é😀,".repeat(valuesMax)]))).toBe(false);
});

test("a quote with a backslash before it ends no text, unless that has one itself", () => {
  const many = "{},".repeat(valuesMax);
  expect(hasTooManyValues(`["\\"${many}"]`)).toBe(false);
  expect(hasTooManyValues(`["\\\\",${many}{}]`)).toBe(true);
});

test("it is the same wherever the bytes are cut", () => {
  const many = Buffer.from(`["\\"",${"1,".repeat(valuesMax - 2)}"\\\\"]`);
  assert(
    property(array(nat(many.length), { maxLength: 5 }), (cuts) => {
      const count = new ValueCount();
      const places = [0, 9, ...cuts.toSorted((one, other) => one - other).filter((cut) => cut > 9), many.length];
      for (const [index, from] of places.entries()) count.add(many.subarray(from, places[index + 1] ?? many.length));
      expect(count.isTooMany).toBe(false);
      count.add(Buffer.from(",1,1"));
      expect(count.isTooMany).toBe(true);
    }),
    { numRuns: 10 },
  );
});
