import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { Masker } from "./mask.ts";

const awkward = `pä"s\\s/w&o'rd <+ 1%`;

function maskerOf(...secrets: readonly (readonly [name: string, value: string])[]): Masker {
  const masker = new Masker();
  for (const [name, value] of secrets) masker.learn(name, value);
  return masker;
}

describe("a known value is masked", () => {
  test.each<[string, string]>([
    ["as it is", awkward],
    ["in JSON", JSON.stringify({ a: awkward })],
    ["in JSON inside JSON", JSON.stringify(JSON.stringify({ a: awkward }))],
    ["in JSON with plain letters only", JSON.stringify(awkward).replace("ä", String.raw`\u00e4`)],
    ["in an address", `https://x.example/?key=${encodeURIComponent(awkward)}&more`],
    ["in an address with small digits", encodeURIComponent(awkward).replaceAll(/%../g, (sign) => sign.toLowerCase())],
    ["in a form", new URLSearchParams({ key: awkward }).toString()],
    ["in a whole address", encodeURI(`https://x.example/${awkward}`)],
    ["in HTML", `<p>${awkward.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`],
    ["in base64", Buffer.from(awkward).toString("base64")],
    ["in base64 for addresses", Buffer.from(awkward).toString("base64url")],
    ["in hex", Buffer.from(awkward).toString("hex")],
    ["in large hex", Buffer.from(awkward).toString("hex").toUpperCase()],
    ["without the blanks around", `key:${awkward.trim()};`],
  ])("%s", (_, text) => {
    const masked = maskerOf(["KEY", awkward]).maskText(text);
    expect(masked).toContain("[secret KEY]");
    for (const form of [awkward, Buffer.from(awkward).toString("hex"), encodeURIComponent(awkward)])
      expect(masked).not.toContain(form);
  });

  test.each([0, 1, 2, 3, 4])("in base64 of something longer, %i bytes before it", (before) => {
    const token = "tk-93f0c2b7a1d4";
    const text = Buffer.from(`${"u".repeat(before)}${token}:after`).toString("base64");
    const masked = maskerOf(["TOKEN", token]).maskText(`Basic ${text}`);
    expect(masked).toContain("[secret TOKEN]");
    expect(masked.replace("[secret TOKEN]", "").length).toBeLessThan(text.length - token.length + 6);
  });

  test("in keys, lists and maps to any depth, and in numbers", () => {
    const masker = maskerOf(["PIN", "48151623"]);
    const result: Json = { "a 48151623": [{ deep: ["x48151623y", 48151623, -1, true, null] }], "48151623": 1 };
    expect(masker.maskJson(result)).toEqual({
      "[secret PIN]": 1,
      "a [secret PIN]": [{ deep: ["x[secret PIN]y", "[secret PIN]", -1, true, null] }],
    });
  });

  test("two keys that look alike then stay two", () => {
    const masker = maskerOf(["A", "first-value"]);
    masker.learn("A", "second-value");
    expect(masker.maskJson({ "first-value": 1, "second-value": 2 })).toEqual({ "[secret A]": 1, "[secret A] 2": 2 });
  });

  test("line by line", () => {
    const masker = maskerOf(["PEM", "-----BEGIN-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n"]);
    expect(masker.maskText("bad line: kqhkiG9w0BAQEF")).toBe("bad line: [secret PEM]");
  });

  test("of two values of which one holds the other, the longer is masked", () => {
    const masker = maskerOf(["SHORT", "abcd"], ["LONG", "abcdefgh"]);
    expect(masker.maskText("abcdefgh abcd")).toBe("[secret LONG] [secret SHORT]");
  });

  test("an earlier value of the same secret as well", () => {
    const masker = maskerOf(["A", "value-one"], ["A", "value-two"]);
    expect(masker.maskText("value-one value-two")).toBe("[secret A] [secret A]");
  });

  test("one of many thousand signs", () => {
    const value = "0123456789abcdef".repeat(1000);
    const masker = maskerOf(["BIG", value]);
    expect(masker.maskText(`x${value}y`)).toBe("x[secret BIG]y");
    expect(masker.maskText(`x${JSON.stringify(value)}y`)).toBe('x"[secret BIG]"y');
  });
});

describe("what was cut", () => {
  const masker = maskerOf(["KEY", "very-long-secret-value"]);

  test("does not end with the beginning of a secret", () => {
    const text = `${"x".repeat(1990)}very-long-`;
    expect(masker.maskMessage(text)).toBe(`${"x".repeat(1990)}[secret KEY]…`);
    expect(masker.maskMessage(`${text}…`)).toBe(`${"x".repeat(1990)}[secret KEY]…`);
  });

  test("and what was not is left alone", () => {
    expect(masker.maskMessage("very-long-")).toBe("very-long-");
    expect(masker.maskMessage(`very-long-${"x".repeat(1990)}`)).toBe(`very-long-${"x".repeat(1990)}`);
  });
});

describe("everything else", () => {
  test("is the very same value", () => {
    const result: Json = { a: [1, "x", { b: null }] };
    expect(maskerOf(["A", "value"]).maskJson(result)).toBe(result);
    expect(maskerOf().maskJson(result)).toBe(result);
    expect(maskerOf().maskText("x")).toBe("x");
  });

  test("keeps a key by the name of __proto__", () => {
    const result = JSON.parse('{"__proto__": "value", "b": 1}') as Json;
    expect(JSON.stringify(maskerOf(["A", "value"]).maskJson(result))).toBe('{"__proto__":"[secret A]","b":1}');
  });

  test("no value survives in any text around it", () => {
    const values = fc
      .string({ unit: "grapheme", minLength: 4, maxLength: 40 })
      .filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(values, fc.string(), fc.string(), (value, before, after) => {
        const masker = maskerOf(["X", value]);
        const text = before + value + after;
        // The mask itself may spell what a very odd secret says.
        fc.pre(!"[secret X]".includes(value.trim()));
        expect(masker.maskText(text).replaceAll("[secret X]", "\0")).not.toContain(value);
        expect(masker.maskText(JSON.stringify(text)).replaceAll("[secret X]", "\0")).not.toContain(value);
      }),
    );
  });
});
