// Engines for tests: the real one on a real database, with a clock that the test holds, a store that can be disturbed,
// and tools that answer when the test says so. Several may share one file; each can be killed as a process is.

import { KeyRing } from "../access/key-ring.ts";
import { createBreakerRules, type BreakerOptions } from "../engine/breaker-rules.ts";
import type { Clock } from "../engine/clock.ts";
import { defaultCallLimits, type CallLimits } from "../engine/dispatcher.ts";
import { Engine } from "../engine/engine.ts";
import { FlowLibrary } from "../engine/flow-library.ts";
import { defaultMemoryLimits, type MemoryLimits } from "../engine/owner-parts.ts";
import type { Notice } from "../engine/notice.ts";
import { keepAll, type Retention } from "../engine/retention.ts";
import type { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { defaultLimits, type Limits } from "../run/env.ts";
import type { Row } from "../run/model.ts";
import { isServerAddress } from "../store/address.ts";
import { openStore } from "../store/open.ts";
import type { OwnerCard, Store } from "../store/store.ts";
import type { ToolContext, ToolFunction } from "../tool/function.ts";
import { createToolBox, type OpenToolBox, type Tools } from "../tool/registry.ts";
import type { ToolServers } from "../tool/servers.ts";
import { createFakeClock, turnOnce, type FakeClock } from "./fake-clock.ts";
import { createFaultyStore, type FaultyStore } from "./faulty-store.ts";
import { morning } from "./kernel.ts";
import { createStorePlace, type StorePlace } from "./store-place.ts";

export type EngineSetup = {
  readonly tools?: Tools;
  /** In place of `tools`. */
  readonly toolBox?: OpenToolBox;
  /** That bring some of the tools; none unless given. */
  readonly servers?: ToolServers;
  /** One that has outlived its engine; a new one unless given. */
  readonly store?: Store;
  readonly flows?: Readonly<Record<string, Json>>;
  readonly limits?: Partial<CallLimits & Limits>;
  readonly retention?: Partial<Retention>;
  readonly memory?: Partial<MemoryLimits>;
  readonly breaker?: BreakerOptions;
  readonly onNotice?: (notice: Notice) => void | Promise<void>;
  readonly role?: OwnerCard["role"];
  readonly secretKey?: string;
  /** UTC unless given. */
  readonly zone?: string;
  /** The world's own, unless given. */
  readonly clock?: Clock;
  /** Disturbs the store from the first moment on. */
  readonly prepare?: (store: FaultyStore) => void;
};

export type OpenedEngine = {
  readonly engine: Engine;
  readonly store: FaultyStore;
  readonly problems: readonly StepwellError[];
  /** The process dies: nothing more comes of it, and its lock is free. */
  readonly crash: () => Promise<void>;
  /** The same; the store outlives it. */
  readonly leave: () => Promise<Store>;
  /** The newest row of this step. */
  readonly row: (run: number, step: string) => Promise<Row>;
  /** What can be seen of a run, in short: `start done, ask pending`. */
  readonly steps: (run: number) => Promise<string>;
  /** Kinds of what is on record of a run beside its rows. */
  readonly events: (run: number) => Promise<readonly string[]>;
};

export type World = AsyncDisposable & {
  /** What a store is opened by: a path, or an address on a server. */
  readonly address: string;
  /** Keys lie beside it, whatever the store. */
  readonly path: string;
  readonly clock: FakeClock;
  readonly open: (setup?: EngineSetup) => Promise<OpenedEngine>;
  /** Resolves when nothing moves any more: only tools, time or the test can change that. */
  readonly settle: () => Promise<void>;
};

export type WorldOptions = {
  readonly now?: number;
  readonly duties?: "each" | "once";
  /** What else is to come to rest before everything has; undefined: nothing. */
  readonly others?: () => Promise<void> | undefined;
};

/** A store in memory may outlive its engine, and no file lies beside it. */
const keyInMemory = "5e".repeat(32);

/** Rounds of the event loop without a sign of life, after which nothing more is to come. */
const quietTurns = 6;

/** `createWorld("file")` for what outlives an engine or is shared, `createWorld("memory")` for all else; a store of the
 *  caller's own stays when the world ends. */
export function createWorld(place: "file" | "memory" | { readonly path: string }, options: WorldOptions = {}): World {
  const { now = morning, others = () => undefined } = options;
  const { address, path, remove } = typeof place === "object" ? toPlace(place.path) : createStorePlace(place);
  // Each look of a day is a question to a server, and the day takes minutes.
  const { duties = isServerAddress(address) ? "once" : "each" } = options;
  const opened: OpenedEngine[] = [];
  const settle = async (): Promise<void> => {
    await waitUntilQuiet(opened, clock);
    for (let rest = others(); rest !== undefined; rest = others()) {
      await rest;
      await waitUntilQuiet(opened, clock);
    }
  };
  const clock: FakeClock = createFakeClock({ now, settle, duties });
  return {
    address,
    path,
    clock,
    settle,
    open: async (setup = {}) => {
      const engine = await openIn({ address, path }, clock, setup);
      opened.push(engine);
      return engine;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { crash } of opened) await crash();
      remove();
    },
  };
}

