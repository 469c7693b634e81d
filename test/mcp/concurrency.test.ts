// A server that takes so many calls at once: who waits in front of it, and who has a place there.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import { openEngine } from "../../src/open-engine.ts";
import type { LinkClock } from "../../src/tool/mcp/link-clock.ts";
import type { McpServers } from "../../src/tool/mcp/server-pool.ts";
import { engineStops, type QuestionAnswer, type ToolAnswer } from "../../src/tool/tool.ts";
import { complete, serveModern, tool } from "./modern-server.ts";
import { badEntry, call, configured, createServers, done, entryOf } from "./servers.ts";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "stepwell-places-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const alone = { ...badEntry("bad"), callsMax: 1 };
const notCalled = { kind: "failed", code: "tool_server_unavailable", isFinal: false };

type Begun = { readonly answer: Promise<ToolAnswer>; readonly controller: AbortController };

/** A call that the server is at work on. */
async function begin(servers: McpServers, input: { readonly switch: string; readonly file?: string }): Promise<Begun> {
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const progress = (): void => begun.resolve();
  const answer = call(servers, "bad.echo", { input, signal: controller.signal, progress });
  await begun.promise;
  return { answer, controller };
}

/** Time that goes by itself, but for those that wait so long. */
function holdTimers(heldMs: number): {
  readonly clock: LinkClock;
  readonly fire: () => void;
  readonly held: () => number;
} {
  const held = new Set<() => void>();
  const after: LinkClock["after"] = (delayMs, act, purpose) => {
    if (delayMs !== heldMs) return systemClock.after(delayMs, act, purpose);
    held.add(act);
    return { cancel: () => void held.delete(act) };
  };
  const fire = (): void => {
    for (const act of held) act();
  };
  return { clock: { elapsed: () => systemClock.elapsed(), after }, fire, held: () => held.size };
}

describe("a call that waits in front of a server", () => {
  test("is no part of the step's time: whoever is before it may take longer than that", async () => {
    await using engine = await openEngine({
      store: join(folder, "wait.db"),
      mcpServers: { bad: { ...configured(), concurrency: 1 } },
    });
    // It says that it is alive, and so takes three times as long as a step may.
    const long = {
      tool: "bad.echo",
      args: { switch: "says-progress", times: 60, everyMs: 50 },
      timeout: "1s",
      done: true,
    };
    const short = { tool: "bad.echo", args: { n: 1 }, timeout: "1s", done: true };
    const first = await engine.start({ steps: { long } });
    const others = await Promise.all([1, 2, 3].map(() => engine.start({ steps: { short } })));
    expect(await engine.result(first.id)).toMatchObject({ status: "completed" });
    for (const { id } of others) expect(await engine.result(id)).toMatchObject({ status: "completed" });
    expect(await engine.breakers.list()).toEqual([]);
  });

  test("has all of its time when its turn comes", async () => {
    await using servers = createServers([alone]);
    await servers.open();
    const file = join(folder, "all-of-it");
    const first = await begin(servers, { switch: "until-file", file });
    const extended: unknown[] = [];
    const extend = (isBeginning?: boolean): void => {
      extended.push(isBeginning ?? "alive");
      // It has been waiting for a while.
      if (extended.length === 3) writeFileSync(file, "");
    };
    expect(await call(servers, "bad.echo", { input: { n: 1 }, extend })).toEqual(done({ n: 1 }));
    expect(extended.slice(0, 3)).toEqual(["alive", "alive", "alive"]);
    expect(extended.at(-1)).toBe(true);
    expect(await first.answer).toEqual(done({ ended: "at last" }));
  });

  test("was surely not called when nobody wants it any more, and ends at once", async () => {
    await using servers = createServers([alone]);
    await servers.open();
    const file = join(folder, "not-called");
    const first = await begin(servers, { switch: "until-file", file });
    const controller = new AbortController();
    const second = call(servers, "bad.echo", { input: { n: 2 }, signal: controller.signal });
    const third = call(servers, "bad.echo", { input: { n: 3 } });
    controller.abort(new Error("enough"));
    expect(await second).toMatchObject(notCalled);
    writeFileSync(file, "");
    expect(await Promise.all([first.answer, third])).toEqual([done({ ended: "at last" }), done({ n: 3 })]);
    expect(servers.health()).toMatchObject([{ status: "ready", restarts: 0, callsUnderWay: 0 }]);
  });

  test("is taken up by the next process when the engine stops: it does not fail by that", async () => {
    await using servers = createServers([alone]);
    await servers.open();
    await begin(servers, { switch: "until-file", file: join(folder, "never") });
    const controller = new AbortController();
    const second = call(servers, "bad.echo", { signal: controller.signal });
    controller.abort(engineStops);
    expect(await second).toEqual({ kind: "lost" });
  });

  test("which the server has asked something before is in doubt, also while it waits to be sent again", async () => {
    const held = Promise.withResolvers<() => void>();
    let asked = 0;
    const question = { method: "elicitation/create", params: { message: "Sure?" } };
    await using server = await serveModern([tool("asks"), tool("slow")], {
      asks: () => {
        asked += 1;
        return { resultType: "input_required", inputRequests: { sure: question } };
      },
      slow: ({ id }, response) => {
        held.resolve(() => void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: complete({}) })));
        response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
        return undefined;
      },
    });
    const web = entryOf("web", { kind: "http", url: server.url, headers: {} }, { era: "modern", callsMax: 1 });
    await using servers = createServers([web]);
    await servers.open();
    const controller = new AbortController();
    const people = Promise.withResolvers<QuestionAnswer>();
    const isAsked = Promise.withResolvers<void>();
    const ask = (): Promise<QuestionAnswer> => {
      isAsked.resolve();
      return people.promise;
    };
    const asking = call(servers, "web.asks", { ask, signal: controller.signal });
    await isAsked.promise;
    const slow = call(servers, "web.slow");
    const answer = await held.promise;
    people.resolve({ kind: "accepted", content: {} });
    controller.abort(new Error("enough"));
    expect(await asking).toEqual({ kind: "lost" });
    answer();
    expect((await slow).kind).toBe("done");
    expect(asked).toBe(1);
  });
});

