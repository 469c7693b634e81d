// What `http.request` sends, where it may go, and what becomes of a write that nobody answers.

import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { ask, askLocal, bodyOf, echo, failed, serve, serveRaw, stopServers } from "../../../test/local-servers.ts";
import type { ToolAnswer } from "../tool.ts";
import type { Resolve } from "./http/guarded-fetch.ts";

afterAll(stopServers);

describe("a request", () => {
  test("gives status, headers and body: JSON where it is JSON, else text", async () => {
    const port = await serve((request, response) => {
      const kinds: Record<string, readonly [string, string]> = {
        "/json": ["application/problem+json; charset=utf-8", '{"a":[1]}'],
        "/liar": ["application/json", "<html>"],
        "/text": ["text/plain", "[1]"],
      };
      const [type, body] = kinds[request.url ?? ""] ?? ["text/plain; charset=iso-8859-1", ""];
      response.writeHead(body === "" ? 404 : 200, { "content-type": type, "x-one": ["a", "b"] });
      response.end(body === "" ? Buffer.from([0xe9]) : body);
    });
    const at = `http://127.0.0.1:${port}`;
    expect(await askLocal(port, { url: `${at}/json` })).toMatchObject({
      result: { status: 200, url: `${at}/json`, body: { a: [1] }, headers: { "x-one": "a, b" } },
    });
    expect(await askLocal(port, { url: `${at}/liar` })).toMatchObject({ result: { body: "<html>" } });
    expect(await askLocal(port, { url: `${at}/text` })).toMatchObject({ result: { body: "[1]" } });
    expect(await askLocal(port, { url: `${at}/none` })).toMatchObject({ result: { status: 404, body: "é" } });
  });

  test("sends method, query, headers and body as they are given", async () => {
    const port = await serve(echo);
    const input = { method: "PUT", query: { q: "a b", n: 1 }, headers: { "X-Key": "k" }, body: { a: "ü" } };
    expect(bodyOf(await askLocal(port, input))).toMatchObject({
      method: "PUT",
      url: "/?q=a+b&n=1",
      headers: { "x-key": "k", "content-type": "application/json", "content-length": "10", host: `127.0.0.1:${port}` },
      body: '{"a":"ü"}',
    });
    expect(bodyOf(await askLocal(port, { method: "POST", body: "plain" }))).toMatchObject({
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "plain",
    });
  });

  test("carries the idempotency key, except where it only reads", async () => {
    const port = await serve(echo);
    const post = bodyOf(await askLocal(port, { method: "POST" }, { idempotencyKey: "u:pay:1" }));
    expect(post).toMatchObject({ headers: { "stepwell.idempotency-key": "u:pay:1", "idempotency-key": "u:pay:1" } });
    const get = bodyOf(await askLocal(port));
    expect(get["headers"]).not.toHaveProperty("idempotency-key");
    expect(get["headers"]).not.toHaveProperty(["stepwell.idempotency-key"]);
  });

  test("carries the SHA-256 of a key that does not fit into a header, so that no two become one", async () => {
    const port = await serve(echo);
    const long = "注文".repeat(200);
    const keys = [`${long}-1`, `${long}-2`, `${"a".repeat(300)}1`, `${"a".repeat(300)}2`, "", " a", "a ", "a\r\nx: y"];
    const sent = new Set<string>();
    for (const idempotencyKey of keys) {
      const body = bodyOf(await askLocal(port, { method: "DELETE" }, { idempotencyKey }));
      const value = createHash("sha256").update(idempotencyKey).digest("hex");
      expect(body).toMatchObject({ headers: { "stepwell.idempotency-key": value, "idempotency-key": value } });
      sent.add(value);
    }
    expect(sent.size).toBe(keys.length);
  });

  test("fails with a bad status only when it is told to", async () => {
    const port = await serve((request, response) => {
      response.writeHead(Number(request.url?.slice(1)));
      response.end();
    });
    const status = (code: number, more: JsonObject = {}): Promise<ToolAnswer> =>
      askLocal(port, { url: `http://127.0.0.1:${port}/${code}`, ...more });
    expect(await status(503)).toMatchObject({ kind: "done", result: { status: 503 } });
    expect(await status(204, { fail_on_error_status: true })).toMatchObject({ kind: "done" });
    expect(await status(503, { fail_on_error_status: true })).toMatchObject(failed("http_status", false));
    expect(await status(429, { fail_on_error_status: true })).toMatchObject(failed("http_status", false));
    expect(await status(404, { fail_on_error_status: true })).toMatchObject(failed("http_status", true));
  });

  test.each<readonly [string, JsonObject]>([
    ["no URL", { url: "not a url" }],
    ["another scheme", { url: "file:///etc/passwd" }],
    ["a password in the URL", { url: "http://a:b@127.0.0.1/" }],
    ["a method that nobody knows", { method: "BREW" }],
    ["a body where none belongs", { body: "x" }],
    ["a header of the connection", { headers: { "Transfer-Encoding": "chunked" } }],
    ["another host", { headers: { Host: "evil.example" } }],
    ["a line break in a header", { headers: { "x-a": "1\r\nx-b: 2" } }],
    ["a header name that is none", { headers: { "x a": "1" } }],
    ["one header twice", { headers: { "X-A": "1", "x-a": "2" } }],
    ["a list in the query", { query: { a: [1] } }],
    ["time without end", { timeout_ms: 1e9 }],
  ])("with %s is refused before anything is sent", async (_, input) => {
    let asked = 0;
    const port = await serve((_request, response) => {
      asked += 1;
      response.end();
    });
    expect(await askLocal(port, input)).toMatchObject(failed("bad_args", true));
    expect(asked).toBe(0);
  });
});

