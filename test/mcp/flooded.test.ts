import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const flooded = fileURLToPath(new URL("flooded.ts", import.meta.url));

/** Little room for what is young, so that what is measured is what is kept, and not garbage of which there is more the less
 *  often it is collected. */
const measured = ["--expose-gc", "--max-semi-space-size=2"];

async function see(kind: "http" | "stdio", mode: string): Promise<unknown> {
  const words = [...measured, flooded, kind, mode];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const found: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) found.push(JSON.parse(line));
  return found[0];
}

/** Other runs have gone on, each of them, and memory has stayed. */
const calm = {
  others: expect.toSatisfy((others: number) => others > 0),
  slowestMs: expect.toSatisfy((ms: number) => ms < 500),
  grownMb: expect.toSatisfy((grown: number) => grown < 64),
};

test.each(["values", "values-json"])("over HTTP, %s: an answer of too many values is not read", async (mode) => {
  const message = 'The server "bad": It answered with more than 500000 values.';
  expect(await see("http", mode)).toMatchObject({
    ...calm,
    status: "failed",
    error: { code: "result_too_large", message },
  });
});

test.each(["sampling", "questions"])(
  "over HTTP, %s without an end: the stream is ended, and its call",
  async (mode) => {
    expect(await see("http", mode)).toMatchObject({
      ...calm,
      status: "failed",
      error: { code: "unknown_outcome" },
      isClosed: true,
    });
  },
);

test("over HTTP, notifications without an end: the call goes on until its time is over, and the stream with it", async () => {
  expect(await see("http", "notifications")).toMatchObject({
    ...calm,
    status: "failed",
    error: { code: "timeout" },
    isClosed: true,
  });
});

test("over HTTP, notifications without an end behind an answer: the stream is ended", async () => {
  expect(await see("http", "after-answer")).toMatchObject({ ...calm, status: "completed", isClosed: true });
});

test("over HTTP, requests without an end on the server's own stream: calls go on", async () => {
  expect(await see("http", "own-stream")).toMatchObject({ ...calm, status: "completed" });
});

test("a program that never reads: calls time out, and other runs go on", async () => {
  expect(await see("stdio", "never-reads")).toMatchObject({
    ...calm,
    status: "failed",
    error: { code: "timeout" },
  });
});
