// Puts an engine together: a store, tools, flows. The engine itself knows only their contracts.

import { StepwellError } from "./error.ts";
import type { Json } from "./flow/json.ts";
import { defaultLimits, type Limits } from "./run/env.ts";
import { systemClock, type Clock } from "./engine/clock.ts";
import { defaultCallLimits, type CallLimits } from "./engine/dispatcher.ts";
import { Engine } from "./engine/engine.ts";
import { FlowLibrary } from "./engine/flow-library.ts";
import { defaultMemoryLimits } from "./engine/owner.ts";
import { keepAll, type Retention } from "./engine/retention.ts";
import { openSqlite } from "./store/sqlite/open.ts";
import type { Durability, OwnerCard } from "./store/store.ts";
import { createToolBox, type Tools } from "./tool/registry.ts";

export type EngineOptions = {
  /** A path, or `:memory:`. */
  readonly store: string;
  readonly tools?: Tools;
  /** Flows that steps start by name. */
  readonly flows?: Readonly<Record<string, Json>>;
  readonly durability?: Durability;
  readonly limits?: Partial<CallLimits & Limits>;
  readonly retention?: Partial<Retention>;
  readonly clock?: Clock;
  readonly role?: OwnerCard["role"];
  /** The engine has stopped by itself, or something is wrong with the store; unless given, it is a warning of the process. */
  readonly onProblem?: (error: StepwellError) => void;
};

/** `await using engine = await openEngine({ store: "stepwell.db", tools: { greet: ({ name }) => `Hello ${name}` } })` */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { durability = "full", clock = systemClock, role = "embedded", onProblem = warn } = options;
  const store = await openSqlite(options.store, { durability, clock: () => clock.now(), onProblem });
  const engine = new Engine({
    store,
    library: new FlowLibrary(store, options.flows ?? {}),
    tools: createToolBox(options.tools ?? {}),
    clock,
    limits: { ...defaultLimits, ...options.limits },
    callLimits: { ...defaultCallLimits, ...options.limits },
    retention: { ...keepAll, ...options.retention },
    memory: defaultMemoryLimits,
    role,
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

function warn(error: StepwellError): void {
  process.emitWarning(error.message, { code: error.code, type: "StepwellWarning" });
}
