// A server of 2026-07-28 that does not take an answer to its question as it was given. It has not taken it: the question is
// still open, and the task goes on.

import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/flow/json.ts";
import { createFakeClock, turnOnce } from "../../src/testing/fake-clock.ts";
import type { Question, QuestionAnswer, ToolAnswer } from "../../src/tool/tool.ts";
import { complete, serveModern, task, tool, type ModernServer, type Script } from "./modern-server.ts";
import { call, createServers, done, entryOf, resultOf } from "./servers.ts";

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

describe("an answer that the server fails at", () => {
  const onFire = { error: { code: -32603, message: "The cupboard is on fire." } };

  /** Follows the task while time passes, and tells what was brought to the server when, in milliseconds. */
  async function followLong(script: Script) {
    const clock = createFakeClock({ now: 0 });
    const brought: { readonly at: number; readonly names: readonly string[] }[] = [];
    const noting: Script = {
      ...script,
      "tasks/update": (asked, response) => {
        const { inputResponses: responses = {} } = asked.params;
        brought.push({ at: clock.elapsed(), names: Object.keys(isObject(responses) ? responses : {}) });
        return script["tasks/update"]?.(asked, response);
      },
    };
    await using server = await serveModern([tool("one")], noting);
    await using servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })], { clock });
    await servers.open();
    const asked: string[] = [];
    const ask = ({ message }: Question): Promise<QuestionAnswer> => {
      asked.push(message);
      return Promise.resolve({ kind: "accepted", content: { size: "12" } });
    };
    const end: { answer?: ToolAnswer } = {};
    const over = call(servers, "web.one", { handle, ask, extend: () => {} }).then((answer) => (end.answer = answer));
    // A request that is under way has half a minute; only the pauses between them are as short as this.
    while (end.answer === undefined) {
      const next = clock.nextInMs;
      if (next !== null && next <= 1000) await clock.advance(next);
      else await turnOnce();
    }
    const answer = await over;
    await expect.poll(() => answer.kind === "done" || server.methods.includes("tasks/cancel")).toBe(true);
    return { answer, asked, brought };
  }

  function gapsOf(brought: readonly { readonly at: number }[]): readonly number[] {
    return brought.slice(1).map(({ at }, no) => Math.floor((at - (brought[no]?.at ?? 0)) / 1000));
  }

  test("is brought again, later and later, until it is taken, and nobody is asked twice", async () => {
    let updates = 0;
    const { script } = createDesk(["size"], () => true);
    const { answer, asked, brought } = await followLong({
      ...script,
      "tasks/update": (one, response) => (++updates < 4 ? onFire : script["tasks/update"]?.(one, response)),
    });
    expect(answer).toEqual(done({ size: { action: "accept", content: { size: "12" } } }));
    expect(asked).toEqual(["Which size?"]);
    expect(gapsOf(brought)).toEqual([1, 2, 4]);
  });

  const forbidden: Script[string] = (_, response) => {
    response.writeHead(403).end("Not through this gate.");
    return undefined;
  };

  test.each([
    ["an error of its own", () => onFire, "error -32603: The cupboard is on fire."],
    ["a status of HTTP", forbidden, "403"],
  ] as const)("six times, with %s, fails the call with what it said, and the task is cancelled", async (...row) => {
    const [, update, said] = row;
    const { script } = createDesk(["size"], () => true);
    const { answer, asked, brought } = await followLong({ ...script, "tasks/update": update });
    expect(answer).toMatchObject({
      kind: "failed",
      code: "answer_refused",
      message: expect.stringContaining(said),
      isFinal: true,
    });
    expect(asked).toHaveLength(1);
    expect(gapsOf(brought)).toEqual([1, 2, 4, 8, 16]);
  });

  test("keeps no other answer from being brought", async () => {
    const desk = createDesk(["colour", "size"], () => true);
    const { answer, brought } = await followLong({
      ...desk.script,
      "tasks/update": (one, response) =>
        JSON.stringify(one.params).includes('"size":{') ? onFire : desk.script["tasks/update"]?.(one, response),
    });
    expect([...desk.taken.keys()]).toEqual(["colour"]);
    expect(answer).toMatchObject({ kind: "failed", code: "answer_refused" });
    expect(brought.filter(({ names }) => names.includes("size") && names.length === 1)).toHaveLength(6);
  });
});
