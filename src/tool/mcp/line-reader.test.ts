import { array, assert, nat, property, string } from "fast-check";
import { expect, test } from "vitest";
import { LineReader, type Line } from "./line-reader.ts";

function linesOf(reader: LineReader, chunks: readonly Buffer[]): readonly string[] {
  return chunks.flatMap((chunk) => reader.read(chunk)).map(shown);
}

function shown(line: Line): string {
  switch (line.kind) {
    case "text":
      return line.text;
    case "line":
      return line.bytes.toString();
    case "too_long":
      return `too long: ${line.head.toString()}`;
  }
}

/** The bytes in pieces that end at these places. */
function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test("M6: lines are the same, however their bytes come", () => {
  const lines = array(string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", "")));
  assert(
    property(lines, array(nat()), (said, places) => {
      const bytes = Buffer.from(said.map((line) => `${line}\n`).join(""));
      expect(linesOf(new LineReader(1_000_000), cutAt(bytes, places))).toEqual(said);
      expect(
        linesOf(
          new LineReader(1_000_000),
          [...bytes].map((byte) => Buffer.of(byte)),
        ),
      ).toEqual(said);
    }),
  );
});

test("what is not complete is kept", () => {
  const reader = new LineReader(100);
  expect(linesOf(reader, [Buffer.from("one\ntw")])).toEqual(["one"]);
  expect(linesOf(reader, [Buffer.from("o\n")])).toEqual(["two"]);
});

test("a line that is too long ends it, in one piece or in many, with an end or without", () => {
  expect(linesOf(new LineReader(4), [Buffer.from("abcd\nabcde\nx\n")])).toEqual(["abcd", "too long: abcde"]);
  expect(linesOf(new LineReader(4), [Buffer.from("abc"), Buffer.from("de")])).toEqual(["too long: abcde"]);
});

test("large and small pieces of one line stay in order", () => {
  const pieces = ["a", "b".repeat(70_000), "c", "d".repeat(5000), "e".repeat(4000), "f\n"];
  const expected = pieces.join("").trim();
  const chunks = [...pieces, ...pieces].map((piece) => Buffer.from(piece));
  expect(linesOf(new LineReader(1_000_000), chunks)).toEqual([expected, expected]);
});

test("what is no text comes as bytes, and so does what came with it", () => {
  const reader = new LineReader(100);
  const lines = reader.read(Buffer.concat([Buffer.from("one\n"), Buffer.of(0xff), Buffer.from("\ntwo\n")]));
  expect(lines.map(({ kind }) => kind)).toEqual(["line", "line", "line"]);
  expect(lines.map(shown)).toEqual(["one", "\uFFFD", "two"]);
  expect(reader.read(Buffer.from("three\nfour\n"))).toEqual([
    { kind: "text", text: "three" },
    { kind: "text", text: "four" },
  ]);
});
