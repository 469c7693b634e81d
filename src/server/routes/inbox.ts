// What waits for a person.

import { z } from "@hono/zod-openapi";
import type { Json } from "../../flow/json.ts";
import type { App } from "../door.ts";
import { jsonSchema } from "../contract.ts";
import { addRoute } from "../route.ts";

export function addInboxRoutes(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/emit",
      about: "Tell every run that waits for an event",
      tag: "Runs",
      right: "signal",
      body: z.strictObject({ event: z.string().min(1).max(200), data: jsonSchema.optional() }),
      answer: z.object({ runs: z.int() }),
    },
    async ({ engine, body: { event, data } }) => ({ runs: await engine.emit(event, (data ?? null) as Json) }),
  );
}
