// A client of a store, or of a server: all verbs of an engine, and no engine behind them. It never owns the store and calls
// no tool; what it asks is carried out by the process that does, and waits in the store while there is none.

import { KeyRing, keyPlaceOf } from "./access/key-ring.ts";
import { createBreakerRules } from "./engine/breaker-rules.ts";
import { systemClock, type Clock } from "./engine/clock.ts";
import { defaultCallLimits } from "./engine/dispatcher.ts";
import { Engine, type UserEngine } from "./engine/engine.ts";
import { FlowLibrary } from "./engine/flow-library.ts";
import { toZone } from "./engine/instant.ts";
import { defaultMemoryLimits } from "./engine/owner-parts.ts";
import { keepAll } from "./engine/retention.ts";
import { toTimeoutMs, type TimeoutOptions } from "./engine/timeout.ts";
import { StepwellError } from "./error.ts";
import { warn, type EngineOptions } from "./open-engine.ts";
import { defaultLimits } from "./run/env.ts";
import { openStore } from "./store/open.ts";
import { createToolBox } from "./tool/registry.ts";

/** With how long an answer may take before `NO_ANSWER`; 30 seconds unless given. What was asked stays in the store. */
export type ConnectOptions = TimeoutOptions &
  Pick<EngineOptions, "tz" | "secretKey" | "onProblem"> & {
    /** A path, or `postgres://…`. */
    readonly store: string;
    readonly clock?: Clock;
  };

/** With how long an answer may take, and how long the server may be away before `SERVER_UNREACHABLE`. */
export type ConnectServerOptions = TimeoutOptions & {
  /** `http://localhost:7700`, or with the path below which it is mounted. */
  readonly url: string;
  /** Says who asks; on a server that knows no users nobody needs one. */
  readonly token?: string;
  readonly clock?: Clock;
};

export type Client = Omit<Engine, "open">;

/** The token says in whose name: there is no `as`, and no store. */
export type ServerClient = UserEngine & AsyncDisposable & { readonly stop: () => Promise<void> };

const defaultPatienceMs = 30_000;

/** `await using client = await connect({ store: "stepwell.db" })`, or `connect({ url: "http://localhost:7700", token })` */
export async function connect(options: ConnectOptions): Promise<Client>;
export async function connect(options: ConnectServerOptions): Promise<ServerClient>;
export async function connect(options: ConnectOptions | ConnectServerOptions): Promise<Client | ServerClient> {
  return "url" in options ? connectToServer(options) : connectToStore(options);
}

async function connectToServer({ url, token, clock, ...rest }: ConnectServerOptions): Promise<ServerClient> {
  const patienceMs = toTimeoutMs(rest) ?? defaultPatienceMs;
  const { createRemote } = await import("./remote/remote-engine.ts");
  const given = { ...(token === undefined ? {} : { token }), ...(clock === undefined ? {} : { clock }) };
  const client = createRemote({ url, patienceMs, ...given });
  // Whoever is mistaken in the address or in the token hears of it now.
  await client.greet();
  return client;
}

async function connectToStore(options: ConnectOptions): Promise<Client> {
  const { clock = systemClock, onProblem = warn } = options;
  const patienceMs = toTimeoutMs(options) ?? defaultPatienceMs;
  const zone = toZone(options.tz);
  if (options.store === ":memory:")
    throw new StepwellError("USAGE", "A store in memory has no clients: nobody but its engine sees it.");
  const store = await openStore(options.store, { clock: () => clock.now(), onProblem });
  const client = new Engine({
    store,
    library: new FlowLibrary(store, {}),
    tools: createToolBox({}),
    keys: new KeyRing(keyPlaceOf(options.store, options.secretKey)),
    clock,
    zone,
    limits: defaultLimits,
    callLimits: defaultCallLimits,
    retention: keepAll,
    breakerRules: createBreakerRules(),
    onNotice: () => {},
    memory: defaultMemoryLimits,
    role: "embedded",
    patienceMs,
    onProblem,
  });
  await client.open();
  return client;
}
