// Puts an engine together: a store, tools, flows. The engine itself knows only their contracts.

import { existsSync } from "node:fs";
import { KeyRing, keyPlaceOf } from "./access/key-ring.ts";
import { lockPathOf, serversPathOf } from "./access/key-folder.ts";
import { storeIdOf } from "./access/store-id.ts";
import { StepwellError } from "./error.ts";
import type { Json } from "./flow/json.ts";
import { defaultLimits, type Limits } from "./run/env.ts";
import { createBreakerRules, type BreakerOptions } from "./engine/breaker-rules.ts";
import { systemClock, type Clock } from "./engine/clock.ts";
import { checkRates } from "./engine/call-rates.ts";
import { defaultCallLimits, type CallLimits } from "./engine/dispatcher.ts";
import { Engine, type EngineParts } from "./engine/engine.ts";
import { FlowLibrary } from "./engine/flow-library.ts";
import { toZone } from "./engine/instant.ts";
import type { Notice } from "./engine/notice.ts";
import { defaultMemoryLimits } from "./engine/owner-parts.ts";
import { keepAll, type Retention } from "./engine/retention.ts";
import { checkPlaces } from "./engine/workflow-folder.ts";
import { openStore } from "./store/open.ts";
import type { Durability, OwnerCard, Store } from "./store/store.ts";
import { createHandlers, type Handlers, type NodeHandler } from "./server/handlers.ts";
import { readVersion } from "./server/version.ts";
import type { ServersWish } from "./tool/mcp/config.ts";
import { LateServers } from "./tool/late-servers.ts";
import { createToolBox, type OpenToolBox, type Tools } from "./tool/registry.ts";
import type { ToolServers } from "./tool/servers.ts";

export type EngineOptions = {
  /** A path, `postgres://…`, or `:memory:`. */
  readonly store: string;
  readonly tools?: Tools;
  /** Servers that bring tools, by the names under which steps call them: `{ files: { command: "npx", args: [ … ] } }`. */
  readonly mcpServers?: ServersWish["mcpServers"];
  /** Files in which they are written, such as `.mcp.json`. */
  readonly mcpConfig?: ServersWish["mcpConfig"];
  /** Where it is kept what is agreed on about their tools: `stepwell.lock.json` beside the store unless given; false: nowhere. */
  readonly lock?: string | false;
  /** Flows that steps start by name. */
  readonly flows?: Readonly<Record<string, Json>>;
  /** Where workflows lie in files that are read and watched: folders, files or patterns, such as `./workflows/*.yaml`. */
  readonly workflows?: string | readonly string[];
  readonly durability?: Durability;
  readonly limits?: Partial<CallLimits & Limits>;
  readonly retention?: Partial<Retention>;
  /** When a tool that keeps failing is left alone, and for how long; false: never. */
  readonly breaker?: BreakerOptions;
  readonly clock?: Clock;
  /** The time zone in which times are read that name none, such as `Europe/Berlin`; the machine's unless given. */
  readonly tz?: string;
  readonly role?: OwnerCard["role"];
  /** Where people find this process: told to whoever finds the store taken. */
  readonly address?: string;
  /** Where what this program asks for comes from, as the audit tells it; `library` unless given. */
  readonly source?: string;
  /** For secrets: 32 bytes in base64 or hex; `STEPWELL_SECRET_KEY` unless given, else a file beside the database. */
  readonly secretKey?: string;
  /** The engine has stopped by itself, or something is wrong with the store; unless given, it is a warning of the process. */
  readonly onProblem?: (error: StepwellError) => void;
  /** A tool's circuit has opened or closed. Told by the engine that owns the store, once it is on disk. */
  readonly onNotice?: (notice: Notice) => void | Promise<void>;
};

/** An engine that can be mounted in a server of the program's own. There, whoever comes needs a token: the addresses by
 *  which that server is called are its own business. */
export class ServedEngine extends Engine {
  readonly #handlers: Handlers;

  constructor(parts: EngineParts) {
    super(parts);
    this.#handlers = createHandlers(this, parts.onProblem);
  }

  /** REST and live events for what speaks the web's own `fetch`: `app.mount("/flows", engine.fetch)`. */
  readonly fetch = (request: Request): Promise<Response> => this.#handlers.fetch(request);

  /** The same for Node's own server and what is built on it: `app.use("/flows", engine.node())`. */
  node(): NodeHandler {
    return this.#handlers.node;
  }
}

/** `await using engine = await openEngine({ store: "stepwell.db", tools: { greet: ({ name }) => `Hello ${name}` } })` */
export async function openEngine(options: EngineOptions): Promise<ServedEngine> {
  const { durability = "full", clock = systemClock, role = "embedded", onProblem = warn } = options;
  const zone = toZone(options.tz);
  const breakerRules = createBreakerRules(options.breaker);
  const callLimits = { ...defaultCallLimits, ...options.limits };
  checkRates(callLimits);
  const workflowFiles = [options.workflows ?? []].flat();
  await checkPlaces(workflowFiles);
  const tools = createToolBox(options.tools ?? {});
  const store = await openStore(options.store, { durability, clock: () => clock.now(), onProblem });
  const servers = await openServers({ options, store, tools, clock, onProblem }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const engine = new ServedEngine({
    store,
    library: new FlowLibrary(store, options.flows ?? {}, tools),
    tools,
    servers,
    keys: new KeyRing(keyPlaceOf(options.store, options.secretKey)),
    workflowFiles,
    clock,
    zone,
    limits: { ...defaultLimits, ...options.limits },
    callLimits,
    retention: { ...keepAll, ...options.retention },
    breakerRules,
    onNotice: options.onNotice ?? (() => {}),
    memory: defaultMemoryLimits,
    role,
    ...(options.address === undefined ? {} : { address: options.address }),
    ...(options.source === undefined ? {} : { source: options.source }),
    onProblem,
  });
  try {
    await engine.open();
  } catch (error) {
    await store.close();
    throw error;
  }
  return engine;
}

type ServersNeed = Required<Pick<EngineOptions, "clock" | "onProblem">> & {
  readonly options: EngineOptions;
  readonly store: Store;
  readonly tools: OpenToolBox;
};

/** What speaks to servers is loaded when there are any. */
async function openServers({ options, store, tools, clock, onProblem }: ServersNeed): Promise<ToolServers> {
  const { mcpServers, mcpConfig, lock } = options;
  const added = serversPathOf(options.store);
  const hasNone = mcpServers === undefined && (mcpConfig === undefined || mcpConfig.length === 0);
  const create = async (): Promise<ToolServers> => {
    const [{ readServers }, { createToolServers }] = await Promise.all([
      import("./tool/mcp/config.ts"),
      import("./tool/mcp/tool-servers.ts"),
    ]);
    return createToolServers({
      reading: await readServers({ mcpServers, mcpConfig }),
      lockPath: lock === false ? null : (lock ?? lockPathOf(options.store)),
      addedPath: added,
      ownStore: storeIdOf(store.name),
      version: readVersion(),
      tools,
      clock,
      onProblem,
    });
  };
  const isWanted = (): boolean => added !== null && existsSync(added);
  return hasNone && !isWanted() ? new LateServers({ create, isWanted }) : create();
}

export function warn(error: StepwellError): void {
  process.emitWarning(error.message, { code: error.code, type: "StepwellWarning" });
}
