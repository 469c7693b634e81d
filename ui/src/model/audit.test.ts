import { expect, test } from "vitest";
import { showDetails } from "./audit.ts";

test.each([
  [null, ""],
  [{}, ""],
  [{ reason: "too late", version: 3 }, "reason: too late, version: 3"],
  [{ keys: ["130001.read", "tool:*"], groups: [], comment: null }, "keys: 130001.read tool:*"],
  [{ gate: { outcome: "approved" } }, 'gate: {"outcome":"approved"}'],
  ["restored", "restored"],
])("the details %j are told as %j", (details, words) => expect(showDetails(details)).toBe(words));