describe("where it may go", () => {
  const toLoopback: Resolve = async () => ["127.0.0.1"];

  test("a host that is not listed is not asked", async () => {
    const port = await serve(echo);
    const url = `http://127.0.0.1:${port}/`;
    expect(await ask({ hosts: ["example.org"] }, { url })).toMatchObject(failed("host_not_allowed", true));
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "169.254.169.254",
  ])("%s is blocked, though it is listed", async (host) => {
    const url = `http://${host}/`;
    const listed = new URL(url).hostname;
    expect(await ask({ hosts: [listed] }, { url })).toMatchObject(failed("address_blocked", true));
  });

  test("a name that leads into this machine is blocked after resolving, and its address is not told", async () => {
    const port = await serve(echo);
    const setup = { hosts: [`shop.example:${port}`], resolve: toLoopback };
    const answer = await ask(setup, { url: `http://shop.example:${port}/` });
    expect(answer).toMatchObject(failed("address_blocked", true));
    expect(JSON.stringify(answer)).not.toContain("127.0.0.1");
  });

  test.each([
    ["one bad address among good ones", ["93.184.216.34", "10.0.0.7"]],
    ["a mapped one", ["::ffff:10.0.0.7"]],
    ["one that is no address", ["localhost"]],
  ])("%s is enough", async (_, addresses) => {
    const setup = { hosts: ["shop.example"], resolve: async () => addresses };
    expect(await ask(setup, { url: "http://shop.example/" })).toMatchObject(failed("address_blocked", true));
  });

  test("a private host opens this machine, and never the addresses of clouds", async () => {
    const setup = { hosts: ["private:meta.example:80"], resolve: async () => ["169.254.169.254"] };
    expect(await ask(setup, { url: "http://meta.example/" })).toMatchObject(failed("address_blocked", true));
  });

  test("the connection goes to the address that was judged: the name is resolved once", async () => {
    const port = await serve(echo);
    const answers = [["127.0.0.1"], ["10.0.0.7"]];
    let lookups = 0;
    const resolve: Resolve = async () => answers[lookups++] ?? [];
    const setup = { hosts: [`private:rebinding.example:${port}`], resolve };
    // This name does not exist: whoever asked the system for it would get nowhere.
    expect(bodyOf(await ask(setup, { url: `http://rebinding.example:${port}/x` }))).toMatchObject({
      url: "/x",
      headers: { host: `rebinding.example:${port}` },
    });
    expect(lookups).toBe(1);
  });

  test("a name that cannot be found may be found later", async () => {
    const url = "http://shop.example/";
    const gone: Resolve = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await ask({ hosts: ["shop.example"], resolve: gone }, { url })).toMatchObject(
      failed("host_not_found", false),
    );
    expect(await ask({ hosts: ["shop.example"], resolve: async () => [] }, { url })).toMatchObject(
      failed("host_not_found", false),
    );
  });

  test("a resolver that never answers is left behind in time", async () => {
    const setup = { hosts: ["shop.example"], resolve: () => new Promise<never>(() => undefined) };
    expect(await ask(setup, { url: "http://shop.example/", timeout_ms: 5 })).toMatchObject(failed("timeout", false));
  });
});

describe("a write that is not answered", () => {
  const lost = { kind: "lost" };

  test.each([
    ["is cut off", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx"],
    ["is answered with nonsense", "nonsense"],
    ["is answered with nothing", ""],
    ["is answered with too much", "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"],
  ])("and %s is lost: nobody knows whether it happened", async (_, text) => {
    const lines: string[] = [];
    const port = await serveRaw(text);
    expect(await askLocal(port, { method: "POST" }, { log: (line) => void lines.push(line) })).toEqual(lost);
    expect(lines).toEqual([expect.stringMatching(/^The request was sent and not answered: /)]);
  });

  test("in time is lost as well", async () => {
    const controller = new AbortController();
    const port = await serve(() => controller.abort());
    expect(await askLocal(port, { method: "DELETE" }, { signal: controller.signal })).toEqual(lost);
  });

  test("by where it was sent on to is lost when it may have been done before", async () => {
    const port = await serve((request, response) => {
      response.writeHead(request.url === "/done" ? 303 : 307, { location: "http://elsewhere.example/" });
      response.end();
    });
    const post = (path: string): Promise<ToolAnswer> =>
      askLocal(port, { method: "POST", url: `http://127.0.0.1:${port}${path}` });
    expect(await post("/done")).toEqual(lost);
    expect(await post("/not-here")).toMatchObject(failed("host_not_allowed", true));
  });

  test.each([
    [301, "POST", "ftp://elsewhere.example/"],
    [302, "POST", "http://["],
    [303, "POST", "http://a:b@127.0.0.1/"],
    [302, "PUT", "http://elsewhere.example/"],
    [303, "DELETE", "ftp://elsewhere.example/"],
  ])("but with %i, of a %s, is lost, though %s cannot be followed", async (status, method, location) => {
    const port = await serve((_request, response) => {
      response.writeHead(status, { location });
      response.end();
    });
    expect(await askLocal(port, { method })).toEqual(lost);
  });

  test.each([307, 308])("but with %i, which says that nothing was done, has failed", async (status) => {
    const port = await serve((_request, response) => {
      response.writeHead(status, { location: "ftp://elsewhere.example/" });
      response.end();
    });
    expect(await askLocal(port, { method: "POST" })).toMatchObject(failed("bad_redirect", true));
  });
});
