import { expect, test } from "vitest";
import { showBytes } from "./bytes.ts";
import { drawTable } from "./table.ts";
import type { Look } from "./terminal.ts";

const look: Look = { isLive: false, isUnicode: true, isColour: false, columns: 30 };

test("columns are aligned by what a terminal shows, and only the last one is cut", () => {
  const rows = [
    [{ text: "a" }, { text: "日本" }, { text: "a long note that does not fit" }],
    [{ text: "bcd" }, { text: "x" }, { text: "" }],
  ];
  expect(drawTable({ headings: ["ID", "NAME", ""], rows }, look)).toEqual([
    "ID   NAME",
    "a    日本  a long note that d…",
    "bcd  x",
  ]);
});

test("headings are grey, cells have their colour, and what would move the cursor is gone", () => {
  const rows = [[{ text: "x\u001B[2J", style: "red" } as const]];
  expect(drawTable({ headings: ["ID"], rows }, { ...look, isColour: true })).toEqual([
    "\u001B[90mID\u001B[39m",
    "\u001B[31mx [2J\u001B[39m",
  ]);
  expect(drawTable({ headings: ["ID"], rows: [[{ text: "ü…" }]] }, { ...look, isUnicode: false })).toEqual([
    "ID",
    "u...",
  ]);
});

test.each([
  [17, "17 bytes"],
  [4096, "4 KB"],
  [1_540_000_000, "1.5 GB"],
  [25_000_000, "25 MB"],
])("%i bytes are shown as %s", (bytes, text) => {
  expect(showBytes(bytes)).toBe(text);
});
