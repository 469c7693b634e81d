import { expect, test } from "vitest";
import { curlCommand, rerunCommand } from "./command.ts";

test("a copied request brings the input along, safe for a shell whatever is in it", () => {
  expect(curlCommand("http://localhost:7700", { id: 17, input: { who: "O'Hara" } })).toBe(
    `curl -X POST 'http://localhost:7700/api/workflow/17/fork' -H 'content-type: application/json' -H 'x-stepwell: 1' -d '{"input":{"who":"O'\\''Hara"}}'`,
  );
});

test("an input that was not sent along is left to the server", () => {
  expect(curlCommand("http://localhost:7700", { id: 17, input: { $omitted: 70_000 } })).toContain("/17/rerun' ");
  expect(rerunCommand({ id: 17, input: null })).toBe("stepwell rerun 17");
  expect(rerunCommand({ id: 17, input: null }, "npm start --")).toBe("npm start -- rerun 17");
});
