// Listens on a port and hands requests to the service, from before the engine is there until after it has stopped: whoever
// comes too early or too late is told so.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { isIP } from "node:net";
import { setTimeout as sleepFor } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { StepwellError } from "../error.ts";

/** `env`: the socket by which it came, for whoever must know from where. */
type Handler = (request: Request, env: object) => Response | Promise<Response>;

export type ListenOptions = {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** When the port is taken, the next ones are tried, so many at most. */
  readonly triesMax?: number;
  /** When it is taken, and so are the next ones that may be tried: after each of these it is tried once more. */
  readonly waitsMs?: readonly number[];
  readonly sleep?: (ms: number) => Promise<unknown>;
};

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** As one types it into a browser. */
  readonly address: string;
  /** What answers from now on. */
  readonly handle: (handler: Handler) => void;
  /** Takes nothing new, and waits for what is under way; not for ever. */
  readonly close: () => Promise<void>;
}

/** How long requests under way may take once it closes. */
const graceMs = 5000;
/** A client that sends its headers or its body too slowly is let go. */
const headersWithinMs = 20_000;
const requestWithinMs = 60_000;

export async function listen(options: ListenOptions): Promise<Listener> {
  const { host } = options;
  let handler: Handler = notReady;
  const listener = getRequestListener((request, env) => handler(request, env), { overrideGlobalObjects: false });
  const server = createServer(
    { headersTimeout: headersWithinMs, requestTimeout: requestWithinMs, keepAliveTimeout: 30_000 },
    (request, response) => void listener(request, response),
  );
  const bound = await bindInTime(server, options);
  return {
    host,
    port: bound,
    address: `http://${showHost(host)}:${bound}`,
    handle: (next) => {
      handler = next;
    },
    close: async () => {
      handler = notReady;
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function bindInTime(server: Server, options: ListenOptions): Promise<number> {
  const { host, port, waitsMs = [], sleep = sleepFor } = options;
  for (let waited = 0; ; waited++) {
    try {
      return await bind(server, options);
    } catch (error) {
      const waitMs = codeOf(error) === taken ? waitsMs[waited] : undefined;
      if (waitMs === undefined) throw unusable({ host, port }, error);
      await sleep(waitMs);
    }
  }
}

async function bind(server: Server, { host, port, triesMax = 1 }: ListenOptions): Promise<number> {
  for (let tried = 0; ; tried++) {
    try {
      const listening = once(server, "listening");
      server.listen(port === 0 ? 0 : port + tried, host);
      await listening;
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    } catch (error) {
      if (codeOf(error) !== taken || tried + 1 >= triesMax) throw error;
    }
  }
}

const taken = "EADDRINUSE";

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function unusable({ host, port }: Pick<ListenOptions, "host" | "port">, cause: unknown): StepwellError {
  const message = `Nothing can listen on ${showHost(host)}:${port}: ${tell(codeOf(cause), cause)}.`;
  return new StepwellError("PORT_UNUSABLE", message, {
    hint: "Give another one with --port; 0 takes any that is free.",
    cause,
  });
}

function tell(code: unknown, error: unknown): string {
  if (code === taken) return "another program has it";
  if (code === "EACCES") return "this user may not";
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return "this machine has no such address";
  return error instanceof Error ? error.message : String(error);
}

function showHost(host: string): string {
  return host === "127.0.0.1" ? "localhost" : isIP(host) === 6 ? `[${host}]` : host;
}

function notReady(): Response {
  const problem = {
    type: "/docs/errors#engine_stopped",
    title: "Not available",
    status: 503,
    code: "ENGINE_STOPPED",
    detail: "The service is starting or stopping.",
  };
  return Response.json(problem, {
    status: 503,
    headers: { "content-type": "application/problem+json", "retry-after": "1" },
  });
}
