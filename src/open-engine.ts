// Puts an engine together: a store, tools, flows. The engine itself knows only their contracts.

import { KeyRing, keyPlaceOf } from "./access/key-ring.ts";
import { StepwellError } from "./error.ts";
import type { Json } from "./flow/json.ts";
import { defaultLimits, type Limits } from "./run/env.ts";
import { createBreakerRules, type BreakerOptions } from "./engine/breaker-rules.ts";
import { systemClock, type Clock } from "./engine/clock.ts";
import { defaultCallLimits, type CallLimits } from "./engine/dispatcher.ts";
import { Engine } from "./engine/engine.ts";
import { FlowLibrary } from "./engine/flow-library.ts";
import { toZone } from "./engine/instant.ts";
import type { Notice } from "./engine/notice.ts";
import { defaultMemoryLimits } from "./engine/owner-parts.ts";
import { keepAll, type Retention } from "./engine/retention.ts";
import { checkPlaces } from "./engine/workflow-folder.ts";
import { openStore } from "./store/open.ts";
import type { Durability, OwnerCard } from "./store/store.ts";
import { createToolBox, type Tools } from "./tool/registry.ts";

export type EngineOptions = {
  /** A path, `postgres://…`, or `:memory:`. */
  readonly store: string;
  readonly tools?: Tools;
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
  /** For secrets: 32 bytes in base64 or hex; `STEPWELL_SECRET_KEY` unless given, else a file beside the database. */
  readonly secretKey?: string;
  /** The engine has stopped by itself, or something is wrong with the store; unless given, it is a warning of the process. */
  readonly onProblem?: (error: StepwellError) => void;
  /** A tool's circuit has opened or closed. Told by the engine that owns the store, once it is on disk. */
  readonly onNotice?: (notice: Notice) => void | Promise<void>;
};

/** `await using engine = await openEngine({ store: "stepwell.db", tools: { greet: ({ name }) => `Hello ${name}` } })` */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { durability = "full", clock = systemClock, role = "embedded", onProblem = warn } = options;
  const zone = toZone(options.tz);
  const breakerRules = createBreakerRules(options.breaker);
  const workflowFiles = [options.workflows ?? []].flat();
  await checkPlaces(workflowFiles);
  const tools = createToolBox(options.tools ?? {});
  const store = await openStore(options.store, { durability, clock: () => clock.now(), onProblem });
  const engine = new Engine({
    store,
    library: new FlowLibrary(store, options.flows ?? {}, tools),
    tools,
    keys: new KeyRing(keyPlaceOf(options.store, options.secretKey)),
    workflowFiles,
    clock,
    zone,
    limits: { ...defaultLimits, ...options.limits },
    callLimits: { ...defaultCallLimits, ...options.limits },
    retention: { ...keepAll, ...options.retention },
    breakerRules,
    onNotice: options.onNotice ?? (() => {}),
    memory: defaultMemoryLimits,
    role,
    ...(options.address === undefined ? {} : { address: options.address }),
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

export function warn(error: StepwellError): void {
  process.emitWarning(error.message, { code: error.code, type: "StepwellWarning" });
}
