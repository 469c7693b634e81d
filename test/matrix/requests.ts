// Requests that nothing is wrong with but, perhaps, who asks: for each route something that is there, and a body that fits.

import type { Engine } from "../../src/engine/engine.ts";
import type { Json } from "../../src/flow/json.ts";
import type { ServerView, ToolServers } from "../../src/tool/servers.ts";
import type { Route } from "./rule.ts";

export const tools = { log: () => "logged" };

const server: ServerView = {
  key: "files",
  status: "ready",
  problem: null,
  transport: "stdio",
  target: "files-server",
  command: null,
  file: null,
  isAdded: false,
  era: "legacy",
  protocol: null,
  latencyMs: null,
  lastWords: null,
  name: null,
  version: null,
  toolCount: 0,
  changedCount: 0,
  restarts: 0,
  callsUnderWay: 0,
  strayLines: 0,
};

/** One, with which nothing is wrong. */
export const servers: ToolServers = {
  open: async () => {},
  close: async () => {},
  list: () => [server],
  restart: async () => server,
  test: async () => server,
  add: async () => server,
  remove: async () => {},
  tryOut: async () => ({ ok: true, problem: null, target: "", name: null, version: null, era: null, tools: [] }),
  lock: { file: null, servers: [] },
  changes: [],
  approve: async () => [],
};

/** By which runs of others would be known, wherever they are shown. */
export const foreignName = "not-for-bob";

const flow: Json = { start: { tool: "log", done: true } };
const gated: Json = { start: { gate: {}, done: true } };

/** What stands in an address in place of `{id}` and others; made anew for each request, which may take it away. */
export async function fillPath({ path }: Route, engine: Engine): Promise<string> {
  if (/\/(?:templates|workflows)\/\{id\}/.test(path))
    return path.replace("{id}", (await engine.workflows.save(flow, { name: "kept" })).name) + queryOf(path);
  if (path.startsWith("/api/workflow/{")) return fillRun(path, engine);
  if (path.startsWith("/api/users/{name}")) {
    await engine.access.save("guest", { keys: ["130001.read"] });
    return path.replace("{name}", "guest");
  }
  if (path.startsWith("/api/tokens/{id}"))
    return path.replace("{id}", (await engine.access.tokens.create({ user: "ann", name: "spare" })).id);
  if (path.startsWith("/api/secrets/{name}")) {
    await engine.secrets.set("SPARE", "a secret value");
    return path.replace("{name}", "SPARE");
  }
  if (path.startsWith("/api/schedules/{id}"))
    return path.replace("{id}", String((await engine.start(flow, { at: "in 30 minutes", name: foreignName })).id));
  if (path.includes("{tool}") || path.startsWith("/api/tools/{name}")) return path.replace(/\{\w+\}/, "log");
  if (path.startsWith("/api/servers/{key}")) return path.replace("{key}", "files");
  if (path.includes("{")) throw new Error(`Say in test/matrix/requests.ts what is there for ${path}.`);
  return path;
}

async function fillRun(path: string, engine: Engine): Promise<string> {
  const { id } = await engine.start(gated, { name: foreignName });
  const [step] = (await engine.get(id)).steps;
  return path.replace("{id}", String(id)).replace("{step_id}", String(step?.id)) + queryOf(path);
}

function queryOf(path: string): string {
  if (path.endsWith("/value")) return "?part=input";
  return path.endsWith("/diff") ? "?from=1&to=1" : "";
}

const bodies: Readonly<Record<string, Json>> = {
  "POST /api/login": { user: "ann", password: "correct horse" },
  "POST /api/users": { name: "guest" },
  "POST /api/users/{name}/grant": { key: "130001.read" },
  "POST /api/users/{name}/revoke": { key: "130001.read" },
  "POST /api/users/{name}/password": { password: null },
  "POST /api/tokens": { user: "ann", name: "one more" },
  "POST /api/secrets": { name: "SPARE", value: "a secret value" },
  "POST /api/servers": { key: "files", server: { command: "files-server" } },
  "POST /api/servers/test": { key: "files", server: { command: "files-server" } },
  "POST /api/lock/approve": { name: "files" },
  "POST /api/schedules/preview": { text: "in 30 minutes" },
  "POST /api/workflow": { flow },
  "POST /api/workflow/batch": { runs: [{ flow }] },
  "POST /api/workflow/emit": { event: "go" },
  "POST /api/workflow/prune": { workflow: "nothing" },
  "POST /api/workflow/templates": { name: "kept", flow_json: flow },
  "POST /api/workflow/templates/{id}/restore": { version: 1 },
  "POST /api/workflow/templates/{id}/export": { tests: [] },
  "POST /api/workflow/mend": { text: "a: 1", patch: [] },
  "POST /api/workflow/validate": { flow },
  "POST /api/workflow/{id}/rate": { rating: "up" },
  "POST /api/workflow/{id}/signal": { name: "go" },
  "POST /api/workflow/{id}/fire": { transition: "go" },
  "POST /api/workflow/{step_id}/answer": { outcome: "approved" },
  "POST /api/workflow/{step_id}/resolve": { how: "retry" },
  "POST /api/workflow/{step_id}/choose": { step: null },
};

/** What does not fit is refused before anybody is asked for their rights, so those without them must send what does. */
export function bodyOf(route: Route): string | undefined {
  return route.method === "GET" || route.method === "DELETE" ? undefined : JSON.stringify(bodies[route.name] ?? {});
}
