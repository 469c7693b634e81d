// The service as one function from requests to answers: `app.fetch`. Every route is defined once, in routes/, by what it
// takes and gives; all that holds for every route stands here, in the order in which it is asked.

import { OpenAPIHono } from "@hono/zod-openapi";
import type { Engine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import type { App, Door } from "./door.ts";
import type { LiveOptions } from "./live.ts";
import { createEntrance, type EntranceOptions } from "./entrance.ts";
import { addMcpRoute } from "./mcp/http.ts";
import type { HouseOptions } from "./mcp/house.ts";
import { checkOrigin } from "./origin.ts";
import { addPage } from "./page.ts";
import { answerProblem } from "./problem.ts";
import { nameRequests } from "./request-id.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addAccessRoutes } from "./routes/access.ts";
import { addBreakerRoutes } from "./routes/breakers.ts";
import { addDemoRoutes, type Plug } from "./routes/demo.ts";
import { addFindRoute } from "./routes/find.ts";
import { addInboxRoutes } from "./routes/inbox.ts";
import { addLoginRoutes } from "./routes/login.ts";
import { addMetricsRoute } from "./routes/metrics.ts";
import { addOutcomeRoutes } from "./routes/outcomes.ts";
import { addOutlineRoutes } from "./routes/outline.ts";
import { addOverviewRoute } from "./routes/overview.ts";
import { addRunListRoute } from "./routes/run-list.ts";
import { addRunRoutes } from "./routes/runs.ts";
import { addScheduleRoutes } from "./routes/schedules.ts";
import { addServerRoutes } from "./routes/servers.ts";
import { addSharingRoutes } from "./routes/sharing.ts";
import { addStepRoutes } from "./routes/steps.ts";
import { addHealthRoutes, addSystemRoute } from "./routes/system.ts";
import { addToolRoutes } from "./routes/tools.ts";
import { addWorkflowRoutes } from "./routes/workflows.ts";
import { Traffic, watchTraffic, type Passage } from "./traffic.ts";

export type AppOptions = EntranceOptions & {
  /** What nobody has foreseen, and in which request; for the log. */
  readonly onProblem?: (error: unknown, requestId?: string) => void;
  readonly live?: LiveOptions;
  /** Told of every request. */
  readonly onRequest?: (passage: Passage) => void;
  readonly mcp?: HouseOptions;
  /** The folder with the page; unless given, there is none. */
  readonly page?: string;
  /** How people call the program where it was started, for commands that the page shows; `stepwell` unless given. */
  readonly program?: string;
  /** What those commands must say about the store, such as `--store /data/own.db`: for who may know a path of this machine. */
  readonly storeFlag?: string;
  /** For the demo; unless given, it stays in. */
  readonly plug?: Plug;
};

export function createApp(engine: Engine, given: AppOptions): App {
  const {
    onProblem = () => {},
    live = {},
    mcp = {},
    onRequest,
    page,
    program = "stepwell",
    storeFlag = "",
    plug = null,
    ...options
  } = given;
  const app: App = new OpenAPIHono<Door>();
  const entrance = createEntrance(engine, options);
  app.onError((error, context) => {
    if (!(error instanceof StepwellError)) onProblem(error, context.get("requestId"));
    return answerProblem(context, error);
  });
  app.notFound((context) => {
    const message = `There is nothing at ${context.req.method} ${context.req.path}.`;
    return answerProblem(context, new StepwellError("NO_SUCH_ROUTE", message, { hint: "GET /api/openapi.json" }));
  });
  app.use(nameRequests());
  const traffic = new Traffic();
  app.use(
    watchTraffic((passage) => {
      traffic.note(passage);
      onRequest?.(passage);
    }),
  );
  app.use(async (context, next) => {
    for (const [name, value] of headers) context.header(name, value);
    checkOrigin(context.req.raw, context.req.path, options);
    await next();
  });
  addHealthRoutes(app, engine, entrance);
  addMetricsRoute(app, { entrance, traffic, now: options.now ?? Date.now });
  addLoginRoutes(app, { engine, entrance, now: options.now ?? Date.now });
  addMcpRoute(app, {
    engine,
    entrance,
    options: { onProblem: (error) => onProblem(error), ...mcp },
    ending: live.ending,
  });
  app.use("/api/*", async (context, next) => {
    context.set("visitor", await entrance.letIn(context));
    await next();
  });
  addEventRoutes(app, engine, { ...live, admit: entrance.identify });
  addAccessRoutes(app, { engine, program, storeFlag });
  // `/templates` before `/:id`, which would take it for a run.
  addWorkflowRoutes(app);
  addSharingRoutes(app, entrance.letIn);
  addInboxRoutes(app, engine);
  addOverviewRoute(app, engine);
  addFindRoute(app);
  addToolRoutes(app);
  addBreakerRoutes(app);
  addServerRoutes(app);
  addScheduleRoutes(app);
  addOutcomeRoutes(app);
  addDemoRoutes(app, { engine, plug });
  addSystemRoute(app, { canCrash: plug !== null });
  addRunListRoute(app, engine);
  addRunRoutes(app, engine);
  addOutlineRoutes(app, engine);
  addStepRoutes(app, engine);
  if (page !== undefined) addPage(app, page);
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
