// Redirects, and servers that are up to no good.

import { createServer as createRawServer } from "node:net";
import type { RequestListener } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import {
  ask,
  askLocal,
  bodyOf,
  echo,
  failed,
  listen,
  serve,
  serveRaw,
  stopServers,
} from "../../../../test/local-servers.ts";
import type { ToolAnswer } from "../../tool.ts";

afterAll(stopServers);

describe("redirects", () => {
  function redirect(status: number, location: (path: string) => string): RequestListener {
    return (request, response) => {
      response.writeHead(status, { location: location(request.url ?? "") });
      response.end();
    };
  }

  test("to a private address are refused like the address itself", async () => {
    const port = await serve(redirect(302, () => "http://10.0.0.7/"));
    const hosts = [`private:127.0.0.1:${port}`, "10.0.0.7", "evil.example"];
    const url = `http://127.0.0.1:${port}/`;
    expect(await ask({ hosts }, { url })).toMatchObject(failed("address_blocked", true));
    const named = await serve(redirect(302, () => "http://evil.example/"));
    const setup = { hosts: [`private:127.0.0.1:${named}`, "evil.example"], resolve: async () => ["127.0.0.1"] };
    expect(await ask(setup, { url: `http://127.0.0.1:${named}/` })).toMatchObject(failed("address_blocked", true));
  });

  test("to a host or port that is not listed are refused", async () => {
    const other = await serve(echo);
    const port = await serve(redirect(307, () => `http://127.0.0.1:${other}/`));
    expect(await askLocal(port)).toMatchObject(failed("host_not_allowed", true));
  });

  test.each(["file:///etc/passwd", "gopher://127.0.0.1/", "http://a:b@127.0.0.1/", "http://["])(
    "to %s are refused",
    async (location) => {
      const port = await serve(redirect(302, () => location));
      expect(await askLocal(port)).toMatchObject(failed("bad_redirect", true));
    },
  );

  test("are followed five times and not more", async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else redirect(301, () => `/${left - 1}`)(request, response);
    });
    const from = (left: number): Promise<ToolAnswer> => askLocal(port, { url: `http://127.0.0.1:${port}/${left}` });
    expect(await from(5)).toMatchObject({ result: { body: "there", url: `http://127.0.0.1:${port}/0` } });
    expect(await from(6)).toMatchObject(failed("bad_redirect", true));
  });

  test("keep credentials on their own host, and drop them, whatever their name, on the way to another", async () => {
    const other = await serve(echo);
    const home = await serve((request, response) => {
      if (request.url === "/home") echo(request, response);
      else redirect(307, (path) => (path === "/" ? "/home" : `http://127.0.0.1:${other}/`))(request, response);
    });
    const hosts = [`private:127.0.0.1:${home}`, `private:127.0.0.1:${other}`];
    const headers = { authorization: "Bearer t", cookie: "c", "x-api-key": "k", accept: "text/plain" };
    const post = { method: "POST", body: { a: 1 }, headers };
    const kept = bodyOf(await ask({ hosts }, { url: `http://127.0.0.1:${home}/`, ...post }));
    expect(kept).toMatchObject({
      method: "POST",
      body: '{"a":1}',
      headers: { authorization: "Bearer t", "x-api-key": "k" },
    });
    const dropped = bodyOf(await ask({ hosts }, { url: `http://127.0.0.1:${home}/away`, ...post }));
    expect(dropped).toMatchObject({ method: "POST", body: '{"a":1}', headers: { accept: "text/plain" } });
    for (const name of ["authorization", "cookie", "x-api-key", "idempotency-key"])
      expect(dropped["headers"]).not.toHaveProperty(name);
  });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "PUT", "GET"],
    [307, "POST", "POST"],
    [308, "PUT", "PUT"],
    [302, "PUT", "PUT"],
  ])("with %i make of a %s a %s", async (status, method, becomes) => {
    const port = await serve((request, response) => {
      if (request.url === "/there") echo(request, response);
      else redirect(status, () => "/there")(request, response);
    });
    const body = becomes === "GET" ? "" : "x";
    expect(bodyOf(await askLocal(port, { method, body: "x" }))).toMatchObject({ method: becomes, body });
  });
});

