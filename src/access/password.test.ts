import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./password.ts";

test("what is kept says how it was made, differs each time, and opens with its password only", async () => {
  const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(one).not.toBe(other);
  expect(await isPassword("correct horse", one)).toBe(true);
  expect(await isPassword("correct horsf", one)).toBe(false);
});

test("one that was made at another cost is good all the same", async () => {
  const salt = Buffer.from("some salt");
  const hash = scryptSync("correct horse", salt, 32, { N: 1024, r: 8, p: 1 });
  const kept = `scrypt$1024$8$1$${salt.toString("base64url")}$${hash.toString("base64url")}`;
  expect(await isPassword("correct horse", kept)).toBe(true);
});

test("letters that are typed in two ways are one password", async () => {
  const kept = await hashPassword("cafe\u0301 au lait");
  expect(await isPassword("caf\u00E9 au lait", kept)).toBe(true);
});

test.each([undefined, "", "plain text", "scrypt$1$2$3$4"])("nobody comes in by what is no hash (%j)", async (kept) => {
  expect(await isPassword("", kept)).toBe(false);
});

test.each<[string, string]>([
  ["short", "A password has 8 characters at least."],
  ["x".repeat(1001), "A password has 1000 characters at most."],
  ["\uD800 lone surrogate", "A password must be a text."],
])("%j is refused", async (password, told) => {
  await expect(hashPassword(password)).rejects.toThrow(told);
});
