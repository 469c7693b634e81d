// A server for tests: an engine and the service on a port of this machine, which may be stopped and started again.

import { findLastingPort } from "../../scripts/lasting-port.ts";
import { openEngine, type EngineOptions, type ServedEngine } from "../../src/open-engine.ts";
import { createApp, type AppOptions } from "../../src/server/app.ts";
import { listen } from "../../src/server/serve.ts";

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly engine: ServedEngine;
  readonly stop: () => Promise<void>;
}

export type TestServerOptions = EngineOptions & {
  /** Any that is free, unless given. */
  readonly port?: number;
  readonly app?: Partial<AppOptions>;
};

export async function startServer({ port, app: appOptions = {}, ...options }: TestServerOptions): Promise<TestServer> {
  const engine = await openEngine({ role: "up", ...options });
  const listener = await listen({ host: "127.0.0.1", port: port ?? (await findLastingPort()) });
  const ending = new AbortController();
  const app = createApp(engine, { isLoopback: true, rate: null, live: { ending: ending.signal }, ...appOptions });
  listener.handle((request, env) => app.fetch(request, env));
  const stop = async (): Promise<void> => {
    ending.abort();
    await listener.close();
    await engine.stop();
  };
  return {
    url: listener.address.replace("localhost", "127.0.0.1"),
    port: listener.port,
    engine,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
