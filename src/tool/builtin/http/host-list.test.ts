import { describe, expect, test } from "vitest";
import { createHostList } from "./host-list.ts";

function allows(written: readonly string[], url: string): string {
  const allowed = createHostList(written).allow(new URL(url));
  return allowed === undefined ? "no" : allowed.mayBePrivate ? "private" : "yes";
}

describe("a list of hosts", () => {
  test.each([
    ["api.example.com", "https://api.example.com/x", "yes"],
    ["API.Example.com", "http://api.EXAMPLE.com:80/", "yes"],
    ["api.example.com", "https://api.example.com./", "yes"],
    ["bücher.example", "https://xn--bcher-kva.example/", "yes"],
    ["api.example.com", "https://api.example.com:8443/", "no"],
    ["api.example.com:8443", "https://api.example.com:8443/", "yes"],
    ["api.example.com:8443", "https://api.example.com/", "no"],
    ["api.example.com:443", "https://api.example.com/", "yes"],
    ["api.example.com", "https://evil-api.example.com/", "no"],
    ["api.example.com", "https://api.example.com.evil.org/", "no"],
    ["api.example.com", "https://api.example.com@evil.org/", "no"],
    ["*.example.com", "https://a.example.com/", "yes"],
    ["*.example.com", "https://a.b.example.com/", "yes"],
    ["*.example.com", "https://example.com/", "no"],
    ["*.example.com", "https://badexample.com/", "no"],
    ["*.example.com:8080", "http://a.example.com:8080/", "yes"],
    ["private:localhost:3000", "http://localhost:3000/", "private"],
    ["private:localhost:3000", "http://localhost:3001/", "no"],
    ["private:[::1]:3000", "http://[0:0::1]:3000/", "private"],
    ["127.0.0.1:80", "http://127.0.0.1/", "yes"],
    ["127.0.0.1:80", "http://2130706433/", "yes"],
  ])("%s and %s: %s", (written, url, said) => expect(allows([written], url)).toBe(said));

  test("takes the most that one of its entries gives", () => {
    expect(allows(["a.example:80", "private:a.example:80"], "http://a.example/")).toBe("private");
    expect(allows([], "http://a.example/")).toBe("no");
  });

  test.each([
    "",
    "*",
    "*.com",
    "*.*.example.com",
    "a.*.com",
    "https://example.com",
    "example.com/path",
    "user@example.com",
    "example.com:0",
    "example.com:99999",
    "example.com:http",
    "private:localhost",
    "private:*.example.com:80",
    "*.127.0.0.1",
    "exa mple.com",
    "a\\b",
    "[::1",
  ])("refuses %j when it is read", (written) => expect(() => createHostList([written])).toThrow(/cannot be used/));
});
