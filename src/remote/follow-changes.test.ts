import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock, type Clock } from "../engine/clock.ts";
import { parseServerUrl } from "./address.ts";
import { followNews } from "./follow-changes.ts";
import { Wire } from "./wire.ts";

/** Called with each stream that is opened, and how many were opened before. */
let answer: (response: ServerResponse, no: number) => void = () => {};
let opened = 0;
const server = createServer((_request, response) => answer(response, opened++));
let url = "";
let wires: Wire[] = [];

/** What has been passed over in no time, and what waits for a server that is silent. */
let skippedMs = 0;
let silences = new Set<() => void>();
const clock: Clock = {
  ...systemClock,
  elapsed: () => performance.now() + skippedMs,
  after: (delayMs, act, purpose) => {
    if (purpose !== "duty" || delayMs < 45_000) return systemClock.after(delayMs, act);
    silences.add(act);
    return { cancel: () => void silences.delete(act) };
  },
};

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  opened = 0;
  skippedMs = 0;
  silences = new Set();
  wires = [];
});

afterEach(async () => {
  for (const wire of wires) wire.stop();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function follow(patienceMs: number): ReturnType<typeof followNews> {
  const wire = new Wire({ address: parseServerUrl(url), token: undefined, patienceMs, clock });
  wires.push(wire);
  return followNews(wire, {});
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

function hello(response: ServerResponse, cursor: number): void {
  response.write(`event: hello\nid: ${cursor}\ndata: {"cursor":"${cursor}"}\n\n`);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe("a stream of changes", () => {
  test("comes back after a break, however long nothing was to be told before it", async () => {
    const streams: ServerResponse[] = [];
    answer = (response, no) => {
      streams.push(response);
      begin(response);
      hello(response, no + 1);
    };
    const news = follow(2000);
    expect((await news.next()).value).toEqual({ kind: "told", cursor: "1" });
    skippedMs += 60_000;
    streams[0]?.destroy();
    expect((await news.next()).value).toEqual({ kind: "told", cursor: "2" });
  });

  test("that falls silent is opened again, and its silence is not counted while nobody listens", async () => {
    answer = (response, no) => {
      begin(response);
      hello(response, no + 1);
    };
    const news = follow(2000);
    await news.next();
    expect(silences.size).toBe(0);
    const next = news.next();
    await until(() => silences.size === 1);
    skippedMs += 45_000;
    for (const act of silences) act();
    expect((await next).value).toEqual({ kind: "told", cursor: "2" });
  });

  test("that says nonsense is given up at once", async () => {
    answer = (response) => {
      begin(response);
      response.write("event: change\ndata: what?\n\n");
    };
    await expect(follow(2000).next()).rejects.toMatchObject({ code: "SERVER_UNUSABLE" });
    expect(opened).toBe(1);
  });

  test("that is never answered is given up when the time is up", async () => {
    answer = () => {};
    await expect(follow(100).next()).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
  });

  test("that breaks and does not come back is given up when the time is up", async () => {
    answer = (response, no) => {
      if (no > 0) return void response.destroy();
      begin(response);
      hello(response, 1);
      response.end();
    };
    const news = follow(300);
    await news.next();
    await expect(news.next()).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
  });
});
