import { expect, test } from "vitest";
import { createTokenText, findToken, hashToken, toToken, type StoredToken } from "./token.ts";

const text = createTokenText();
const token: StoredToken = {
  id: "tok_1",
  user: "ann",
  name: "laptop",
  hash: hashToken(text),
  scopes: null,
  createdAt: 1000,
  expiresAt: 5000,
  revokedAt: null,
  lastUsedAt: null,
};

test("a token is 24 random bytes behind a prefix", () => {
  expect(text).toMatch(/^swk_[A-Za-z0-9_-]{32}$/);
  expect(createTokenText()).not.toBe(text);
});

test("a token is found by its text until it expires or is revoked", () => {
  expect(findToken(text, [token], 4999)).toBe(token);
  expect(findToken(text, [token], 5000)).toBeUndefined();
  expect(findToken(text, [{ ...token, expiresAt: null }], 1e15)?.id).toBe("tok_1");
  expect(findToken(text, [{ ...token, revokedAt: 1 }], 2000)).toBeUndefined();
});

test.each(["", "swk_", text.slice(0, -1), `${text}x`, token.hash, "x".repeat(1_000_000)])(
  "another text finds nothing",
  (other) => {
    expect(findToken(other, [token, { ...token, hash: "" }], 2000)).toBeUndefined();
  },
);

test("what is stored is read as it was written", () => {
  const { id, ...value } = token;
  expect(toToken(id, { ...value, scopes: ["130001"] })).toEqual({ ...token, scopes: ["130001"] });
  expect(toToken("tok_2", 7)).toMatchObject({ id: "tok_2", user: "", hash: "", scopes: null });
});
