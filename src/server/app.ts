// The service as one function from requests to answers: `app.fetch`. Every route is defined once, in routes/, by what it
// takes and gives; all that holds for every route stands here, in the order in which it is asked.

import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { Engine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import type { App, Door } from "./door.ts";
import { checkOrigin, type Place } from "./origin.ts";
import { answerProblem } from "./problem.ts";
import { addInboxRoutes } from "./routes/inbox.ts";
import { addRunRoutes } from "./routes/runs.ts";
import { addStepRoutes } from "./routes/steps.ts";
import { addSystemRoutes } from "./routes/system.ts";
import { addWorkflowRoutes } from "./routes/workflows.ts";
import { createDoorkeeper } from "./visitor.ts";

export type AppOptions = Place & {
  /** What nobody has foreseen; for the log. */
  readonly onProblem?: (error: unknown) => void;
};

/** A flow with its input; results of steps go the other way. */
const bodyBytesMax = 4 * 1024 * 1024;

export function createApp(engine: Engine, { onProblem = () => {}, ...place }: AppOptions): App {
  const app: App = new OpenAPIHono<Door>();
  const doorkeeper = createDoorkeeper(engine, place);
  app.onError((error, context) => {
    if (!(error instanceof StepwellError)) onProblem(error);
    return answerProblem(context, error);
  });
  app.notFound((context) => {
    const message = `There is nothing at ${context.req.method} ${context.req.path}.`;
    return answerProblem(context, new StepwellError("NO_SUCH_ROUTE", message, { hint: "GET /api/openapi.json" }));
  });
  app.use(async (context, next) => {
    checkOrigin(context.req.raw, place);
    await next();
    for (const [name, value] of headers) context.res.headers.set(name, value);
  });
  app.use(
    bodyLimit({
      maxSize: bodyBytesMax,
      onError: () => {
        throw new StepwellError("TOO_LARGE", `What was sent is larger than ${bodyBytesMax} bytes.`);
      },
    }),
  );
  addSystemRoutes(app, engine);
  app.use("/api/*", async (context, next) => {
    const authorization = context.req.header("authorization");
    context.set("visitor", await doorkeeper({ authorization, session: undefined }));
    await next();
  });
  // `/templates` before `/:id`, which would take it for a run.
  addWorkflowRoutes(app);
  addInboxRoutes(app);
  addRunRoutes(app);
  addStepRoutes(app);
  return app;
}

/** Nobody guesses types, frames a page of ours, or keeps what was private. */
const headers: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cache-control", "no-store"],
];
