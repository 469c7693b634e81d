// Flows and their plans, each compiled once. A run keeps the version it was started with: its plan is found by hash.

import { StepwellError } from "../error.ts";
import { copyJson, type Json } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { readText } from "../flow/source/read.ts";
import { compile } from "../flow/validate/compile.ts";
import { validate } from "../flow/validate/validate.ts";
import type { FlowRecord, Store } from "../store/store.ts";

export type FlowVersion = {
  readonly plan: Plan;
  readonly record: FlowRecord;
  /** What the validator warns of, in sentences. */
  readonly warnings: readonly string[];
};

/** Texts that were compiled of late: the same flow is started again and again. */
const textsMax = 1000;

export class FlowLibrary {
  readonly #store: Store;
  readonly #named: ReadonlyMap<string, Json>;
  readonly #byText = new Map<string, FlowVersion>();
  readonly #byHash = new Map<string, Plan>();

  constructor(store: Store, named: Readonly<Record<string, Json>>) {
    this.#store = store;
    this.#named = new Map(Object.entries(named));
    // A flow that steps name is wrong now, not when a step comes to it.
    for (const source of this.#named.values()) this.compile(source, 0);
  }

  /** Throws with every finding when the flow has errors. */
  compile(source: Json, now: number): FlowVersion {
    const text = typeof source === "string" ? source : JSON.stringify(source);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const { plan: valid, findings } = validate(source);
    const plan = valid ?? compile(source);
    const warnings = findings.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));
    const record = { hash: plan.hash, name: plan.name, source: toValue(source), createdAt: now };
    const version = { plan, record, warnings };
    keep(this.#byHash, plan.hash, plan);
    keep(this.#byText, text, version);
    return version;
  }

  /** A workflow that steps start by its name. */
  findNamed(name: string, now: number): FlowVersion | undefined {
    const source = this.#named.get(name);
    return source === undefined ? undefined : this.compile(source, now);
  }

  /** The plan of a version that is in the store. */
  async loadPlan(hash: string): Promise<Plan> {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const record = await this.#store.findFlow(hash);
    if (record === undefined)
      throw new StepwellError("STORE_CORRUPT", `The flow ${hash} of a run is missing from ${this.#store.name}.`);
    const plan = compile(record.source);
    keep(this.#byHash, hash, plan);
    return plan;
  }
}

/** The oldest goes when there are too many: it is compiled again when somebody wants it. */
function keep<T>(known: Map<string, T>, key: string, value: T): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > textsMax && oldest !== undefined) known.delete(oldest);
}

/** What is stored is JSON that others can read, also of a flow that came as YAML, and whatever its writer does to it later. */
function toValue(source: Json): Json {
  return typeof source === "string" ? (readText(source).value ?? source) : copyJson(source);
}
