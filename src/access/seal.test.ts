import { expect, test } from "vitest";
import { createSecretKey, fromSealed, parseSecretKey, seal, toSealed, unseal } from "./seal.ts";

const key = createSecretKey();

test.each(["word", "ümläut 🔑", "a\nb", "x".repeat(30_000)])("what was sealed opens again", (value) => {
  const sealed = seal(value, "API_KEY", key);
  expect(unseal(sealed, "API_KEY", key)).toBe(value);
  expect(JSON.stringify(sealed)).not.toContain(value);
});

test("the same value looks different each time", () => {
  expect(seal("word", "A", key).ciphertext).not.toBe(seal("word", "A", key).ciphertext);
});

test("it opens under no other name, with no other key, and not when it was changed", () => {
  const sealed = seal("word", "A", key);
  expect(unseal(sealed, "B", key)).toBeUndefined();
  expect(unseal(sealed, "A", createSecretKey())).toBeUndefined();
  expect(unseal({ ...sealed, tag: sealed.nonce }, "A", key)).toBeUndefined();
  expect(unseal({ ...sealed, tag: sealed.tag.slice(0, 6) }, "A", key)).toBeUndefined();
  expect(unseal({ ...sealed, nonce: "" }, "A", key)).toBeUndefined();
});

test("a key is 32 bytes in base64 or hex", () => {
  const bytes = Buffer.alloc(32, 7);
  for (const text of [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")])
    expect(parseSecretKey(text)?.bytes.equals(bytes)).toBe(true);
  for (const text of ["", "short", bytes.toString("hex").slice(1), "!".repeat(44)])
    expect(parseSecretKey(text)).toBeUndefined();
  expect(createSecretKey(bytes).id).toMatch(/^[0-9a-f]{12}$/);
});

test("what is stored is read as it was written", () => {
  const sealed = seal("word", "A", key);
  expect(toSealed({ ...fromSealed(sealed), createdAt: 1 })).toEqual(sealed);
  expect(toSealed({ nonce: "x" })).toBeUndefined();
  expect(toSealed(null)).toBeUndefined();
});
