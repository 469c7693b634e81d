// What keeps tools that fail again and again from being called.

import { z } from "@hono/zod-openapi";
import type { App } from "../door.ts";
import type { BreakerDocument } from "../contract.ts";
import { toBreakerDocument } from "../document/tool.ts";
import { addRoute } from "../route.ts";

const tag = "Tools";

const breakerSchema: z.ZodType<BreakerDocument> = z
  .object({
    tool: z.string(),
    state: z.enum(["closed", "open", "half_open"]),
    count: z.int().describe("Failures in a row"),
    last_error: z.string().nullable(),
    opened_at: z.int().nullable(),
    open_until: z.int().nullable(),
    is_testing: z.boolean(),
  })
  .openapi("Breaker");

export function addBreakerRoutes(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/breakers",
      about: "Tools that have failed, and whether they are called",
      tag,
      right: "read",
      answer: z.array(breakerSchema),
    },
    async ({ engine }) => (await engine.breakers.list()).map(toBreakerDocument),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/breakers/{tool}/reset",
      about: "Call a tool again at once, and forget its failures",
      tag,
      right: "operate",
      answer: z.object({ tool: z.string(), reset: z.boolean() }),
    },
    async ({ engine, named }) => {
      const tool = named("tool");
      return { tool, reset: await engine.breakers.reset(tool) };
    },
  );
}
