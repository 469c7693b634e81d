import { expect, test } from "vitest";
import { blocksOf } from "./content.ts";

test("blocks of text are text, whatever stands in them", () => {
  expect(blocksOf({ content: [{ type: "text", text: "<img src=x onerror=alert(1)>" }] })).toEqual([
    { kind: "text", text: "<img src=x onerror=alert(1)>" },
  ]);
});

test("an image is shown only if its kind is one of pictures and its data nothing but base64", () => {
  const image = (mimeType: string, data: string) => blocksOf([{ type: "image", mimeType, data }])?.[0];
  expect(image("image/png", "aGk=")).toEqual({ kind: "image", address: "data:image/png;base64,aGk=" });
  expect(image("image/svg+xml", "aGk=")?.kind).toBe("other");
  expect(image("text/html", "aGk=")?.kind).toBe("other");
  expect(image("image/png", 'x" onload="')?.kind).toBe("other");
});

test("what is no answer in blocks is none", () => {
  expect(blocksOf([])).toBeNull();
  expect(blocksOf({ content: "text" })).toBeNull();
  expect(blocksOf([{ type: "invoice", total: 3 }])).toBeNull();
  expect(blocksOf("text")).toBeNull();
});
