import { ProtocolError, SdkError, SdkErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../flow/json.ts";
import { PipeCalls, type PipeCaller } from "./pipe-calls.ts";

type Sent = { readonly id?: number; readonly method: string; readonly params: { readonly [key: string]: Json } };

/** Calls whose messages are kept instead of sent. */
function createPipe(): { readonly pipe: PipeCalls; readonly sent: readonly Sent[] } {
  const sent: Sent[] = [];
  const say = (text: string): undefined => void sent.push(JSON.parse(text) as Sent);
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

type Wish = Pick<PipeCaller, "isLeft" | "leftFor" | "onprogress">;
type Made = { readonly answer: Promise<JsonObject>; readonly leave: (reason: unknown) => void };

/** A call, and who gives it up. */
function make(pipe: PipeCalls, wish: Wish = {}): Made {
  let leftFor: unknown = wish.leftFor;
  const { promise: answer, resolve: done, reject: failed } = Promise.withResolvers<JsonObject>();
  const caller: PipeCaller = {
    ...wish,
    get leftFor() {
      return leftFor;
    },
    done,
    failed,
  };
  try {
    pipe.send(params, caller);
  } catch (error) {
    failed(error);
  }
  const leave = (reason: unknown): void => {
    leftFor = reason;
    caller.request?.pipe.leave(caller.request.id);
  };
  return { answer, leave };
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
    const calls = [make(pipe).answer, make(pipe).answer];
    const [first, second] = [at(sent, 0), at(sent, 1)];
    expect(first).toMatchObject({
      method: "tools/call",
      params: { name: "say", arguments: { text: "x" }, _meta: { key: "k", progressToken: first.id } },
    });
    expect(pipe.take(answerTo(second, { content: ["second"] }))).toBe("taken");
    expect(pipe.take(answerTo(first, { content: ["first"] }))).toBe("taken");
    expect(await Promise.all(calls)).toEqual([{ content: ["first"] }, { content: ["second"] }]);
  });

  test("ends with the error that the server answers with", async () => {
    const { pipe, sent } = createPipe();
    const call = reasonOf(make(pipe).answer);
    const { id = 0 } = at(sent, 0);
    pipe.take({ jsonrpc: "2.0", id, error: { code: -32_602, message: "no such tool" } });
    expect(await call).toBeInstanceOf(ProtocolError);
    expect(await call).toMatchObject({ code: -32_602, message: expect.stringContaining("no such tool") });
  });

  test("has a result without a type: in this way of speaking there are none", async () => {
    const { pipe, sent } = createPipe();
    const { answer: call } = make(pipe);
    pipe.take(answerTo(at(sent, 0), { resultType: "input_required", content: [] }));
    expect(await call).toEqual({ content: [] });
  });

  test("that nobody wants any more ends at once, and the server is told; its answer is for nobody", async () => {
    const { pipe, sent } = createPipe();
    const { answer, leave } = make(pipe);
    const call = reasonOf(answer);
    leave("enough");
    expect(await call).toMatchObject({ code: SdkErrorCode.RequestTimeout, message: "enough" });
    expect(sent.slice(1)).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: at(sent, 0).id, reason: "enough" } },
    ]);
    expect(pipe.take(answerTo(at(sent, 0), {}))).toBe("taken");
    expect(pipe.take(answerTo(at(sent, 0), {}))).toBe("stray");
  });

  test("is named among those that have no answer, until it has one; a second answer is stray", async () => {
    const { pipe, sent } = createPipe();
    const { answer } = make(pipe);
    const { id = 0 } = at(sent, 0);
    expect([...pipe.pending]).toEqual([id]);
    pipe.take(answerTo(at(sent, 0), { content: [] }));
    expect([[...pipe.pending], pipe.take(answerTo(at(sent, 0), {}))]).toEqual([[], "stray"]);
    expect(await answer).toEqual({ content: [] });
  });

  test("that is left has no answer yet, and is among those that the server may be at work on", () => {
    const { pipe, sent } = createPipe();
    const { answer, leave } = make(pipe);
    answer.catch(() => {});
    leave("enough");
    const { id } = at(sent, 0);
    expect([...pipe.pending]).toEqual([id]);
    pipe.take(answerTo(at(sent, 0), {}));
    expect([...pipe.pending]).toEqual([]);
  });

  test("is sent with all that goes with it, whatever its names and values are", () => {
    const { pipe, sent } = createPipe();
    const quoted = { name: 'a "b"\n', arguments: { 'x"': ["é", null] }, task: {}, _meta: {} };
    pipe.send(quoted, { done: () => {}, failed: () => {} });
    const { id } = at(sent, 0);
    expect(at(sent, 0).params).toEqual({ ...quoted, _meta: { progressToken: id } });
  });

  test("that nobody wants from the beginning is not sent", async () => {
    const { pipe, sent } = createPipe();
    expect(await reasonOf(make(pipe, { isLeft: true, leftFor: "enough" }).answer)).toBeInstanceOf(SdkError);
    expect(sent).toEqual([]);
  });

  test("that has its answer hears nothing of an abort", async () => {
    const { pipe, sent } = createPipe();
    const { answer, leave } = make(pipe);
    pipe.take(answerTo(at(sent, 0), {}));
    await answer;
    leave("enough");
    expect(sent).toHaveLength(1);
  });

  test("that cannot be sent says why", async () => {
    const pipe = new PipeCalls({ say: () => Promise.reject(new Error("the pipe is broken")) });
    await expect(make(pipe).answer).rejects.toThrow("the pipe is broken");
  });

  test("is in doubt when the connection ends under it, and surely not made afterwards", async () => {
    const { pipe, sent } = createPipe();
    const under = reasonOf(make(pipe).answer);
    pipe.end();
    expect(await under).toMatchObject({ code: SdkErrorCode.ConnectionClosed });
    expect(await reasonOf(make(pipe).answer)).toMatchObject({ code: SdkErrorCode.NotConnected });
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
    make(pipe, { onprogress: (one) => void told.push(one) });
    const { id: progressToken = 0 } = at(sent, 0);
    expect(pipe.take(progress({ progressToken, progress: 1, total: 4, message: "one" }))).toBe("taken");
    expect(pipe.take(progress({ progressToken, progress: "much", total: 4 }))).toBe("taken");
    expect(pipe.take(progress({ progressToken, progress: 2, total: "all", message: 2 }))).toBe("taken");
    pipe.take(answerTo(at(sent, 0), {}));
    expect(pipe.take(progress({ progressToken, progress: 3 }))).toBe("taken");
    expect(told).toEqual([{ progress: 1, total: 4, message: "one" }, { progress: 2 }]);
  });

  test("that its listener chokes on harms nobody", async () => {
    const { pipe, sent } = createPipe();
    const fail = (): never => {
      throw new Error("no room for it");
    };
    const { answer: call } = make(pipe, { onprogress: fail });
    const { id: progressToken = 0 } = at(sent, 0);
    expect(pipe.take(progress({ progressToken, progress: 1 }))).toBe("taken");
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
  make(pipe);
  expect(pipe.take(message)).toBe("for_others");
});
