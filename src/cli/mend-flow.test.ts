import { describe, expect, test } from "vitest";
import { validate } from "../flow/validate/validate.ts";
import { mendFlow } from "./mend-flow.ts";

describe("mending a flow", () => {
  test("goes on until nothing more can be mended", () => {
    const text = "start: { tool: log, nxt: tel }\ntell: { tool: log, nxt: end }\n";
    const { text: mended, fixed } = mendFlow(text);
    expect(mended).toBe("start: { tool: log, next: tell }\ntell: { tool: log, next: end }\n");
    expect(fixed.map(({ code }) => code)).toEqual(["unknown_key", "dangling_name", "unknown_key"]);
    expect(validate(mended).ok).toBe(true);
  });

  test("leaves a flow that is right, and one that cannot be read, as they are", () => {
    for (const text of ["start: {tool: log, done: true}  # mine\n", "{", ""])
      expect(mendFlow(text)).toEqual({ text, fixed: [] });
  });
});
