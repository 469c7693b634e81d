import { afterEach, expect, test, vi } from "vitest";
import { defaultStore } from "./global-flags.ts";
import { commandOn } from "./program.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  { said: "", store: "http://a:1", words: "inbox --url http://a:1" },
  { said: "http://a:1/", store: "http://a:1", words: "inbox" },
  { said: "http://b:1", store: "http://a:1", words: "inbox --url http://a:1" },
  { said: "http://a:1/x~(y)", store: "'http://a:1/x~(y)'", words: "inbox" },
  { said: "", store: defaultStore, words: "inbox" },
  { said: "http://a:1", store: defaultStore, words: `inbox --store ${defaultStore}` },
])("on $store with STEPWELL_URL=$said it is: $words", ({ said, store, words }) => {
  vi.stubEnv("STEPWELL_URL", said);
  vi.stubEnv("STEPWELL_STORE", "");
  expect(commandOn(store, "inbox")).toMatch(new RegExp(` ${words.replaceAll(/[.()?]/gu, String.raw`\$&`)}$`, "u"));
});
