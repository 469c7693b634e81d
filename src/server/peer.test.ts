import { Hono } from "hono";
import { expect, test } from "vitest";
import { findPeer, type Peer } from "./peer.ts";
import { listen } from "./serve.ts";

type Coming = { readonly from?: string; readonly forwarded?: string; readonly proto?: string };

async function peerOf({ from, forwarded, proto }: Coming, trusted: readonly string[] = []): Promise<Peer> {
  const app = new Hono();
  app.get("/", (context) => context.json(findPeer(context, trusted)));
  const headers = {
    ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    ...(proto === undefined ? {} : { "x-forwarded-proto": proto }),
  };
  const env = from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } };
  return (await (await app.request("http://localhost/", { headers }, env)).json()) as Peer;
}

test.each<[string, string]>([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0000:0000:aaaa:bbbb:cccc:dddd", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("W11: %s is counted as %s", async (from, address) => {
  expect((await peerOf({ from })).address).toBe(address);
});

test("W11: a socket says from where somebody comes, whatever they say themselves", async () => {
  const app = new Hono();
  app.get("/", (context) => context.json(findPeer(context, [])));
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.handle((request, env) => app.fetch(request, env));
  const answer = await fetch(listener.address, { headers: { "x-forwarded-for": "1.1.1.1" } });
  expect(await answer.json()).toEqual({ address: "127.0.0.1", isHttps: false });
  await listener.close();
});

test("without a socket it is the program itself", async () => {
  expect(await peerOf({})).toEqual({ address: "local", isHttps: false });
});

test.each<[string, Coming, readonly string[], string]>([
  ["nobody is trusted", { from: "10.0.0.1", forwarded: "1.1.1.1" }, [], "10.0.0.1"],
  ["another is trusted", { from: "10.0.0.1", forwarded: "1.1.1.1" }, ["10.0.0.2"], "10.0.0.1"],
  ["it is trusted", { from: "::ffff:10.0.0.1", forwarded: "1.1.1.1" }, ["10.0.0.1"], "1.1.1.1"],
  [
    "the client has made up the beginning",
    { from: "10.0.0.1", forwarded: "6.6.6.6, 1.1.1.1" },
    ["10.0.0.1"],
    "1.1.1.1",
  ],
  ["two are trusted", { from: "10.0.0.1", forwarded: "1.1.1.1, 10.0.0.2" }, ["10.0.0.1", "10.0.0.2"], "1.1.1.1"],
  ["it says nothing", { from: "10.0.0.1", forwarded: " , " }, ["10.0.0.1"], "10.0.0.1"],
])("W11: who comes through a proxy, when %s", async (_when, coming, trusted, address) => {
  expect((await peerOf(coming, trusted)).address).toBe(address);
});

test("whether it was https, a trusted proxy says", async () => {
  expect((await peerOf({ from: "10.0.0.1", proto: "https" })).isHttps).toBe(false);
  expect((await peerOf({ from: "10.0.0.1", proto: "https" }, ["10.0.0.1"])).isHttps).toBe(true);
});
