import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tokens } from "./model/status.ts";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

function readTheme(selector: string): ReadonlyMap<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** As WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["surface", "bg", "sunken"];
const texts = ["text", "text2", "text3", "accent", "failed-fg", "waiting-fg", "done-fg"];

describe.each([
  ["light", ":root", 5.6],
  ["dark", '[data-theme="dark"]', 7.1],
])("the colours of the %s theme", (_name, selector, least) => {
  const theme = readTheme(selector);
  const of = (name: string): string => theme.get(name) ?? "";

  test.each(tokens)("the word of %s can be read on its tint, and its bar be seen on every surface", (token) => {
    expect(contrast(of(`${token}-fg`), of(`${token}-tint`))).toBeGreaterThanOrEqual(least);
    for (const ground of grounds) expect(contrast(of(`${token}-solid`), of(ground))).toBeGreaterThanOrEqual(3);
  });

  test("bars stand out from the surface that they are on, and the faintest text is read there with ease", () => {
    const faint = tokens.filter((token) => contrast(of(`${token}-solid`), of("surface")) < 3.3);
    expect(faint).toEqual([]);
    for (const ground of ["surface", "bg", "sunken"])
      expect(contrast(of("text3"), of(ground))).toBeGreaterThanOrEqual(4.6);
  });

  test("every text can be read on every ground", () => {
    const unreadable = grounds.flatMap((ground) => [
      ...texts.filter((text) => contrast(of(text), of(ground)) < 4.5).map((text) => `${text} on ${ground}`),
      ...(contrast(of("border-strong"), of(ground)) < 3 ? [`border on ${ground}`] : []),
    ]);
    expect(unreadable).toEqual([]);
    expect(contrast(of("on-accent"), of("accent"))).toBeGreaterThanOrEqual(4.5);
  });
});
