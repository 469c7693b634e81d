// An engine on a store of any sort, with a clock that stands still, from its first opening over crashes to its end.

import { KeyRing } from "../../src/access/key-ring.ts";
import { createBreakerRules } from "../../src/engine/breaker-rules.ts";
import { defaultCallLimits } from "../../src/engine/dispatcher.ts";
import { Engine } from "../../src/engine/engine.ts";
import { FlowLibrary } from "../../src/engine/flow-library.ts";
import type { Notice } from "../../src/engine/notice.ts";
import { defaultMemoryLimits } from "../../src/engine/owner-parts.ts";
import { keepAll, type Retention } from "../../src/engine/retention.ts";
import type { JsonObject } from "../../src/flow/json.ts";
import { defaultLimits } from "../../src/run/env.ts";
import type { Ownership, Store } from "../../src/store/store.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/fake-clock.ts";
import { morning } from "../../src/testing/kernel.ts";
import { createToolBox } from "../../src/tool/registry.ts";
import { Lockstep, type DeathAt } from "./lockstep.ts";
import type { Place } from "./place.ts";
import { createListTools, type SeenCall } from "./tools.ts";

/** What the engine told of by itself, and what its tools saw, in order. */
export type Told = { readonly call: SeenCall } | { readonly notice: Notice } | { readonly problem: string };

const secretKey = "5e".repeat(32);

/** Small, so that a list gets to them. */
const limits = { ...defaultLimits, visits: 12, rows: 200 };

/** Open from `begin` until it is disposed of. */
export class Life implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly seed: number;
  readonly #place: Place;
  readonly #named: Readonly<Record<string, JsonObject>>;
  readonly #told: Told[] = [];
  readonly #tools: ReturnType<typeof createToolBox>;
  #retention: Retention = keepAll;
  #store: Store | null = null;
  #lockstep: Lockstep | null = null;
  #engine: Engine | null = null;
  readonly #epochs: string[] = [];

  constructor(place: Place, { seed, named }: { readonly seed: number; readonly named: Record<string, JsonObject> }) {
    this.#place = place;
    this.seed = seed;
    this.#named = named;
    this.clock = createFakeClock({ now: morning, settle: () => this.settle(), duties: "once" });
    this.#tools = createToolBox(createListTools(seed, this.clock, (call) => void this.#told.push({ call })));
  }

  get engine(): Engine {
    if (this.#engine === null) throw new Error("The engine is not open.");
    return this.#engine;
  }

  /** Nothing is under way in it when it is asked. */
  get store(): Store {
    if (this.#store === null) throw new Error("The store is not open.");
    return this.#store;
  }

  get ownership(): Ownership {
    const ownership = this.#lockstep?.ownership ?? null;
    if (ownership === null) throw new Error("The store is not owned.");
    return ownership;
  }

  /** Of all owners so far. */
  get epochs(): readonly string[] {
    return this.#epochs;
  }

  /** What was told since it was last asked. */
  takeTold(): readonly Told[] {
    return this.#told.splice(0);
  }

  async begin(): Promise<void> {
    this.#store = await this.#place.begin(() => this.clock.now());
    await this.#open();
  }

  async settle(): Promise<void> {
    await this.#lockstep?.settle();
  }

  /** Changes whenever something may have been written. */
  get mark(): string {
    return `${this.#epochs.length}.${this.#lockstep?.commits ?? 0}`;
  }

  /** Dies at a commit of what comes next; `revive` opens it again. */
  dieAt(death: DeathAt): void {
    this.#lockstep?.dieAt(death);
  }

  get isDead(): boolean {
    return this.#lockstep?.isDead === true;
  }

  /** Dead, if it was not, and opened again. */
  async revive(): Promise<void> {
    await this.#lockstep?.die();
    await this.#close();
    this.#store = await this.#place.reopen(this.store, () => this.clock.now());
    await this.#open();
  }

  /** Stopped and opened again, to keep less. */
  async reopen(retention: Partial<Retention>): Promise<void> {
    await this.#close();
    this.#retention = { ...keepAll, ...retention };
    await this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (this.#store !== null) await this.#place.end(this.#store);
    this.#store = null;
  }

  async #close(): Promise<void> {
    await this.#engine?.stop({ now: true });
    this.#engine = null;
    this.#lockstep = null;
  }

  async #open(): Promise<void> {
    const lockstep = new Lockstep(this.store);
    const { store } = lockstep;
    this.#lockstep = lockstep;
    const engine = new Engine({
      store,
      library: new FlowLibrary(store, this.#named, this.#tools),
      keys: new KeyRing({ given: secretKey, path: null }),
      tools: this.#tools,
      clock: this.clock,
      zone: "UTC",
      limits,
      callLimits: { ...defaultCallLimits, calls: 3 },
      retention: this.#retention,
      memory: { ...defaultMemoryLimits, runsHeld: 1 + (this.seed % 4) },
      breakerRules: createBreakerRules({ failures: 2, openMs: 60_000 }),
      onNotice: (notice) => void this.#told.push({ notice }),
      role: "embedded",
      onProblem: ({ code }) => {
        // Of one that is dead nobody hears.
        if (!lockstep.isDead) this.#told.push({ problem: code });
      },
    });
    try {
      await engine.open();
    } catch (error) {
      await lockstep.die();
      throw error;
    }
    this.#engine = engine;
    this.#epochs.push(this.ownership.epoch);
    await this.settle();
  }
}
