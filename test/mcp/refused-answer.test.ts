// A server of 2026-07-28 that does not take an answer to its question as it was given. It has not taken it: the question is
// still open, and the task goes on.

import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/flow/json.ts";
import type { Question, QuestionAnswer } from "../../src/tool/tool.ts";
import { complete, serveModern, task, tool, type ModernServer, type Script } from "./modern-server.ts";
import { call, createServers, entryOf, resultOf } from "./servers.ts";

const handle = { kind: "mcp_task", server: "web", task: "task-1", era: "modern" };
const refusal = { error: { code: -32602, message: "The answer does not fit: a number is missing." } };

function questionAbout(name: string): JsonObject {
  const requestedSchema = { type: "object", properties: { [name]: { type: "string" } } };
  return { method: "elicitation/create", params: { message: `Which ${name}?`, requestedSchema } };
}

type Desk = {
  readonly script: Script;
  /** Answers that it has taken, by their question. */
  readonly taken: Map<string, Json>;
};

/** Asks for each of these names until it has an answer that it takes. */
function createDesk(names: readonly string[], takes: (name: string, response: Json) => boolean): Desk {
  const taken = new Map<string, Json>();
  const script: Script = {
    "tasks/get": () => {
      const open = names.filter((name) => !taken.has(name)).map((name) => [name, questionAbout(name)] as const);
      return open.length > 0
        ? task("input_required", { inputRequests: Object.fromEntries(open) })
        : task("completed", { result: complete({ structuredContent: Object.fromEntries(taken) }) });
    },
    "tasks/update": ({ params }) => {
      const { inputResponses: responses = {} } = params;
      const given = Object.entries(isObject(responses) ? responses : {});
      if (!given.every(([name, response]) => takes(name, response))) return refusal;
      for (const [name, response] of given) taken.set(name, response);
      return { resultType: "complete" };
    },
  };
  return { script, taken };
}

async function follow(script: Script, ask?: (question: Question) => Promise<QuestionAnswer>) {
  await using server: ModernServer = await serveModern([tool("one")], script);
  await using servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })]);
  await servers.open();
  const answer = await call(servers, "web.one", { handle, extend: () => {}, ...(ask === undefined ? {} : { ask }) });
  await expect.poll(() => answer.kind === "done" || server.methods.includes("tasks/cancel")).toBe(true);
  return { answer, server };
}

const isNumber = (response: Json): boolean => /"size":"\d+"/.test(JSON.stringify(response));

test("people are asked again, with what was wrong, and the task ends with the answer that was taken", async () => {
  const asked: Question[] = [];
  const { script } = createDesk(["size"], (_, response) => isNumber(response));
  const { answer } = await follow(script, (question) => {
    asked.push(question);
    return Promise.resolve({ kind: "accepted", content: { size: asked.length === 1 ? "large" : "12" } });
  });
  expect(resultOf(answer)).toEqual({ size: { action: "accept", content: { size: "12" } } });
  expect(asked).toMatchObject([
    { message: "Which size?" },
    { message: expect.stringMatching(/^Which size\?\n\n.*a number is missing/s) },
  ]);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
});

test("only the question whose answer was refused is asked again", async () => {
  const asked: string[] = [];
  const { script } = createDesk(["colour", "size"], (name, response) => name === "colour" || isNumber(response));
  const { answer } = await follow(script, ({ message }) => {
    const [, name = ""] = /^Which (\w+)/.exec(message) ?? [];
    const isAgain = asked.includes(name);
    asked.push(name);
    return Promise.resolve({ kind: "accepted", content: { [name]: isAgain ? "12" : "red" } });
  });
  expect(resultOf(answer)).toMatchObject({ colour: { content: { colour: "red" } }, size: { content: { size: "12" } } });
  expect(asked).toEqual(["colour", "size", "size"]);
});

test("what is refused again and again fails the call with its reason, and the task is cancelled", async () => {
  const asked: string[] = [];
  const { script } = createDesk(["size"], () => false);
  const { answer, server } = await follow(script, ({ key }) => {
    asked.push(key);
    return Promise.resolve({ kind: "accepted", content: { size: "large" } });
  });
  expect(answer).toMatchObject({
    kind: "failed",
    code: "answer_refused",
    message: expect.stringContaining("a number is missing"),
    isFinal: true,
  });
  expect(asked).toHaveLength(3);
  expect(server.methods.filter((method) => method === "tasks/update")).toHaveLength(3);
});

test("a no that is refused is not asked again", async () => {
  const { script } = createDesk(["size"], () => false);
  const { answer, server } = await follow(script);
  expect(answer).toMatchObject({ kind: "failed", code: "answer_refused" });
  expect(server.methods.filter((method) => method === "tasks/update")).toHaveLength(1);
});

test("a server that has forgotten the task meanwhile has lost it", async () => {
  const { script } = createDesk(["size"], () => false);
  let looks = 0;
  const forgetful: Script = {
    ...script,
    "tasks/get": (asked, response) => {
      looks += 1;
      return looks < 3 ? script["tasks/get"]?.(asked, response) : { error: { code: -32602, message: "no such task" } };
    },
  };
  await using server = await serveModern([tool("one")], forgetful);
  await using servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })]);
  await servers.open();
  let asked = 0;
  const ask = (): Promise<QuestionAnswer> => {
    asked += 1;
    return Promise.resolve({ kind: "accepted", content: { size: "large" } });
  };
  expect(await call(servers, "web.one", { handle, ask })).toEqual({ kind: "lost" });
  expect(asked).toBe(1);
});
