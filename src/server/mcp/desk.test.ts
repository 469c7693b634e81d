import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";
import { declaresForms, isAskable, readSession } from "./desk.ts";

let service: Service;
let before: number;
const tokens: Record<string, string> = {};
const ending = new AbortController();
const gated = { start: { gate: { title: "Go on?" }, next: "end" }, end: { set: {}, done: { output: "went on" } } };

beforeAll(async () => {
  service = await createService(createWorld("memory"), {
    clock: systemClock,
    app: { live: { ending: ending.signal } },
  });
  await service.engine.save(gated, { name: "gated" });
  for (const user of ["ann", "bob"]) {
    const wish = { user, name: "test", scopes: ["run", "approve"] };
    tokens[user] = (await service.engine.access.tokens.create(wish)).text;
  }
  before = await followers();
});

afterAll(() => service[Symbol.asyncDispose]());

async function followers(): Promise<number> {
  return (await service.engine.overview.figures()).followers;
}

type From = { readonly user?: string; readonly session?: string };

function post(message: JsonObject, { user = "ann", session }: From = {}): Promise<Response> {
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      host: "localhost",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${tokens[user] ?? ""}`,
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  return service.fetch(request);
}

async function introduce(capabilities: JsonObject): Promise<string> {
  const clientInfo = { name: "old", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  const response = await post({ id: 0, method: "initialize", params });
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** What comes on the stream that a message has opened, one after the other. */
async function* read({ body }: Response): AsyncGenerator<JsonObject, void, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const events = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const [, data] = /^data: (.+)$/mu.exec(event) ?? [];
      const message = data === undefined ? null : (JSON.parse(data) as Json);
      if (isObject(message)) yield message;
    }
  }
}

async function nextOf(stream: AsyncGenerator<JsonObject, void, undefined>): Promise<JsonObject> {
  const { value } = await stream.next();
  return value ?? {};
}

function call(session: string): Promise<Response> {
  return post({ id: 7, method: "tools/call", params: { name: "workflow_gated", arguments: {} } }, { session });
}

const yes = { action: "accept", content: { choice: "approved" } };

describe("a session", () => {
  test("says whether its client can be asked, and is no session when it was not made here", async () => {
    expect(isAskable(readSession(await introduce({ elicitation: {} })))).toBe(true);
    expect(isAskable(readSession(await introduce({})))).toBe(false);
    for (const odd of [null, "", "x.elicitation", "../.elicitation"]) expect(readSession(odd)).toBeNull();
  });

  test.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: true }, false],
    [{}, false],
    [null, false],
  ])("of a client that declares %j can show a form: %s", (capabilities, isDeclared) => {
    expect(declaresForms(capabilities)).toBe(isDeclared);
  });
});

describe("what was asked over HTTP", () => {
  test("is answered by who was asked, in the session in which it was, and by nobody else who knows its id", async () => {
    const session = await introduce({ elicitation: {} });
    const stream = read(await call(session));
    const { id = null, method } = await nextOf(stream);
    expect(method).toBe("elicitation/create");
    const other = await introduce({ elicitation: {} });
    for (const from of [{ user: "bob", session }, { user: "bob" }, { session: other }, {}])
      expect((await post({ id, result: { action: "accept", content: { choice: "rejected" } } }, from)).status).toBe(
        202,
      );
    expect((await post({ id, result: yes }, { session })).status).toBe(202);
    expect(own(await nextOf(stream), "result")).toMatchObject({ structuredContent: { output: "went on" } });
    expect((await post({ id, result: yes }, { session })).status).toBe(202);
  });

  test("leaves nobody behind who listens, when its connection breaks or its call is given up", async () => {
    const session = await introduce({ elicitation: {} });
    const broken = read(await call(session));
    await nextOf(broken);
    while ((await followers()) === before) await new Promise(setImmediate);
    await broken.return();
    while ((await followers()) > before) await new Promise(setImmediate);
    const stream = read(await call(session));
    const { id } = await nextOf(stream);
    await post({ method: "notifications/cancelled", params: { requestId: 7 } }, { session });
    expect(await nextOf(stream)).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
    expect(await stream.next()).toMatchObject({ done: true });
    while ((await followers()) > before) await new Promise(setImmediate);
  });

  // The last one: nothing is served afterwards.
  test("does not keep the service from stopping", async () => {
    const stream = read(await call(await introduce({ elicitation: {} })));
    await nextOf(stream);
    ending.abort();
    expect(await stream.next()).toMatchObject({ done: true });
    while ((await followers()) > before) await new Promise(setImmediate);
  });
});
