// MCP over Streamable HTTP at `/mcp`. Whoever comes brings a token, on this machine too: a page in somebody's browser and
// every program on the machine can reach it. What holds for every route holds here.

import type { Context } from "hono";
import type {
  AuthInfo,
  createMcpHandler as CreateHandler,
  McpHttpHandler,
  ServerEvent,
} from "@modelcontextprotocol/server";
import type { Engine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { App, Door } from "../door.ts";
import type { Entrance } from "../entrance.ts";
import type { Visitor } from "../visitor.ts";
import type { StreamTransport } from "./desk.ts";
import type { HouseOptions } from "./house.ts";
import type { Line } from "./server.ts";

export type McpParts = {
  readonly engine: Engine;
  readonly entrance: Entrance;
  readonly options: HouseOptions;
  /** Whoever listens would keep the service from stopping. */
  readonly ending?: AbortSignal | undefined;
};

const mcpPath = "/mcp";

export function addMcpRoute(app: App, { engine, entrance, options, ending }: McpParts): void {
  // Loaded with the first request: a service that nobody asks for it starts without.
  let loading: Promise<Serve> | undefined;
  app.on(["GET", "POST", "DELETE"], mcpPath, async (context) => {
    const visitor = await letIn(context, entrance);
    context.set("visitor", visitor);
    loading ??= load(engine, options, ending);
    const response = await (await loading)(context.req.raw, visitor);
    // Through the context, so that the headers of every answer are on it.
    return context.newResponse(response.body, response);
  });
}

async function letIn(context: Context<Door>, entrance: Entrance): Promise<Visitor> {
  context.header("www-authenticate", "Bearer");
  if (context.req.header("authorization") === undefined) {
    entrance.passBy(context);
    throw new StepwellError("NOT_LOGGED_IN", "Nobody speaks MCP here without a token.", {
      hint: "authorization: Bearer TOKEN; stepwell up says where its token lies, stepwell token create makes others.",
    });
  }
  const visitor = await entrance.letIn(context);
  context.header("www-authenticate", undefined);
  return visitor;
}

type Serve = (request: Request, visitor: Visitor) => Promise<Response>;

async function load(engine: Engine, options: HouseOptions, ending: AbortSignal | undefined): Promise<Serve> {
  const [{ createMcpHandler }, { createHouse }, { createMcpServer }, { WorkflowWatch }, callers, desks] =
    await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./house.ts"),
      import("./server.ts"),
      import("./workflow-watch.ts"),
      import("./caller.ts"),
      import("./desk.ts"),
    ]);
  const house = createHouse(engine, options);
  const visits: Visits = new WeakMap();
  const desk = new desks.Desk();
  const handler = createMcpHandler(
    async ({ era, authInfo, requestInfo }) => {
      const visit = authInfo === undefined ? undefined : visits.get(authInfo);
      if (visit === undefined) throw new Error("A request came past the entrance.");
      const { asker, user } = visit.visitor;
      const remedy = callers.remedyByToken(user);
      const wish = { asker, source: "mcp http", grants: callers.grantsOf(asker), remedy };
      const caller = await callers.createCaller(engine, wish);
      if (era === "modern")
        return createMcpServer(house, caller, era, { mismatched: () => (visit.hasMismatch = true) });
      const session = desks.readSession(requestInfo?.headers.get("mcp-session-id") ?? null);
      const line: Line = {
        isAskable: desks.isAskable(session),
        route: (transport) => (visit.transport = desk.route(transport, { user, session })),
      };
      return createMcpServer(house, caller, era, { line });
    },
    { onerror: house.onProblem, bus: createBus(new WorkflowWatch(house)) },
  );
  ending?.addEventListener("abort", () => {
    void handler.close();
    desk.close();
  });
  return serve(handler, visits);
}

/** One request. */
type Visit = {
  readonly visitor: Visitor;
  transport: StreamTransport | null;
  /** What stands in its headers is not what it asks. */
  hasMismatch: boolean;
};
type Visits = WeakMap<AuthInfo, Visit>;

function serve(handler: McpHttpHandler, visits: Visits): Serve {
  return async (request, visitor) => {
    // The token itself goes no further than the entrance.
    const authInfo: AuthInfo = { token: "", clientId: visitor.user, scopes: [] };
    const visit: Visit = { visitor, transport: null, hasMismatch: false };
    visits.set(authInfo, visit);
    const response = await handler.fetch(request, { authInfo });
    const session = visit.transport?.newSession ?? null;
    if (session !== null) response.headers.set("mcp-session-id", session);
    // The SDK gives what a handler has thrown as 200.
    return visit.hasMismatch ? new Response(response.body, { status: 400, headers: response.headers }) : response;
  };
}

type Bus = NonNullable<NonNullable<Parameters<typeof CreateHandler>[1]>["bus"]>;

/** Whoever listens is told of workflows that come and go; nothing else is published. */
function createBus(watch: { readonly listen: (changed: () => void) => () => void }): Bus {
  return {
    publish: () => {},
    subscribe: (listener: (event: ServerEvent) => void) => watch.listen(() => listener({ kind: "tools_list_changed" })),
  };
}
