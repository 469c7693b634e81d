import { expect, test } from "vitest";
import { StepwellError } from "../../error.ts";
import { createContext } from "../../testing/call-context.ts";
import type { OutcomeAsk } from "../tool.ts";
import { createOutcomesTool } from "./outcomes.ts";

const tool = createOutcomesTool();

test("AC-60: outcomes.query asks for what it was told, and for twenty of all unless told", async () => {
  const asked: OutcomeAsk[] = [];
  const outcomes = async (ask: OutcomeAsk): Promise<readonly { readonly tool: string }[]> => {
    asked.push(ask);
    return [{ tool: "greet" }];
  };
  const args = { tool: "greet", workflow: "digest", quality: "down", limit: 5 };
  expect(await tool.call(createContext(args, { outcomes }))).toMatchObject({
    kind: "done",
    result: [{ tool: "greet" }],
  });
  await tool.call(createContext({ input: "of the step before" }, { outcomes }));
  expect(asked).toEqual([{ tool: "greet", workflow: "digest", quality: "down", limitMax: 5 }, { limitMax: 20 }]);
});

test("outcomes.query refuses what it cannot ask, and says when it may not or nobody could tell", async () => {
  const refuse = async (): Promise<never> => {
    throw new StepwellError("NOT_ALLOWED", '"eve" may not see runs.');
  };
  const codeOf = async (...given: Parameters<typeof createContext>): Promise<unknown> => {
    const answer = await tool.call(createContext(...given));
    return answer.kind === "failed" ? [answer.code, answer.isFinal] : answer.kind;
  };
  expect(await codeOf({ quality: "great" }, { outcomes: refuse })).toEqual(["bad_args", true]);
  expect(await codeOf({ limit: 0 }, { outcomes: refuse })).toEqual(["bad_args", true]);
  expect(await codeOf({}, { outcomes: refuse })).toEqual(["not_allowed", true]);
  expect(await codeOf({})).toEqual(["tool_off", true]);
});
