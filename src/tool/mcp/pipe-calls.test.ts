import { ProtocolError, SdkError, SdkErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { PipeCalls } from "./pipe-calls.ts";

type Sent = { readonly id?: number; readonly method: string; readonly params: { readonly [key: string]: Json } };

/** Calls whose messages are kept instead of sent. */
function createPipe(): { readonly pipe: PipeCalls; readonly sent: readonly Sent[] } {
  const sent: Sent[] = [];
  const say = (message: JSONRPCMessage): undefined => void sent.push(message as unknown as Sent);
  return { pipe: new PipeCalls({ say }), sent };
}

const params = { name: "say", arguments: { text: "x" }, _meta: { key: "k" } };

function answerTo({ id }: Sent, result: { readonly [key: string]: Json }): JSONRPCMessage {
  return { jsonrpc: "2.0", id: id ?? 0, result };
}

function at(sent: readonly Sent[], index: number): Sent {
  const message = sent[index];
  if (message === undefined) throw new Error(`nothing was sent at ${index}`);
  return message;
}

/** What a promise was rejected with. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (error: unknown) => error,
  );

describe("a call", () => {
  test("has the answer to its own request, whatever the order of the answers", async () => {
    const { pipe, sent } = createPipe();
    const calls = [pipe.call(params, {}), pipe.call(params, {})];
    const [first, second] = [at(sent, 0), at(sent, 1)];
    expect(first).toMatchObject({
      method: "tools/call",
      params: { name: "say", arguments: { text: "x" }, _meta: { key: "k", progressToken: first.id } },
    });
    expect(pipe.take(answerTo(second, { content: ["second"] }))).toBe(true);
    expect(pipe.take(answerTo(first, { content: ["first"] }))).toBe(true);
    expect(await Promise.all(calls)).toEqual([{ content: ["first"] }, { content: ["second"] }]);
  });

  test("ends with the error that the server answers with", async () => {
    const { pipe, sent } = createPipe();
    const call = reasonOf(pipe.call(params, {}));
    const { id = 0 } = at(sent, 0);
    pipe.take({ jsonrpc: "2.0", id, error: { code: -32_602, message: "no such tool" } });
    expect(await call).toBeInstanceOf(ProtocolError);
    expect(await call).toMatchObject({ code: -32_602, message: expect.stringContaining("no such tool") });
  });

  test("has a result without a type: in this way of speaking there are none", async () => {
    const { pipe, sent } = createPipe();
    const call = pipe.call(params, {});
    pipe.take(answerTo(at(sent, 0), { resultType: "input_required", content: [] }));
    expect(await call).toEqual({ content: [] });
  });

  test("that nobody wants any more ends at once, and the server is told; its answer is for nobody", async () => {
    const { pipe, sent } = createPipe();
    const controller = new AbortController();
    const call = reasonOf(pipe.call(params, { signal: controller.signal }));
    controller.abort("enough");
    expect(await call).toMatchObject({ code: SdkErrorCode.RequestTimeout, message: "enough" });
    expect(sent.slice(1)).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: at(sent, 0).id, reason: "enough" } },
    ]);
    expect(pipe.take(answerTo(at(sent, 0), {}))).toBe(true);
  });

  test("that nobody wants from the beginning is not sent", async () => {
    const { pipe, sent } = createPipe();
    expect(await reasonOf(pipe.call(params, { signal: AbortSignal.abort("enough") }))).toBeInstanceOf(SdkError);
    expect(sent).toEqual([]);
  });

  test("that has its answer hears nothing of an abort", async () => {
    const { pipe, sent } = createPipe();
    const controller = new AbortController();
    const call = pipe.call(params, { signal: controller.signal });
    pipe.take(answerTo(at(sent, 0), {}));
    await call;
    controller.abort();
    expect(sent).toHaveLength(1);
  });

  test("that cannot be sent says why", async () => {
    const pipe = new PipeCalls({ say: () => Promise.reject(new Error("the pipe is broken")) });
    await expect(pipe.call(params, {})).rejects.toThrow("the pipe is broken");
  });

  test("is in doubt when the connection ends under it, and surely not made afterwards", async () => {
    const { pipe, sent } = createPipe();
    const under = reasonOf(pipe.call(params, {}));
    pipe.end();
    expect(await under).toMatchObject({ code: SdkErrorCode.ConnectionClosed });
    expect(await reasonOf(pipe.call(params, {}))).toMatchObject({ code: SdkErrorCode.NotConnected });
    expect(sent).toHaveLength(1);
  });
});

describe("progress", () => {
  const progress = (told: { readonly [key: string]: Json }): JSONRPCMessage => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: told,
  });

  test("is told to the call that it is of, as long as that is under way", () => {
    const { pipe, sent } = createPipe();
    const told: unknown[] = [];
    void pipe.call(params, { onprogress: (one) => void told.push(one) });
    const { id: progressToken = 0 } = at(sent, 0);
    expect(pipe.take(progress({ progressToken, progress: 1, total: 4, message: "one" }))).toBe(true);
    expect(pipe.take(progress({ progressToken, progress: "much", total: 4 }))).toBe(true);
    expect(pipe.take(progress({ progressToken, progress: 2, total: "all", message: 2 }))).toBe(true);
    pipe.take(answerTo(at(sent, 0), {}));
    expect(pipe.take(progress({ progressToken, progress: 3 }))).toBe(true);
    expect(told).toEqual([{ progress: 1, total: 4, message: "one" }, { progress: 2 }]);
  });

  test("that its listener chokes on harms nobody", async () => {
    const { pipe, sent } = createPipe();
    const fail = (): never => {
      throw new Error("no room for it");
    };
    const call = pipe.call(params, { onprogress: fail });
    const { id: progressToken = 0 } = at(sent, 0);
    expect(pipe.take(progress({ progressToken, progress: 1 }))).toBe(true);
    pipe.take(answerTo(at(sent, 0), { ok: true }));
    expect(await call).toEqual({ ok: true });
  });
});

test.each<JSONRPCMessage>([
  { jsonrpc: "2.0", id: 3, result: {} },
  { jsonrpc: "2.0", id: "listen-1", result: {} },
  { jsonrpc: "2.0", id: 3, error: { code: 1, message: "no" } },
  { jsonrpc: "2.0", id: 1_000_000_000, method: "elicitation/create", params: {} },
  { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
  { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 3, progress: 1 } },
])("%j is left to others", (message) => {
  const { pipe } = createPipe();
  void pipe.call(params, {});
  expect(pipe.take(message)).toBe(false);
});
