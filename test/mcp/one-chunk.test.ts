// What a server writes in one piece, read by the transport itself: a real program on a real pipe.

import { setImmediate as turn } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import { LastWords } from "../../src/tool/mcp/last-words.ts";
import { StdioTransport, type Aside } from "../../src/tool/mcp/stdio-transport.ts";

const answer = (id: number): string => JSON.stringify({ jsonrpc: "2.0", id, result: {} });
const notice = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

/** A program that writes this at once, and waits for its end. */
function createTransport(code: string): StdioTransport {
  const args = ["-e", `${code}; process.stdin.resume()`];
  return new StdioTransport({
    target: { kind: "stdio", command: process.execPath, args, env: {}, cwd: null },
    clock: systemClock,
    groups: { add: () => {}, remove: () => {} },
    hide: (text) => text,
    words: new LastWords([]),
    onStray: () => {},
  });
}

test("M9: what follows upon a message is done before the answer is read that came with it in one piece", async () => {
  const lines = [answer(1), notice, answer(2), answer(3)];
  const transport = createTransport(`process.stdout.write(${JSON.stringify(`${lines.join("\n")}\n`)})`);
  const order: string[] = [];
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const onmessage = (): void => {
    order.push("told");
    void (async (): Promise<void> => {
      for (let step = 0; step < 10; step++) await Promise.resolve();
      order.push("done");
    })();
  };
  const aside: Aside = {
    pending: [],
    take: (message: JSONRPCMessage) => {
      if ("method" in message) return "for_others";
      order.push(`answer ${String(message.id)}`);
      if (message.id === 3) resolve();
      return "taken";
    },
  };
  Object.assign(transport, { onmessage, aside });
  await transport.start();
  await read;
  await transport.close();
  expect(order).toEqual(["answer 1", "told", "done", "answer 2", "answer 3"]);
});

test.each([
  { what: "names a call that was left", head: '{"jsonrpc":"2.0","id":7,"result":{"x":"', pending: [8], blamed: [] },
  { what: "names one of several", head: '{"jsonrpc":"2.0","id":7,"result":{"x":"', pending: [7, 8], blamed: [7] },
  { what: "names nobody, where one is open", head: '{"result":{"x":"', pending: [8], blamed: [8] },
  { what: "names nobody, where two are open", head: '{"result":{"x":"', pending: [7, 8], blamed: [] },
])("M6: a line that is too long and $what is nobody else's answer", async ({ head, pending, blamed }) => {
  const transport = createTransport(
    `process.stdout.write(${JSON.stringify(head)} + "x".repeat(11 * 1024 * 1024) + "\\n")`,
  );
  const answered: unknown[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const aside: Aside = {
    pending,
    take: (message: JSONRPCMessage) => {
      if ("id" in message) answered.push(message.id);
      return "taken";
    },
  };
  Object.assign(transport, { onclose: resolve, aside });
  await transport.start();
  await closed;
  await turn();
  expect(answered).toEqual(blamed);
});