describe("a server up to no good", () => {
  test("a body without end is cut at its limit", async () => {
    const port = await serve((_, response) => {
      const more = (): void => {
        while (response.write("x".repeat(64 * 1024)));
        response.once("drain", more);
      };
      more();
    });
    expect(await askLocal(port)).toMatchObject(failed("response_too_large", true));
  });

  test("a length beyond the limit is not read at all", async () => {
    const port = await serveRaw("HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\nx", "stay");
    expect(await askLocal(port)).toMatchObject(failed("response_too_large", true));
  });

  test("a body that fits as bytes and not as a result is refused with what can be done", async () => {
    const port = await serve((_, response) => void response.end("\n".repeat(3 * 1024 * 1024)));
    const refused = await askLocal(port);
    expect(refused).toMatchObject(failed("response_too_large", true));
    expect(refused).toMatchObject({
      message: expect.stringMatching(/3145728 bytes, but 62\d+ as a result.*Ask for less/),
    });
    // Something may have come of it.
    expect(await askLocal(port, { method: "POST" })).toEqual({ kind: "lost" });
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("a %s bomb is counted as it unfolds; a small one is read", async (coding, pack) => {
    const port = await serve((request, response) => {
      response.setHeader("content-encoding", coding);
      response.end(pack(request.url === "/small" ? "small" : Buffer.alloc(16 * 1024 * 1024)));
    });
    expect(await askLocal(port)).toMatchObject(failed("response_too_large", true));
    expect(await askLocal(port, { url: `http://127.0.0.1:${port}/small` })).toMatchObject({
      result: { body: "small" },
    });
  });

  test.each([
    ["a slow body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx"],
    ["headers without end", "HTTP/1.1 200 OK\r\nx-a: "],
    ["no answer", ""],
  ])("%s is left behind in time", async (_, text) => {
    const port = await serveRaw(text, "stay");
    expect(await askLocal(port, { timeout_ms: 30 })).toMatchObject(failed("timeout", false));
  });

  test("a call that nobody wants any more is stopped", async () => {
    const controller = new AbortController();
    const port = await serve(() => controller.abort());
    expect(await askLocal(port, {}, { signal: controller.signal })).toMatchObject({ kind: "failed", code: "timeout" });
    expect(await askLocal(port, {}, { signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
  });

  test.each([
    ["a body shorter than its length", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx", "bad_response"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx", "bad_response"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "bad_response",
    ],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nx", "bad_response"],
    ["chunks that are none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "bad_response"],
    ["no HTTP", "SSH-2.0-x\r\n", "bad_response"],
    ["headers without measure", `HTTP/1.1 200 OK\r\nx-a: ${"x".repeat(64 * 1024)}\r\n\r\n`, "bad_response"],
    ["another protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "bad_response"],
    ["a coding that nobody knows", "HTTP/1.1 200 OK\r\ncontent-encoding: zip\r\n\r\nx", "bad_response"],
    ["a broken coding", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nnot gzip at all", "bad_response"],
    ["half a coding", `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 0010\r\n\r\n\x1f`, "bad_response"],
    ["nothing", "", "connection_failed"],
  ])("%s is a failure that may pass", async (_, text, code) => {
    expect(await askLocal(await serveRaw(text))).toMatchObject(failed(code, false));
  });

  test("a server without encryption where there should be one is a failure, and nothing was sent", async () => {
    const port = await serve(echo);
    const url = `https://127.0.0.1:${port}/`;
    expect(await askLocal(port, { url, method: "POST" })).toMatchObject(failed("connection_failed", false));
  });

  test("a port where nobody listens is a failure that may pass, also for a write: nothing was sent", async () => {
    const server = createRawServer();
    const port = await listen(server);
    await new Promise((resolve) => void server.close(resolve));
    expect(await askLocal(port, { method: "POST" })).toMatchObject(failed("connection_failed", false));
  });
});
