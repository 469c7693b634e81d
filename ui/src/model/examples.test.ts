import { expect, test } from "vitest";
import { validate } from "../../../src/flow/validate/validate.ts";
import { blank, examples } from "./examples.ts";

test.each([["blank", blank] as const, ...examples.map(({ id, text }) => [id, text] as const)])(
  "the example %s is right as it stands",
  (_id, text) => {
    expect(validate(text).findings).toEqual([]);
  },
);
