// Servers that are added over HTTP where nobody has to log in, and what lets people in there: only the user who runs the
// engine may, and the system says who that is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEngine, type ServedEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { listen } from "../../src/server/serve.ts";
import { configured } from "./servers.ts";

let folder: string;
let engine: ServedEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-over-http-"));
  engine = await openEngine({ store: join(folder, "stepwell.db"), durability: "fast", onProblem: () => {} });
});

afterEach(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const body = { key: "parrot", server: configured() };
const wishes = [
  { method: "POST", path: "/api/servers/test", body },
  { method: "POST", path: "/api/servers", body },
  { method: "DELETE", path: "/api/servers/parrot" },
] as const;

/** By each of these one could be let in, and add servers after that. */
const credentials = [
  { method: "POST", path: "/api/tokens", body: { user: "ann", name: "page" } },
  { method: "POST", path: "/api/users", body: { name: "ann", keys: ["130001.admin"] } },
  { method: "POST", path: "/api/users/ann/grant", body: { key: "130001.admin" } },
  { method: "POST", path: "/api/users/ann/password", body: { password: "correct horse battery" } },
] as const;

const sentWith = (
  wish: (typeof wishes | typeof credentials)[number],
  more: Readonly<Record<string, string>> = {},
): RequestInit => ({
  method: wish.method,
  headers: { host: "localhost", "content-type": "application/json", ...more },
  ...("body" in wish ? { body: JSON.stringify(wish.body) } : {}),
});

/** As the socket of a connection would say it. */
const from = (remoteAddress: string | undefined, remotePort: number): object => ({
  incoming: { socket: { remoteAddress, remotePort, localAddress: "127.0.0.1", localPort: 4000, destroyed: false } },
});

describe("where nobody has to log in", () => {
  test("the user who runs the engine adds and removes, where the system says so, and nobody through a proxy", async () => {
    const listener = await listen({ host: "127.0.0.1", port: 0 });
    listener.handle((request, env) => createApp(engine, { isLoopback: true, rate: null }).fetch(request, env));
    try {
      for (const wish of wishes) {
        const response = await fetch(`http://127.0.0.1:${listener.port}${wish.path}`, sentWith(wish));
        // Elsewhere nobody can tell.
        expect([wish.path, response.ok]).toEqual([wish.path, process.platform === "linux"]);
        const through = sentWith(wish, { "x-forwarded-for": "203.0.113.7" });
        expect((await fetch(`http://127.0.0.1:${listener.port}${wish.path}`, through)).status).toBe(403);
      }
    } finally {
      await listener.close();
    }
  });

  test.each([
    ["of whose socket the system knows nothing", from("127.0.0.1", 1)],
    ["who comes from elsewhere, as through a port of a container", from("172.17.0.1", 40_000)],
    ["whose socket is gone", from(undefined, 40_000)],
  ])("one %s is refused, and told what to do instead", async (_, env) => {
    const app = createApp(engine, { isLoopback: true, rate: null });
    for (const wish of wishes) {
      const response = await app.request(`http://localhost${wish.path}`, sentWith(wish), env);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        code: "NOT_ALLOWED",
        detail: expect.stringContaining("which user of this machine asks"),
        hint: expect.stringMatching(/stepwell server add .* 130001\.admin/),
        details: { code: "other_user" },
      });
    }
    expect(await engine.servers.list()).toEqual([]);
    for (const wish of credentials) {
      const response = await app.request(`http://localhost${wish.path}`, sentWith(wish), env);
      expect([wish.path, response.status]).toEqual([wish.path, 403]);
      expect(await response.json()).toMatchObject({
        code: "NOT_ALLOWED",
        detail: expect.stringMatching(/says who is let in, .* which user of this machine asks/),
        hint: expect.stringMatching(/stepwell token create, .* 130001\.admin/),
        details: { code: "other_user" },
      });
    }
    expect([await engine.access.tokens.list(), await engine.access.list()]).toEqual([[], []]);
    // Looking is as free as before.
    const seen = await app.request("http://localhost/api/servers", { headers: { host: "localhost" } }, env);
    expect(seen.status).toBe(200);
  });

  test("the user who runs the engine makes a token and the first user, where the system says so", async () => {
    const listener = await listen({ host: "127.0.0.1", port: 0 });
    listener.handle((request, env) => createApp(engine, { isLoopback: true, rate: null }).fetch(request, env));
    try {
      for (const wish of credentials.slice(0, 2)) {
        const response = await fetch(`http://127.0.0.1:${listener.port}${wish.path}`, sentWith(wish));
        expect([wish.path, response.ok]).toEqual([wish.path, process.platform === "linux"]);
      }
    } finally {
      await listener.close();
    }
  });

  test("a program that calls the service as a function is itself", async () => {
    const app = createApp(engine, { isLoopback: true, rate: null });
    for (const wish of wishes)
      expect((await app.request(`http://localhost${wish.path}`, sentWith(wish))).ok).toBe(true);
  });
});

test("who brings a token with the permission is let in from anywhere", async () => {
  await engine.access.save("ann", { keys: ["130001.admin"] });
  const { text } = await engine.access.tokens.create({ user: "ann", name: "page" });
  const app = createApp(engine, { isLoopback: true, rate: null });
  for (const wish of wishes) {
    const sent = sentWith(wish, { authorization: `Bearer ${text}` });
    expect((await app.request(`http://localhost${wish.path}`, sent, from("172.17.0.1", 40_000))).ok).toBe(true);
  }
});
