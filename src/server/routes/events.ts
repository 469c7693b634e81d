// What happens, as it happens: server-sent events over one long answer.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import type { App, Door } from "../door.ts";
import { createLive, type LiveOptions } from "../live.ts";
import { problemSchema } from "../contract.ts";
import { readQuery } from "../reading.ts";

const path = "/api/events";

const query = z.strictObject({
  run: z.coerce.number().int().min(1).optional().describe("Only of this run"),
  workflow: z.string().min(1).max(200).optional().describe("Only of runs of this name"),
  after: z.string().max(100).optional().describe("A cursor; the header Last-Event-ID goes before it"),
});

export type EventParts = LiveOptions & {
  /** Throws when whoever comes is not let in. */
  readonly admit: (context: Context<Door>) => Promise<unknown>;
};

export function addEventRoutes(app: App, engine: Engine, { admit, ...options }: EventParts): void {
  const live = createLive(engine, options);
  app.openAPIRegistry.registerPath({
    method: "get",
    path,
    summary: "What happens, as it happens",
    description: "Server-sent events: hello, change, changed, progress and reset. docs/live.md says what they tell.",
    tags: ["Live"],
    "x-stepwell-right": "read",
    request: { query, headers: z.object({ "last-event-id": z.string().optional() }) },
    responses: {
      200: { description: "Until one of both ends it", content: { "text/event-stream": { schema: z.string() } } },
      default: { description: "What went wrong", content: { "application/problem+json": { schema: problemSchema } } },
    },
  });
  app.get(path, async (context) => {
    const { run, workflow, after } = readQuery(context, query);
    // Nobody would read the stream.
    if (context.req.method === "HEAD") return context.body(null, 200, { "content-type": "text/event-stream" });
    const lastEventId = context.req.header("last-event-id");
    const asked = { run, workflow, after: lastEventId ?? after };
    return live.open(context, { query: asked, check: () => admit(context) });
  });
}
