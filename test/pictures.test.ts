import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawPicture, pictureFile, pictures } from "../scripts/draw-pictures.ts";

test.each(Object.keys(pictures))("the picture of %s in the documentation is what is drawn today", (name) => {
  expect(readFileSync(pictureFile(name), "utf8")).toBe(drawPicture(name));
});
