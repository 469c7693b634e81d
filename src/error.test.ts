import { describe, expect, test } from "vitest";
import { errorCodes, StepwellError } from "./error.ts";

describe("StepwellError", () => {
  test("carries its code, a hint, details and the cause", () => {
    const cause = new Error("disk");
    const error = new StepwellError("FILE_NOT_FOUND", "There is no file a.yaml; check the path.", {
      hint: "Paths are relative to the current folder.",
      details: { path: "a.yaml" },
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "StepwellError", code: "FILE_NOT_FOUND", details: { path: "a.yaml" }, cause });
    expect(error.hint).toBe("Paths are relative to the current folder.");
    expect(String(error)).toBe("StepwellError: There is no file a.yaml; check the path.");
  });

  test("needs no more than a code and a message", () => {
    const error = new StepwellError("USAGE", "Say which flow to check.");
    expect([error.hint, error.details, "cause" in error]).toEqual([undefined, undefined, false]);
  });

  test("has an HTTP status of failure and a documented exit code for every code", () => {
    for (const { status, exitCode } of Object.values(errorCodes)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(exitCode);
    }
  });
});
