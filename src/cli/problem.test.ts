import { expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { toProblem } from "./problem.ts";

test("what is wrong is listed with its place, and with its code where it has one", () => {
  const problems = [
    { pointer: "/a", message: "not so" },
    { code: "bad_input", pointer: "/b", message: "nor so" },
  ];
  const { lines } = toProblem(new StepwellError("INPUT_INVALID", "It is wrong.", { details: { problems } }));
  expect(lines).toEqual(["  /a  not so", "  /b  bad_input: nor so", "error: It is wrong. (INPUT_INVALID)"]);
});
