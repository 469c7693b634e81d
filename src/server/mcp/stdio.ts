// MCP over standard input and output, for a client that has started us: it needs no token, since it could as well open the
// store. One connection, and it is over when the input ends.

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "./caller.ts";
import type { House } from "./house.ts";
import { createMcpServer } from "./server.ts";
import { WorkflowWatch } from "./workflow-watch.ts";

export type StdioWish = {
  readonly caller: Caller;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it before the input does. */
  readonly signal: AbortSignal;
};

/** Resolves when the client has gone. */
export async function serveOverStdio(house: House, { caller, input, output, signal }: StdioWish): Promise<void> {
  const watch = new WorkflowWatch(house);
  const leaves: (() => void)[] = [];
  const ended = once(input, "close", { signal }).catch(() => {});
  const finished = once(input, "end", { signal }).catch(() => {});
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer(house, caller, era);
      const tell = (): void => void server.sendToolListChanged().catch(() => {});
      leaves.push(watch.listen(tell));
      return server;
    },
    { transport: new StdioServerTransport(input, output), onerror: house.onProblem },
  );
  await Promise.race([ended, finished]);
  for (const leave of leaves) leave();
  await handle.close();
}