function toPlace(path: string): StorePlace {
  return { address: path, path: isServerAddress(path) ? ":memory:" : path, remove: () => {} };
}

async function waitUntilQuiet(engines: readonly OpenedEngine[], clock: FakeClock): Promise<void> {
  let seen = -1;
  for (let quiet = 0; quiet < quietTurns; quiet++) {
    await turnOnce();
    // Of the store, and those who only let others go first.
    let signs = clock.turns;
    for (const { store } of engines) for (const count of store.counts.values()) signs += count;
    const busy = engines.filter(({ store }) => store.underWay() > 0);
    // A server takes its time: to turn in circles meanwhile would only take that from it.
    if (busy.length > 0) await Promise.race(busy.map(({ store }) => store.nextAnswer()));
    if (busy.length > 0 || signs !== seen) quiet = -1;
    seen = signs;
  }
}

type Where = Pick<StorePlace, "address" | "path">;

async function openIn({ address, path }: Where, worldClock: Clock, setup: EngineSetup): Promise<OpenedEngine> {
  const problems: StepwellError[] = [];
  const onProblem = (error: StepwellError): void => void problems.push(error);
  const { clock, stop } = createMortalClock(setup.clock ?? worldClock);
  const real = setup.store ?? (await openStore(address, { clock: () => clock.now(), onProblem }));
  const store = createFaultyStore(real);
  setup.prepare?.(store);
  const tools = setup.toolBox ?? createToolBox(setup.tools ?? {});
  const engine = new Engine({
    store: store.store,
    library: new FlowLibrary(store.store, setup.flows ?? {}, tools),
    keys: new KeyRing({
      given: setup.secretKey ?? (path === ":memory:" ? keyInMemory : undefined),
      path: `${path}-key`,
    }),
    tools,
    ...(setup.servers === undefined ? {} : { servers: setup.servers }),
    clock,
    zone: setup.zone ?? "UTC",
    limits: { ...defaultLimits, ...setup.limits },
    callLimits: { ...defaultCallLimits, ...setup.limits },
    retention: { ...keepAll, ...setup.retention },
    memory: { ...defaultMemoryLimits, ...setup.memory },
    breakerRules: createBreakerRules(setup.breaker),
    onNotice: setup.onNotice ?? (() => {}),
    role: setup.role ?? "embedded",
    onProblem,
  });
  try {
    await engine.open();
  } catch (error) {
    stop();
    await store.die();
    throw error;
  }
  const rowsOf = async (run: number): Promise<readonly Row[]> => real.listRows(run);
  return {
    engine,
    store,
    problems,
    crash: async () => {
      stop();
      await store.die();
    },
    leave: async () => {
      stop();
      await store.leave();
      return real;
    },
    row: async (run, step) => {
      const row = (await rowsOf(run)).findLast((one) => one.step === step || one.name === step);
      if (row === undefined) throw new Error(`run ${run} has no row of "${step}"`);
      return row;
    },
    steps: async (run) => (await rowsOf(run)).map(({ name, status }) => `${name} ${status}`).join(", "),
    events: async (run) => (await real.listEvents(run)).map(({ kind }) => kind),
  };
}

/** The timers of a process that may die. */
function createMortalClock(clock: Clock): { readonly clock: Clock; readonly stop: () => void } {
  let isOver = false;
  return {
    clock: {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (delayMs, act, purpose) =>
        clock.after(
          delayMs,
          () => {
            if (!isOver) act();
          },
          purpose,
        ),
      turn: () => clock.turn(),
    },
    stop: () => {
      isOver = true;
    },
  };
}

type HeldCall = {
  readonly input: JsonObject;
  readonly context: ToolContext;
  readonly done: (result?: unknown) => void;
  readonly fail: (error: unknown) => void;
};

export type Desk = {
  /** Every call that was made, in order. */
  readonly calls: HeldCall[];
  readonly call: ToolFunction;
  /** The newest call; there must be one. */
  readonly last: () => HeldCall;
};

/** A tool that keeps its calls on a desk until the test answers them. */
export function createDesk(): Desk {
  const calls: HeldCall[] = [];
  return {
    calls,
    call: (input, context) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      calls.push({ input, context, done: (result = null) => resolve(result), fail: reject });
      return promise;
    },
    last: () => {
      const call = calls.at(-1);
      if (call === undefined) throw new Error("nothing was called");
      return call;
    },
  };
}

/** The code of the error that a promise is rejected with; "none": it is not. */
export async function codeOfRejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "none";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
