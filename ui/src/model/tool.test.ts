import { expect, test } from "vitest";
import { filterTools, showBreaker, showServer, toStepText } from "./tool.ts";

const tool = { description: null, effect: "read", input: null, output: null, outcomes: [], server: null };

test("tools are found by words of their name and description, in any order", () => {
  const tools = [
    { ...tool, name: "demo.echo", description: "Answers with its text" },
    { ...tool, name: "log" },
  ];
  expect(filterTools(tools, "TEXT demo").map(({ name }) => name)).toEqual(["demo.echo"]);
  expect(filterTools(tools, " ")).toHaveLength(2);
});

test("a server that cannot be reached is said to be so", () => {
  expect(showServer({ status: "waiting", problem: "No such file." })).toEqual({
    token: "failed",
    word: "not connected",
  });
  expect(showServer({ status: "ready", problem: null }).word).toBe("connected");
  expect(showServer({ status: "idle", problem: null }).word).toBe("not started");
  expect(showServer({ status: "idle", problem: "Its program was ended by SIGKILL." })).toEqual({
    token: "failed",
    word: "ended",
  });
  expect(showBreaker({ state: "half_open" }).word).toBe("trying");
});

test("a step is named after its tool", () => {
  expect(toStepText("files.read-file", { path: "a" })).toBe(
    'read_file:\n  tool: files.read-file\n  args: {"path":"a"}\n',
  );
});