describe("a place at a server", () => {
  test("is kept by a call that nobody waits for, until the server has answered it", async () => {
    await using servers = createServers([alone]);
    await servers.open();
    const file = join(folder, "kept");
    const { answer, controller } = await begin(servers, { switch: "until-file", file });
    controller.abort(new Error("too slow"));
    expect(await answer).toEqual({ kind: "lost" });
    const next = call(servers, "bad.echo", { input: { switch: "how-many" } });
    writeFileSync(file, "");
    expect(await next).toEqual(done(0));
  });

  test("is free after a while when the server heeds the cancellation, and so never answers", async () => {
    const { clock, fire, held } = holdTimers(20_000);
    await using servers = createServers([alone], { clock });
    await servers.open();
    const { answer, controller } = await begin(servers, { switch: "heeds" });
    controller.abort(new Error("too slow"));
    expect(await answer).toEqual({ kind: "lost" });
    const next = call(servers, "bad.echo", { input: { n: 1 } });
    expect(held()).toBe(1);
    fire();
    expect(await next).toEqual(done({ n: 1 }));
    expect(held()).toBe(0);
  });

  test("is kept for that while at a service whose stream was closed, too", async () => {
    const { clock, fire, held } = holdTimers(20_000);
    const isAsked = Promise.withResolvers<void>();
    await using server = await serveModern([tool("slow"), tool("one")], {
      slow: () => {
        isAsked.resolve();
        return undefined;
      },
      one: () => complete({ structuredContent: 1 }),
    });
    const web = entryOf("web", { kind: "http", url: server.url, headers: {} }, { era: "modern", callsMax: 1 });
    await using servers = createServers([web], { clock });
    await servers.open();
    const controller = new AbortController();
    const slow = call(servers, "web.slow", { signal: controller.signal });
    await isAsked.promise;
    controller.abort(new Error("too slow"));
    expect(await slow).toEqual({ kind: "lost" });
    expect(held()).toBe(1);
    const next = call(servers, "web.one");
    fire();
    expect(await next).toEqual(done(1));
  });

  test("is free when its connection is gone", async () => {
    const { clock, held } = holdTimers(20_000);
    await using servers = createServers([alone], { clock });
    await servers.open();
    const { answer, controller } = await begin(servers, { switch: "heeds" });
    controller.abort(new Error("too slow"));
    expect(await answer).toEqual({ kind: "lost" });
    expect(held()).toBe(1);
    await servers.restart("bad");
    expect(held()).toBe(0);
    expect(await call(servers, "bad.echo", { input: { n: 1 } })).toEqual(done({ n: 1 }));
  });

  test("is given away while people think, and taken again before their answer goes back", async () => {
    await using servers = createServers([alone]);
    await servers.open();
    const people = Promise.withResolvers<QuestionAnswer>();
    const isAsked = Promise.withResolvers<void>();
    const ask = (): Promise<QuestionAnswer> => {
      isAsked.resolve();
      return people.promise;
    };
    const asking = call(servers, "bad.echo", { input: { switch: "asks", about: "it" }, ask });
    await isAsked.promise;
    expect(await call(servers, "bad.echo", { input: { n: 1 } })).toEqual(done({ n: 1 }));
    const file = join(folder, "given-away");
    const other = await begin(servers, { switch: "until-file", file });
    people.resolve({ kind: "accepted", content: {} });
    // Of two that wait, the answer of people is the first.
    const order: string[] = [];
    const ended = [
      asking.then(() => order.push("asking")),
      call(servers, "bad.echo", { input: { n: 2 } }).then(() => order.push("new")),
    ];
    writeFileSync(file, "");
    await Promise.all([...ended, other.answer]);
    expect(order).toEqual(["asking", "new"]);
    expect(await asking).toEqual(done({ about: "it", action: "accept", content: {} }));
  });
});
