import { expect, test } from "vitest";
import { answerCall, answerCommand, curlCommand, rerunCommand } from "./command.ts";

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

test.each([
  [{ outcome: "approved", hasForm: false }, "stepwell approve 18"],
  [{ outcome: "rejected", hasForm: false }, "stepwell reject 18"],
  [{ outcome: "later", hasForm: true }, "stepwell answer 18 later --data '{}'"],
  [{ outcome: "not today; rm -rf", hasForm: false }, "stepwell answer 18 'not today; rm -rf'"],
])("a gate is answered by a command: %j", (asked, command) => {
  expect(answerCommand({ run: 17, step: 18, ...asked })).toBe(command);
});

test("a gate is answered by an MCP call that names the run, the step and the answer", () => {
  expect(JSON.parse(answerCall({ run: 17, step: 18, outcome: "approved", hasForm: true }))).toEqual({
    method: "tools/call",
    params: { name: "run_respond", arguments: { run_id: "17", step_id: "18", answer: "approved", data: {} } },
  });
});
