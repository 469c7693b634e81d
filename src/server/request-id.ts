// One name for each request: in its answer, in a problem that it ended in, and in the log, so that whoever is told of the one
// finds the other.

import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Door } from "./door.ts";

/** What may stand in a header, a log and a shell without a second thought; what others send besides is not taken over. */
const sane = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u;

/** The caller's own, when it is sane: who calls many services follows a request through all of them. */
export function nameRequests(): MiddlewareHandler<Door> {
  return async (context, next) => {
    const given = context.req.header("x-request-id");
    const id = given !== undefined && sane.test(given) ? given : randomUUID();
    context.set("requestId", id);
    await next();
    // Only now: answers that a handler has made itself know nothing of headers that were set before.
    context.res.headers.set("x-request-id", id);
  };
}
