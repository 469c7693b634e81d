import { expect, test } from "vitest";
import { LastWords } from "./last-words.ts";
import { createVeil, hideNothing } from "./shown-text.ts";

test("the end of what was said is kept, and not more than 2048 characters of it", () => {
  const words = new LastWords(hideNothing);
  expect(words.text).toBeNull();
  words.add(" \n");
  expect(words.text).toBeNull();
  for (let count = 0; count < 1000; count += 1) words.add(`word-${count}.`);
  expect(words.text).toHaveLength(2048);
  expect(words.text).toMatch(/word-999\.$/);
});

test("what was filled in is hidden, also when it came in pieces, in colour, or is cut off", () => {
  const secret = "hush-".repeat(300);
  const words = new LastWords(createVeil([secret, "another-value"]));
  words.add(`${secret}${secret}${secret} key: ${secret.slice(0, 700)}`);
  words.add(`${secret.slice(700)}; \u001B[31mano`);
  words.add("ther\u001B[0m-value\u202E.");
  expect(words.text).toBe("[hidden][hidden][hidden] key: [hidden]; [hidden].");
});
