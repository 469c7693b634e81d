// M8, of a call that is under way on this side: what was agreed on holds in the moment in which it is sent, however long it
// has waited before.

import type { ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import type { Json } from "../../src/flow/json.ts";
import type { Pins, ToolChange } from "../../src/tool/mcp/contract.ts";
import type { QuestionAnswer } from "../../src/tool/tool.ts";
import { complete, serveModern, tool } from "./modern-server.ts";
import { call, createPins, createServers, entryOf, resultOf } from "./servers.ts";

type Watched = { readonly pins: Pins; readonly change: () => void };

/** Pins of a server that turns out to have changed when the test says so. */
function createWatched(): Watched {
  const pins = createPins();
  let found: ToolChange | undefined;
  return {
    pins: { ...pins, changeOf: () => found },
    change: () => {
      const [agreed] = pins.known("web");
      if (agreed === undefined) throw new Error("nothing is agreed on");
      found = { server: "web", tool: "one", agreed, found: agreed, kind: "description", lines: ["- old", "+ new"] };
    },
  };
}

function answer(id: Json, response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: complete({ structuredContent: 1 }) }));
}

test("M8: a tool that changes while a call waits for its turn is not called", async () => {
  const { pins, change } = createWatched();
  const held: (() => void)[] = [];
  await using server = await serveModern([tool("one")], {
    one: ({ id }, response) => {
      held.push(() => answer(id, response));
      return undefined;
    },
  });
  const entry = entryOf("web", { kind: "http", url: server.url, headers: {} }, { callsMax: 1 });
  await using servers = createServers([entry], { pins });
  await servers.open();
  const first = call(servers, "web.one");
  await vi.waitFor(() => expect(held).toHaveLength(1));
  const second = call(servers, "web.one");
  change();
  held[0]?.();
  expect(resultOf(await first)).toBe(1);
  expect(await second).toMatchObject({ kind: "held", code: "tool_changed" });
  expect(server.methods).toEqual(["tools/call"]);
});

test("M8: one that changes while people are asked is not called with their answer", async () => {
  const { pins, change } = createWatched();
  const question = { method: "elicitation/create", params: { message: "Sure?" } };
  await using server = await serveModern([tool("one")], {
    one: ({ params }) =>
      params["inputResponses"] === undefined
        ? { resultType: "input_required", inputRequests: { sure: question } }
        : complete({ structuredContent: 1 }),
  });
  await using servers = createServers([entryOf("web", { kind: "http", url: server.url, headers: {} })], { pins });
  await servers.open();
  const lines: string[] = [];
  const ask = (): Promise<QuestionAnswer> => {
    change();
    return Promise.resolve({ kind: "accepted", content: {} });
  };
  // What the server did when it was called first nobody knows.
  expect(await call(servers, "web.one", { ask, log: (line) => void lines.push(line) })).toEqual({ kind: "lost" });
  expect(server.methods).toEqual(["tools/call"]);
  expect(lines).toEqual([expect.stringContaining("not what was agreed on")]);
});
