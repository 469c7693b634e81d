import { expect, test } from "vitest";
import { showScopes } from "./scope.ts";

test("what a token is limited to is told in words", () => {
  expect(showScopes(["130001.read", "130001.start", "tool:*"])).toBe("read, start, every tool");
  expect(showScopes(["130001", "tool:mail.send"])).toBe("everything, the tool mail.send");
  expect(showScopes(["130001.start.digest"])).toBe("start.digest");
  expect(showScopes(null)).toBe("all of the user's");
});
