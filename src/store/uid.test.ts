import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUid, placeOfUid } from "./uid.ts";

describe("a uid", () => {
  test("leads back to its run", () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.stringMatching(/^[a-z0-9]{8,22}$/), (run, chance) => {
        expect(placeOfUid(createUid(run, chance))).toEqual({ kind: "run", run });
      }),
    );
  });

  test("of a sub-run leads to the step that started it, however deep", () => {
    expect(placeOfUid(`${createUid(7, "abcd")}.12`)).toEqual({ kind: "step", row: 12 });
    expect(placeOfUid(`${createUid(7, "abcd")}.12.1763000000000`)).toEqual({ kind: "step", row: 1763000000000 });
  });

  test.each(["", "-", "abc", "-abc", "ABC-def", "zzzzzzzzzzzz-a", "7.", "7.x", ` ${createUid(7, "abcd")}`])(
    "is not %j",
    (text) => {
      expect(placeOfUid(text)).toBeUndefined();
    },
  );
});
