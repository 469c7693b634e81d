// A service for tests: the real application on an engine of a world, asked without a socket.

import type { Engine } from "../engine/engine.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { createApp, type AppOptions } from "../server/app.ts";
import type { EngineSetup, World } from "./engine.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** What it says, when that is an object. */
  readonly body: JsonObject;
  /** What it says, when that is a list. */
  readonly list: readonly JsonObject[];
};

type Headed = Readonly<Record<string, string>>;

export interface Service extends AsyncDisposable {
  readonly engine: Engine;
  readonly world: World;
  readonly get: (path: string, headers?: Headed) => Promise<Answer>;
  readonly post: (path: string, body?: Json, headers?: Headed) => Promise<Answer>;
  readonly delete: (path: string, headers?: Headed) => Promise<Answer>;
  readonly send: (method: string, path: string, text?: string, headers?: Headed) => Promise<Answer>;
  readonly settle: () => Promise<void>;
  readonly fetch: (request: Request) => Promise<Response>;
}

export async function createService(
  world: World,
  { app: options = {}, ...setup }: EngineSetup & { readonly app?: Partial<AppOptions> } = {},
): Promise<Service> {
  const { engine } = await world.open(setup);
  const app = createApp(engine, { isLoopback: true, ...options });
  const send: Service["send"] = async (method, path, text, headers = {}) =>
    read(
      await app.request(`http://localhost${path}`, {
        method,
        headers: {
          host: "localhost",
          ...(text === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      }),
    );
  return {
    engine,
    world,
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body === undefined ? undefined : JSON.stringify(body), headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
    settle: world.settle,
    fetch: async (request) => app.fetch(request),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const isEndless = headers.get("content-type") === "text/event-stream";
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? "" : await response.text();
  const value = (headers.get("content-type") ?? "").includes("json") ? (JSON.parse(text) as Json) : { text };
  const isList = Array.isArray(value);
  return {
    status,
    headers,
    body: (isList ? {} : value) as JsonObject,
    list: (isList ? value : []) as readonly JsonObject[],
  };
}
