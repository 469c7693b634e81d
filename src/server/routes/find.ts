// Which run or step somebody means who has typed a part of an id.

import { z } from "@hono/zod-openapi";
import type { App } from "../door.ts";
import { addRoute } from "../route.ts";

export function addFindRoute(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/find",
      about: "Which run or step is meant by an id, the beginning of a run's id, or a uid; two at most",
      tag: "Runs",
      right: "read",
      query: z.object({ id: z.string().min(1).max(200) }),
      answer: z.object({
        runs: z.array(z.int()),
        steps: z.array(z.object({ id: z.int(), workflow_id: z.int() })),
      }),
    },
    async ({ engine, query: { id } }) => {
      const { runs, steps } = await engine.overview.find(id);
      return { runs, steps: steps.map((step) => ({ id: step.id, workflow_id: step.run })) };
    },
  );
}
