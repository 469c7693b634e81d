// The engine for tests of flows and of programs that embed it: the real one, on a real store, with a clock that stands
// still until the test moves it. Its verbs stand on the object itself, since after a crash they are those of another
// engine: `t.start` is always asked of the one that lives.

import type { Engine, UserEngine } from "../engine/engine.ts";
import { toClockTime, toZone } from "../engine/instant.ts";
import { parseReference } from "../engine/workflow-entry.ts";
import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import { own, type Json } from "../flow/json.ts";
import { validate } from "../flow/validate/validate.ts";
import type { Row, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import { createToolBox, type OpenToolBox, type Tools } from "../tool/registry.ts";
import { createWorld, type EngineSetup, type OpenedEngine, type World } from "./engine.ts";
import { controlsOf, type FakeControls } from "./fake-tool.ts";
import { watchCalls, withEchoes, type CallWatch } from "./tool-box.ts";

/** What it has in common with `openEngine` means the same. */
export type TestEngineOptions = Pick<EngineSetup, "limits" | "retention" | "breaker" | "onNotice" | "secretKey"> & {
  /** Where the clock stands at first; 2026-01-05T08:00:00Z unless given. */
  readonly now?: number | string | Date;
  readonly tools?: Tools;
  /** Flows that steps start by name. */
  readonly flows?: Readonly<Record<string, Json>>;
  /** A path; the file stays. In memory unless given. */
  readonly store?: string;
  /** The time zone in which times are read that name none; UTC unless given, wherever the test runs. */
  readonly tz?: string;
  /** What becomes of a flow that calls a tool which nobody gave. It is refused, unless `echo` has such tools answer with
   *  their arguments, or `fail` lets the step fail as it would in a real engine. */
  readonly missingTools?: "refuse" | "echo" | "fail";
};

export interface TestVerbs extends AsyncDisposable {
  /** The engine that lives, for a program that wants one; after a crash it is another. */
  readonly engine: Engine;
  /** Milliseconds, by the clock of the test. */
  readonly now: number;
  /** When something is due next; null: nothing waits for time. */
  readonly nextAt: number | null;
  /** What the engine told of by itself: nobody had asked. */
  readonly problems: readonly StepwellError[];
  /** Lets time pass: `await t.advance("24h")`, or milliseconds. What is due on the way fires in order, each in its own
   *  moment, and whatever follows from it comes to rest before time goes on. */
  advance(time: string | number): Promise<void>;
  /** Resolves when nothing moves any more: only time, a tool that hangs, or the test can change that. */
  settle(): Promise<void>;
  /** As `kill -9`: nothing is drained, calls are cut off, and a new engine opens the same store. */
  crash(): Promise<void>;
  start(...given: Parameters<Engine["start"]>): ReturnType<Engine["start"]>;
  /** The newest row of a step: `await t.approve((await t.step(run.id, "review")).id)`. */
  step(run: RunId, name: string): Promise<Row>;
  /** What can be seen of a run, in short: `["fetch done", "review pending"]`. */
  steps(run: RunId): Promise<readonly string[]>;
}

/** Every verb of an engine, and those of a test. */
export type TestEngine = Omit<Engine, keyof TestVerbs | "open"> & TestVerbs;

/** `await using t = await openTestEngine({ tools: [fakeTool("feed.fetch", { items: [] })] })` */
export async function openTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const life = new TestLife(options);
  try {
    await life.begin();
  } catch (error) {
    await life[Symbol.asyncDispose]();
    throw error;
  }
  return withVerbs(life);
}

/** What the test engine does itself, and else what the engine does that lives now. */
function withVerbs(life: TestLife): TestEngine;
function withVerbs(life: TestLife): object {
  return new Proxy(life, { get: (_life, name) => verbOf(name in life ? life : life.engine, name, life) });
}

