// The service for programs that have a server of their own. It is loaded with the first request: a program that has none
// does not wait for it.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Engine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type Handlers = {
  /** `env`: the socket by which it came, as Node's adapter gives it; without it, wrong passwords of all count together. */
  readonly fetch: (request: Request, env?: object) => Promise<Response>;
  readonly node: NodeHandler;
};

export function createHandlers(engine: Engine, onProblem: (error: StepwellError) => void): Handlers {
  let loading: Promise<Handlers["fetch"]> | undefined;
  const load = async (): Promise<Handlers["fetch"]> => {
    const { createApp } = await import("./app.ts");
    const app = createApp(engine, {
      isLoopback: false,
      hosts: "any",
      onProblem: (error, requestId) => onProblem(toProblem(error, requestId)),
    });
    return async (request, env = {}) => app.fetch(request, env);
  };
  const fetch: Handlers["fetch"] = async (request, env) => {
    loading ??= load();
    return (await loading)(request, env);
  };
  let listening: Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> | undefined;
  const listen = async (): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> => {
    const { getRequestListener } = await import("@hono/node-server");
    return getRequestListener(fetch, { overrideGlobalObjects: false });
  };
  const node: NodeHandler = (request, response) => {
    handOn(request);
    listening ??= listen();
    void listening.then((answer) => answer(request, response));
  };
  return { fetch, node };
}

/** Whoever was answered knows the request by its id, and tells it. */
function toProblem(error: unknown, requestId: string | undefined): StepwellError {
  const request = requestId === undefined ? "A request" : `Request ${requestId}`;
  const message = `${request} could not be answered: ${error instanceof Error ? error.message : String(error)}`;
  const details = requestId === undefined ? {} : { details: { request_id: requestId } };
  return new StepwellError("REFUSED", message, { cause: error, ...details });
}

/** What stands before it, such as `express.json()`, may have read the body, and left what it has understood of it. The
 *  adapter takes `rawBody` in place of what is gone. */
function handOn(request: IncomingMessage & { readonly body?: unknown; rawBody?: Buffer }): void {
  const { body } = request;
  if (!request.readableDidRead || body === undefined || request.rawBody !== undefined) return;
  if (Buffer.isBuffer(body)) request.rawBody = body;
  else request.rawBody = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
