// Requests over TLS, to servers of the test's own with certificates of its own.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority, createCertificate, type Certificate } from "../../../../test/certificates.ts";
import { makePlace } from "../../../../test/cli/command.ts";
import { ask, bodyOf, listen, stopServers } from "../../../../test/local-servers.ts";
import type { JsonObject } from "../../../flow/json.ts";
import type { ToolAnswer } from "../../tool.ts";

const authority = createAuthority("authority of a test");
const stranger = createAuthority("authority that nobody trusts");

beforeAll(() => setDefaultCACertificates([...getCACertificates("default"), authority.cert]));
afterAll(stopServers);

const tellNames: RequestListener = ({ socket, headers: { host } }, response) => {
  const serverName = socket instanceof TLSSocket ? String(Reflect.get(socket, "servername")) : null;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ host, serverName }));
};

type Visit = {
  readonly answer: ToolAnswer;
  readonly asked: readonly string[];
  readonly served: number;
  readonly port: number;
};

/** Of a server with this certificate, under a name that leads to it. */
async function visit(certificate: Certificate, input: JsonObject = {}): Promise<Visit> {
  let served = 0;
  const server = createServer(certificate, (request, response) => {
    served += 1;
    tellNames(request, response);
  });
  const port = await listen(server);
  const asked: string[] = [];
  const resolve = async (host: string): Promise<readonly string[]> => {
    asked.push(host);
    return asked.length === 1 ? ["127.0.0.1"] : ["203.0.113.9"];
  };
  const setup = { hosts: [`private:shop.example.com:${port}`], resolve };
  const answer = await ask(setup, { url: `https://shop.example.com:${port}/`, ...input });
  return { answer, asked, served, port };
}

describe("https", () => {
  test("a certificate of a known authority for this name is good; the address is the one that was judged", async () => {
    const certificate = createCertificate({ names: ["DNS:shop.example.com"], by: authority });
    const { answer, asked, port } = await visit(certificate);
    expect(bodyOf(answer)).toEqual({ host: `shop.example.com:${port}`, serverName: "shop.example.com" });
    expect(asked).toEqual(["shop.example.com"]);
  });

  test("so is one for all names below, and one for an address", async () => {
    const below = createCertificate({ names: ["DNS:*.example.com"], by: authority });
    expect((await visit(below)).answer).toMatchObject({ kind: "done" });
    const server = createServer(createCertificate({ names: ["IP:127.0.0.1"], by: authority }), tellNames);
    const port = await listen(server);
    const answer = await ask({ hosts: [`private:127.0.0.1:${port}`] }, { url: `https://127.0.0.1:${port}/` });
    expect(bodyOf(answer)).toEqual({ host: `127.0.0.1:${port}`, serverName: "false" });
  });

  test.for([
    ["one that it has signed itself", { names: ["DNS:shop.example.com"] }, "it has signed it itself"],
    [
      "one of an unknown authority",
      { names: ["DNS:shop.example.com"], by: stranger },
      "nobody who is trusted here has signed it",
    ],
    ["one for another name", { names: ["DNS:other.example.com"], by: authority }, "it is not for this name"],
    ["one for an address only", { names: ["IP:127.0.0.1"], by: authority }, "it is not for this name"],
    [
      "one that has expired",
      { names: ["DNS:shop.example.com"], by: authority, from: -30, until: -2 },
      "it has expired",
    ],
    ["one of the future", { names: ["DNS:shop.example.com"], by: authority, from: 2 }, "it is not valid yet"],
  ] as const)("%s is refused before anything is sent", async ([, wish, reason]) => {
    const { answer, served, port } = await visit(createCertificate(wish), { method: "POST", body: "x" });
    expect(answer).toMatchObject({ kind: "failed", code: "bad_certificate", isFinal: true });
    expect(answer).toMatchObject({
      message: expect.stringContaining(`The certificate of shop.example.com:${port} is refused: ${reason}`),
    });
    expect(served).toBe(0);
  });

  test("whoever is trusted is said to the process, and every command hears it", async () => {
    const place = makePlace();
    const folder = mkdtempSync(join(tmpdir(), "stepwell-authority-"));
    try {
      const path = join(folder, "authority.pem");
      writeFileSync(path, authority.cert);
      const server = createServer(createCertificate({ names: ["DNS:localhost"], by: authority }), tellNames);
      const port = await listen(server);
      const args = ["tool", "call", "http.request", `url=https://localhost:${port}/`, "--json"];
      const hosts = ["--http-hosts", `private:localhost:${port}`];
      const strict = await place.run(...args, ...hosts);
      expect(strict.exitCode).toBe(1);
      expect(strict.stdout).toContain("NODE_EXTRA_CA_CERTS");
      const lax = await place.startWith(["env", "NODE_TLS_REJECT_UNAUTHORIZED=0"], [...args, ...hosts]).finished;
      expect(JSON.parse(lax.stdout)).toMatchObject({ ok: false, error: { code: "bad_certificate" } });
      const trusting = await place.startWith(["env", `NODE_EXTRA_CA_CERTS=${path}`], [...args, ...hosts]).finished;
      expect(JSON.parse(trusting.stdout)).toMatchObject({ result: { status: 200, body: { serverName: "localhost" } } });
    } finally {
      await place.remove();
      rmSync(folder, { recursive: true });
    }
  });
});
