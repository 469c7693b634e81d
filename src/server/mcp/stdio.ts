// MCP over standard input and output, for a client that has started us: it needs no token, since it could as well open the
// store. One connection, and it is over when the input ends.

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "./caller.ts";
import type { House } from "./house.ts";
import { messageOfThrown } from "../../tool/thrown.ts";
import { NamedTransport } from "./named-transport.ts";
import { createMcpServer, type Line } from "./server.ts";
import { WorkflowWatch } from "./workflow-watch.ts";

export type StdioWish = {
  readonly caller: Caller;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it before the input does. */
  readonly signal: AbortSignal;
};

/** It hangs up by itself when a message is too large to be read; nobody else would be told. */
class WatchedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}

const line: Line = { isAskable: null, route: (transport) => new NamedTransport(transport) };

/** Resolves when it is over: with null when the client has gone, or we were told to end; else with why we have hung up. */
export async function serveOverStdio(
  house: House,
  { caller, input, output, signal }: StdioWish,
): Promise<string | null> {
  const watch = new WorkflowWatch(house);
  const leaves: (() => void)[] = [];
  const ended = once(input, "close", { signal }).catch(() => {});
  const finished = once(input, "end", { signal }).catch(() => {});
  const transport = new WatchedTransport(input, output);
  let trouble: unknown = null;
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer(house, caller, era, era === "legacy" ? { line } : {});
      const tell = (): void => void server.sendToolListChanged().catch(() => {});
      leaves.push(watch.listen(tell));
      return server;
    },
    {
      transport,
      onerror: (error) => {
        trouble = error;
        house.onProblem(error);
      },
    },
  );
  await Promise.race([ended, finished, transport.closed]);
  const hasGone = signal.aborted || input.readableEnded || input.destroyed || isBrokenPipe(trouble);
  for (const leave of leaves) leave();
  await handle.close();
  return hasGone ? null : `The connection was given up: ${messageOfThrown(trouble)}`;
}

/** Nobody reads what we write. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
