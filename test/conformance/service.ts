// The service that the suites are run against: the real one, on a port. The suites bring no tokens, so one is put into
// their hands at the door.

import { openEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { listen } from "../../src/server/serve.ts";
import { createBuiltinTools } from "../../src/tool/builtin/builtin.ts";
import { defineTool } from "../../src/tool/function.ts";
import { exposures, tools, workflows } from "./fixtures.ts";

export interface Service extends AsyncDisposable {
  /** Of `/mcp`. */
  readonly url: string;
}

export async function startService(): Promise<Service> {
  const builtin = createBuiltinTools({ now: Date.now, say: () => {}, httpHosts: [] });
  let changes = 0;
  const change = defineTool({
    name: "suite.change",
    effect: "read",
    call: async () => {
      changes += 1;
      await engine.save({ start: { set: {}, done: true } }, { name: `changed ${changes}` });
      return "There is one more.";
    },
  });
  const engine = await openEngine({ store: ":memory:", tools: [...builtin, ...tools, change], breaker: false });
  for (const [name, flow] of Object.entries(workflows)) await engine.save(flow, { name });
  const { text } = await engine.access.tokens.create({ user: "suite", name: "suite", scopes: ["run", "approve"] });
  const ending = new AbortController();
  const app = createApp(engine, {
    isLoopback: true,
    rate: null,
    live: { ending: ending.signal },
    mcp: { exposures, lookEveryMs: 50 },
  });
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.handle((request, env) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${text}`);
    const { url, method, body, signal } = request;
    return app.fetch(new Request(url, { method, headers, signal, body, duplex: "half" }), env);
  });
  return {
    url: `http://127.0.0.1:${listener.port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await listener.close();
      await engine.stop({ now: true });
    },
  };
}
