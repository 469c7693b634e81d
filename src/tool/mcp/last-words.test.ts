import { expect, test } from "vitest";
import { LastWords } from "./last-words.ts";

test("the end of what was said is kept, and not more than 2048 characters of it", () => {
  const words = new LastWords([]);
  expect(words.text).toBeNull();
  words.add(" \n");
  expect(words.text).toBeNull();
  for (let count = 0; count < 1000; count += 1) words.add(`word-${count}.`);
  expect(words.text).toHaveLength(2048);
  expect(words.text).toMatch(/word-999\.$/);
});

test("what was filled in is hidden, also when it came in pieces, in colour, or is cut off", () => {
  const secret = "hush-".repeat(300);
  const words = new LastWords([secret, "another-value"]);
  words.add(`${secret}${secret}${secret} key: ${secret.slice(0, 700)}`);
  words.add(`${secret.slice(700)}; \u001B[31mano`);
  words.add("ther\u001B[0m-value\u202E.");
  expect(words.text).toBe("[hidden][hidden][hidden] key: [hidden]; [hidden].");
});

test("a value that is longer than what is kept is hidden in pieces as well, also as it looks inside JSON", () => {
  const secret = Array.from({ length: 600 }, (_, count) => `part${count}\n`).join("");
  const words = new LastWords([secret]);
  for (const said of [secret, JSON.stringify(secret)])
    for (let at = 0; at < said.length; at += 1000) words.add(said.slice(at, at + 1000));
  expect(words.text).toBe('[hidden]"[hidden]"');
});

test("what else is secret is hidden before anything is cut off", () => {
  const words = new LastWords([], (text) => text.replaceAll("card-4242", "[secret CARD]"));
  words.add(`card-4242${"x".repeat(2044)}`);
  expect(words.text).toBe(`CARD]${"x".repeat(2044)}`.slice(-2048));
});
