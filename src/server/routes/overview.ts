// What went on and what is going on, for the first page that people see.

import { z } from "@hono/zod-openapi";
import type { Engine } from "../../engine/engine.ts";
import type { App } from "../door.ts";
import { overviewSchema } from "../contract/overview-schema.ts";
import { toOverviewDocument } from "../document/overview.ts";
import { addRoute } from "../route.ts";
import { countOpen } from "./inbox.ts";

/** What waits is counted to so many. */
const waitingMax = 1000;

export function addOverviewRoute(app: App, engine: Engine): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/overview",
      about: "Runs of the last hours, by hour and by workflow; what failed, what runs, what comes next",
      tag: "Runs",
      right: "read",
      query: z.object({
        hours: z.coerce.number().int().min(1).max(168).default(24),
        tz: z.string().max(100).optional().describe("In which a day begins, such as Europe/Berlin; UTC unless given"),
      }),
      answer: overviewSchema,
    },
    async ({ visitor, query: { hours, tz } }) => {
      const reads = engine.readsFor(visitor.asker);
      const [overview, waiting] = await Promise.all([
        reads.overview({ hours, ...(tz === undefined ? {} : { tz }) }),
        countOpen(visitor.engine, reads, waitingMax),
      ]);
      return toOverviewDocument(overview, waiting);
    },
  );
}