/** The verbs of a user, whose starts are checked as those of the test are. */
function withStart(engine: UserEngine, life: TestLife): UserEngine {
  const start: UserEngine["start"] = (...given) => life.startIn(engine, given);
  return new Proxy(engine, { get: (_engine, name) => (name === "start" ? start : verbOf(engine, name, life)) });
}

function verbOf(owner: object, name: string | symbol, life: TestLife): unknown {
  const value: unknown = Reflect.get(owner, name, owner);
  if (typeof value !== "function") return value;
  return (...given: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(value, owner, given);
    return owner !== life && answer instanceof Promise ? life.whileAlive(answer) : answer;
  };
}

/** From the first engine to the last: begun, perhaps killed and begun again, and ended with the test. */
class TestLife implements TestVerbs {
  readonly #box: OpenToolBox;
  readonly #watch: CallWatch;
  readonly #world: World;
  readonly #setup: EngineSetup;
  readonly #options: TestEngineOptions;
  readonly #problems: StepwellError[] = [];
  #current: OpenedEngine | null = null;
  /** Rejects when the engine is killed: what was asked of it is never answered. */
  #death = createDeath();
  #store: Store | null = null;

  constructor(options: TestEngineOptions) {
    const { tools = {}, store = ":memory:", now: startsAt, tz, missingTools, ...shared } = options;
    this.#options = options;
    this.#box = createToolBox(tools);
    const fakes = Object.values(tools).flatMap((tool) => controlsOf(tool) ?? []);
    const useClock = (fake: FakeControls): void => fake.useClock(() => this.now);
    this.#watch = watchCalls(missingTools === "echo" ? withEchoes(this.#box) : this.#box, fakes, useClock);
    const now = toClockTime(startsAt);
    this.#world = createWorld(store === ":memory:" ? "memory" : { path: store }, {
      ...(now === null ? {} : { now }),
      duties: "once",
      others: () => this.#watch.working(),
    });
    fakes.forEach(useClock);
    this.#setup = { ...shared, toolBox: this.#watch.box, zone: toZone(tz) ?? "UTC" };
  }

  async begin(): Promise<void> {
    if (this.#isStrict) this.#refuseMissing(Object.values(this.#options.flows ?? {}));
    const store = this.#store;
    this.#current = await this.#world.open(store === null ? this.#setup : { ...this.#setup, store });
    if (this.#current.engine.isOwner) return;
    // A guest waits for its owner by the clock, and this one stands still.
    throw new StepwellError("STORE_BUSY", `${this.#current.engine.store.name} is in use by another engine.`, {
      hint: "A test engine wants a store of its own: leave `store` out, or give another path.",
    });
  }

  get engine(): Engine {
    return this.#living().engine;
  }

  get now(): number {
    return this.#world.clock.now();
  }

  get nextAt(): number | null {
    const { nextInMs } = this.#world.clock;
    return nextInMs === null ? null : this.now + nextInMs;
  }

  get problems(): readonly StepwellError[] {
    return [...this.#problems, ...(this.#current?.problems ?? [])];
  }

  async advance(time: string | number): Promise<void> {
    await this.#world.clock.advance(toMs(time));
  }

  settle(): Promise<void> {
    return this.#world.settle();
  }

  async crash(): Promise<void> {
    const died = this.#living();
    this.#watch.forget();
    if (this.#options.store === undefined || this.#options.store === ":memory:") this.#store = await died.leave();
    else await died.crash();
    this.#problems.push(...died.problems);
    this.#death.reject(new StepwellError("ENGINE_STOPPED", "The engine was killed before it answered."));
    this.#death = createDeath();
    // Nothing of it gets through any more; but who waits for it would keep the process alive.
    void died.engine.stop({ now: true });
    await this.begin();
  }

  start(...given: Parameters<Engine["start"]>): ReturnType<Engine["start"]> {
    return this.startIn(this.engine, given);
  }

  as(...given: Parameters<Engine["as"]>): UserEngine {
    return withStart(this.engine.as(...given), this);
  }

  async startIn(engine: UserEngine, given: Parameters<Engine["start"]>): ReturnType<Engine["start"]> {
    const start = async (): ReturnType<Engine["start"]> => {
      if (this.#isStrict) this.#refuseMissing(await this.#listReached(given[0]));
      return engine.start(...given);
    };
    return this.whileAlive(start());
  }

  whileAlive<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return Promise.race([answer, this.#death.promise]);
  }

  async step(run: RunId, name: string): Promise<Row> {
    const { steps } = await this.engine.get(run);
    const found = steps.findLast((row) => row.step === name || row.name === name);
    if (found !== undefined) return found;
    const there = steps.length === 0 ? "none yet" : steps.map(textOf).join(", ");
    throw new StepwellError("STEP_NOT_FOUND", `Run ${run} has no step "${name}"; it has ${there}.`);
  }

  async steps(run: RunId): Promise<readonly string[]> {
    return (await this.engine.get(run)).steps.map(textOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#current?.engine.stop({ now: true });
    await this.#world[Symbol.asyncDispose]();
  }

  get #isStrict(): boolean {
    return (this.#options.missingTools ?? "refuse") === "refuse";
  }

  #living(): OpenedEngine {
    if (this.#current === null) throw new StepwellError("ENGINE_STOPPED", "The engine has not been opened.");
    return this.#current;
  }

  /** The flow, and all that it starts by name as far as they are there now. */
  async #listReached(flow: Json): Promise<readonly Json[]> {
    const { workflows } = this.engine;
    const reached: Json[] = [];
    const names = new Set<string>();
    const waiting = [flow];
    for (const next of waiting) {
      const reference = typeof next === "string" ? parseReference(next) : undefined;
      if (typeof next !== "string" || reference === undefined) {
        reached.push(next);
        waiting.push(...workflowsIn(next));
      } else if (!names.has(next)) {
        names.add(next);
        const given = own(this.#options.flows ?? {}, next);
        // One that is not there is told by whoever starts it.
        const found = given ?? (await workflows.get(next).catch(() => undefined))?.flow;
        if (found !== undefined) waiting.push(found);
      }
    }
    return reached;
  }

  /** A tool that is missing is a slip of the test; a step that fails far behind it would say so less clearly. */
  #refuseMissing(flows: readonly Json[]): void {
    const tools = this.#box.list().map(({ name }) => ({ name }));
    const findings = flows.flatMap((flow) => validate(flow, { tools }).findings);
    const missing = findings.filter(({ code }) => code === "unknown_tool");
    if (missing.length === 0) return;
    const told = missing.map(({ message }) => message.replace(" Add its server before a run gets here.", ""));
    const given = tools.map(({ name }) => name).join(", ") || "none";
    throw new StepwellError("USAGE", `The flow calls what the test did not give. ${[...new Set(told)].join(" ")}`, {
      hint: `Given: ${given}. Add a fakeTool, or open the test engine with missingTools: "echo".`,
      details: { findings: missing },
    });
  }
}

function createDeath(): PromiseWithResolvers<never> {
  const death = Promise.withResolvers<never>();
  // Perhaps nobody waits for anything.
  death.promise.catch(() => {});
  return death;
}

/** The workflows that the steps of a flow name, as they name them. */
function workflowsIn(flow: Json): readonly string[] {
  const steps = Object.values(validate(flow).plan?.steps ?? {});
  return steps.flatMap((step) => {
    if (step.kind !== "flow") return [];
    return step.version === null ? step.workflow : `${step.workflow}@${step.version}`;
  });
}

export function textOf({ step, status }: Row): string {
  return `${step} ${status}`;
}

function toMs(time: string | number): number {
  const ms = typeof time === "number" ? time : parseDuration(time);
  if (ms !== undefined && ms >= 0 && Number.isFinite(ms)) return ms;
  throw new StepwellError("USAGE", `"${time}" is no time to let pass; write it as "24h", "1h30m", or milliseconds.`);
}
