import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLastingPort } from "../../scripts/lasting-port.ts";
import { listen } from "./serve.ts";

const host = "127.0.0.1";

let other: Server;
let port: number;

beforeEach(async () => {
  port = await findLastingPort();
  other = createServer().listen(port, host);
  await once(other, "listening");
});

afterEach(() => leave());

async function leave(): Promise<void> {
  if (!other.listening) return;
  const closed = once(other, "close");
  other.close();
  await closed;
}

test("a port that another program leaves in a while is waited for, and no other one is taken", async () => {
  const waited: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waited.push(ms);
    if (waited.length === 2) await leave();
  };
  const listener = await listen({ host, port, waitsMs: [100, 200, 400], sleep });
  expect([listener.port, waited]).toEqual([port, [100, 200]]);
  const response = await fetch(`http://${host}:${port}/`);
  expect(response.status).toBe(503);
  await response.text();
  await listener.close();
});

test("a port that another program keeps is told of after the last wait", async () => {
  const waited: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waited.push(ms);
  await expect(listen({ host, port, waitsMs: [100, 200], sleep })).rejects.toMatchObject({
    code: "PORT_UNUSABLE",
    message: `Nothing can listen on localhost:${port}: another program has it.`,
  });
  expect(waited).toEqual([100, 200]);
});

test("what waiting cannot mend is told of at once", async () => {
  const sleep = (): Promise<void> => Promise.reject(new Error("It was waited for."));
  const nowhere = listen({ host: "192.0.2.1", port, waitsMs: [100], sleep });
  await expect(nowhere).rejects.toMatchObject({
    code: "PORT_UNUSABLE",
    message: expect.stringContaining("no such address"),
  });
});
