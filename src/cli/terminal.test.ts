import { describe, expect, test } from "vitest";
import { createTimeFormat, readDuration, showAgo, showDuration } from "./time.ts";
import { LiveArea, lookOf } from "./terminal.ts";

function output(isTTY: boolean): { readonly written: string[]; readonly stream: Parameters<typeof lookOf>[0] } {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { written, stream: { isTTY, columns: 80, rows: 6, write } };
}

describe("what a terminal can show", () => {
  const plain = { isPlain: false };

  test("a terminal moves and has colours; a pipe does not", () => {
    expect(lookOf(output(true).stream, {}, plain)).toEqual({
      isLive: true,
      isUnicode: true,
      isColour: true,
      columns: 80,
    });
    expect(lookOf(output(false).stream, {}, plain)).toMatchObject({ isLive: false, isColour: false, columns: 1000 });
    expect(lookOf({ ...output(true).stream, columns: 0 }, {}, plain)).toMatchObject({ columns: 80 });
    expect(lookOf(output(true).stream, { TERM: "dumb" }, plain)).toMatchObject({ isLive: false, isColour: false });
  });

  test.each([
    [{ LANG: "en_GB.UTF-8" }, true],
    [{ LANG: "C.utf8" }, true],
    [{ LANG: "C" }, false],
    [{ LC_ALL: "POSIX", LANG: "en_GB.UTF-8" }, false],
    [{ LC_ALL: "", LC_CTYPE: "de_DE.ISO-8859-1" }, false],
    [{ TERM: "linux", LANG: "en_GB.UTF-8" }, false],
    [{}, true],
  ])("with %j, Unicode: %s", (environment, isUnicode) => {
    expect(lookOf(output(true).stream, environment, plain).isUnicode).toBe(isUnicode);
  });

  test.each([
    [{ NO_COLOR: "1" }, plain, false],
    [{ NO_COLOR: "" }, plain, true],
    [{}, { isPlain: true }, false],
    [{ FORCE_COLOR: "1" }, { isPlain: true }, true],
    [{ FORCE_COLOR: "0" }, plain, false],
  ])("with %j and %j, colours: %s", (environment, wishes, isColour) => {
    expect(lookOf(output(true).stream, environment, wishes).isColour).toBe(isColour);
  });
});

describe("lines that are drawn over", () => {
  test("take their own place again, what is said stands above them, and the cursor comes back", () => {
    const { written, stream } = output(true);
    const area = new LiveArea(stream);
    area.draw(["one", "two"]);
    area.draw(["three"]);
    area.say("hello");
    area.settle();
    area.say("after");
    expect(written).toEqual([
      "\u001B[?25lone\ntwo\n",
      "\u001B[2A\r\u001B[0Jthree\n",
      "\u001B[1A\r\u001B[0Jhello\nthree\n",
      "\u001B[?25h",
      "after\n",
    ]);
  });

  test("are never more than the terminal has, or they could not be reached again", () => {
    const { written, stream } = output(true);
    new LiveArea(stream).draw(["heading", "1", "2", "3", "4", "5", "6"]);
    expect(written).toEqual(["\u001B[?25lheading\n  (3 lines)\n4\n5\n6\n"]);
  });
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1 s"],
  [1240, "1.24 s"],
  [9999, "9.99 s"],
  [59_999, "59.9 s"],
  [60_000, "1 m"],
  [125_000, "2 m 5 s"],
  [3_600_000, "1 h"],
  [11_400_000, "3 h 10 m"],
  [187_200_000, "2 d 4 h"],
])("%i milliseconds are shown as %s", (ms, text) => {
  expect(showDuration(ms)).toBe(text);
});

test.each([
  [0, "just now"],
  [1000, "1 s ago"],
  [3_599_999, "59 m ago"],
  [90_000_000, "1 d ago"],
])("%i milliseconds ago is %s", (ms, text) => {
  expect(showAgo(ms)).toBe(text);
});

test("an instant is shown in the zone that is wanted", () => {
  const at = Date.UTC(2026, 6, 1, 10, 30, 5);
  expect(createTimeFormat("UTC")(at)).toBe("2026-07-01 10:30:05");
  expect(createTimeFormat("Europe/Berlin")(at)).toBe("2026-07-01 12:30:05");
  expect(createTimeFormat(undefined)(at)).toMatch(/^2026-0[67]-/);
  expect(() => createTimeFormat("Europe/Berln")).toThrow("no time zone");
});

test("a length of time is read, or told to be none", () => {
  expect([readDuration(undefined, "--x"), readDuration("1h30m", "--x")]).toEqual([undefined, 5_400_000]);
  expect(() => readDuration("soon", "--x")).toThrow('"soon" is no length of time.');
});
