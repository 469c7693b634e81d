import { createServer, type ServerResponse } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import type { AskMemory } from "../../src/tool/mcp/mcp-server.ts";
import type { McpServers } from "../../src/tool/mcp/server-pool.ts";
import type { Question, QuestionAnswer, ToolAnswer } from "../../src/tool/tool.ts";
import { listen, stopServers } from "../local-servers.ts";
import { badEntry, call, createServers, done, entryOf } from "./servers.ts";

afterAll(stopServers);

type People = {
  readonly asked: string[];
  readonly ask: (question: Question) => Promise<QuestionAnswer>;
  /** Says yes to the oldest that is open. */
  readonly yes: () => void;
};

/** Those of one call. */
function createPeople(): People {
  const asked: string[] = [];
  const open: ((answer: QuestionAnswer) => void)[] = [];
  return {
    asked,
    ask: ({ message }) => {
      asked.push(message);
      return new Promise((resolve) => void open.push(resolve));
    },
    yes: () => open.shift()?.({ kind: "accepted", content: {} }),
  };
}

function createMemory(): AskMemory & { readonly known: Set<string> } {
  const known = new Set<string>();
  return { known, recall: (key) => known.has(key), remember: (key) => void known.add(key) };
}

function askAbout(servers: McpServers, about: string, { ask }: People): Promise<ToolAnswer> {
  return call(servers, "bad.echo", { input: { switch: "asks", about }, ask });
}

const accepted = (about: string): unknown => done({ about, action: "accept", content: {} });

describe("a program of 2025-11-25 that asks while several calls to it are under way", () => {
  test("is refused the first time that nobody can tell, and never after it, also in the next process", async () => {
    const asks = createMemory();
    const ignored = createPeople();
    {
      await using servers = createServers([badEntry("bad")], { asks });
      await servers.open();
      const both = await Promise.all(["a", "b"].map((about) => askAbout(servers, about, ignored)));
      expect(both).toEqual([done({ about: "a" }), done({ about: "b" })]);
      expect([ignored.asked, [...asks.known]]).toEqual([[], ["bad"]]);
      const [one, two] = [createPeople(), createPeople()];
      const calls = [askAbout(servers, "c", one), askAbout(servers, "d", two)];
      await expect.poll(() => [one.asked, two.asked]).toEqual([["Sure about c?"], ["Sure about d?"]]);
      two.yes();
      expect(await calls[1]).toEqual(accepted("d"));
      one.yes();
      expect(await calls[0]).toEqual(accepted("c"));
    }
    await using next = createServers([badEntry("bad")], { asks });
    await next.open();
    const [one, two] = [createPeople(), createPeople()];
    const calls = [askAbout(next, "e", one), askAbout(next, "f", two)];
    await expect.poll(() => [one.asked, two.asked]).toEqual([["Sure about e?"], ["Sure about f?"]]);
    // While people think, others are answered.
    expect(await call(next, "bad.echo", { input: { n: 1 } })).toEqual(done({ n: 1 }));
    one.yes();
    two.yes();
    expect(await Promise.all(calls)).toEqual([accepted("e"), accepted("f")]);
  });
});

/** A service of 2025-11-25 that asks on the stream of the call, and answers there. */
function createAsking(): ReturnType<typeof createServer> {
  const streams = new Map<string, { readonly id: unknown; readonly response: ServerResponse }>();
  const tell = (response: ServerResponse, message: object): void =>
    void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  return createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      const { id, method, params, result } = JSON.parse(body === "" ? "{}" : body) as {
        readonly id?: string | number;
        readonly method?: string;
        readonly params?: { readonly arguments?: { readonly about?: string } };
        readonly result?: unknown;
      };
      const answer = (said: object): void => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: said }));
      };
      if (method === "initialize") {
        const serverInfo = { name: "old", version: "1" };
        return answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
      }
      if (method === "tools/list") return answer({ tools: [{ name: "echo", inputSchema: { type: "object" } }] });
      if (method === "tools/call") {
        const about = params?.arguments?.about ?? "";
        streams.set(`ask-${about}`, { id, response });
        response.writeHead(200, { "content-type": "text/event-stream" });
        const asked = { message: `Sure about ${about}?`, requestedSchema: { type: "object", properties: {} } };
        return tell(response, { id: `ask-${about}`, method: "elicitation/create", params: asked });
      }
      const stream = streams.get(String(id));
      if (method === undefined && stream !== undefined) {
        tell(stream.response, { id: stream.id, result: { content: [{ type: "text", text: JSON.stringify(result) }] } });
        stream.response.end();
      }
      response.writeHead(request.method === "GET" ? 405 : 202).end();
    });
  });
}

test("a service that asks on the stream of a call is known by it, and its calls take no turns", async () => {
  const url = `http://127.0.0.1:${await listen(createAsking())}/mcp`;
  const asks = createMemory();
  await using servers = createServers([entryOf("bad", { kind: "http", url, headers: {} }, { era: "legacy" })], {
    asks,
  });
  await servers.open();
  const people = ["a", "b", "c"].map((about) => ({ about, ...createPeople() }));
  const calls = people.map((one) => askAbout(servers, one.about, one));
  await expect
    .poll(() => people.map(({ asked }) => asked))
    .toEqual([["Sure about a?"], ["Sure about b?"], ["Sure about c?"]]);
  for (const { yes } of people) yes();
  expect(await Promise.all(calls)).toEqual(people.map(() => done({ action: "accept", content: {} })));
  expect([...asks.known]).toEqual([]);
});
