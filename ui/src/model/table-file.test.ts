import { expect, test } from "vitest";
import { toCsv } from "./table-file.ts";

test("no cell is a formula, and quotes, commas and lines stay in theirs", () => {
  expect(toCsv([["=1+1", "+1", "-1", "@a", " =a", "\tx"]])).toBe("'=1+1,'+1,'-1,'@a,' =a,'\tx\r\n");
  expect(toCsv([['say "hi"', "a,b", "two\nlines", 17, -3, null]])).toBe('"say ""hi""","a,b","two\nlines",17,-3,\r\n');
});
