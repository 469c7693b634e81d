// Flows and their plans, each compiled once. A run keeps the version it was started with: its plan is found by hash.

import { StepwellError } from "../error.ts";
import type { Finding } from "../flow/finding.ts";
import { copyJson, type Json } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { readText } from "../flow/source/read.ts";
import { compile } from "../flow/validate/compile.ts";
import { validate } from "../flow/validate/validate.ts";
import type { FlowRecord, Store } from "../store/store.ts";
import { describeTools } from "../tool/registry.ts";
import type { ToolBox } from "../tool/tool.ts";
import type { Reference } from "./workflow-entry.ts";

export type FlowVersion = {
  readonly plan: Plan;
  readonly record: FlowRecord;
  /** What the validator warns of, in sentences. */
  readonly warnings: readonly string[];
  /** Workflows that its steps start, each once. */
  readonly subFlows: readonly Reference[];
};

/** Texts that were compiled of late: the same flow is started again and again. */
const textsMax = 1000;

type Checked = {
  readonly plan: Plan;
  /** Null: what there is to say without asking the tools is found out when somebody wants to know. */
  readonly findings: readonly Finding[] | null;
  readonly now: number;
};

export class FlowLibrary {
  readonly #store: Store;
  readonly #named: ReadonlyMap<string, FlowVersion>;
  readonly #byText = new Map<string, FlowVersion>();
  readonly #byHash = new Map<string, FlowVersion>();
  readonly #tools: ToolBox | null;
  /** What the tools say of flows that are new, by text, and of those that were saved, by hash. */
  readonly #admitted = new Map<string, FlowVersion>();
  readonly #warned = new Map<string, FlowVersion>();
  /** Of the tools that were asked. */
  #revision = 0;

  /** Without tools nothing is asked of them: another process has its own. */
  constructor(store: Store, named: Readonly<Record<string, Json>>, tools: ToolBox | null = null) {
    this.#store = store;
    this.#tools = tools;
    // A flow that steps name is wrong now, not when a step comes to it.
    this.#named = new Map(Object.entries(named).map(([name, source]) => [name, this.admit(source, 0)]));
  }

  /** The same as `compile` for a flow that is new here, to be saved or started: the tools that are there are asked, too.
   *  Arguments that one of them never takes are errors, and a tool that is not there is a warning. */
  admit(source: Json, now: number): FlowVersion {
    if (this.#tools === null) return this.compile(source, now);
    this.#forgetOther(this.#tools);
    const text = textOf(source);
    const known = this.#admitted.get(text);
    if (known !== undefined) return known;
    const surroundings = { tools: describeTools(this.#tools) };
    const { plan: valid, findings } = validate(source, surroundings);
    // What is wrong whatever the tools are is told alone.
    const plan = valid ?? (this.compile(source, now), compile(source, surroundings));
    const { record, subFlows } = this.#byText.get(text) ?? this.#keepCompiled(source, { plan, findings: null, now });
    const admitted = { plan, record, subFlows, warnings: warningsIn(findings) };
    keep(this.#admitted, text, admitted);
    return admitted;
  }

  /** A version that was saved before, as it is about to be started: what its tools say now is only a warning. */
  withToolWarnings(version: FlowVersion): FlowVersion {
    if (this.#tools === null) return version;
    this.#forgetOther(this.#tools);
    const { plan, record, subFlows } = version;
    const known = this.#warned.get(plan.hash);
    if (known !== undefined) return known;
    const { findings } = validate(record.source, { tools: describeTools(this.#tools) });
    const warned = { plan, record, subFlows, warnings: findings.map(({ message }) => message) };
    keep(this.#warned, plan.hash, warned);
    return warned;
  }

  /** Tools come and go: what others said no longer holds. */
  #forgetOther({ revision }: ToolBox): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#admitted.clear();
    this.#warned.clear();
  }

  /** Throws with every finding when the flow has errors. */
  compile(source: Json, now: number): FlowVersion {
    const text = textOf(source);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const { plan, findings } = validate(source);
    return this.#keepCompiled(source, { plan: plan ?? compile(source), findings, now });
  }

  #keepCompiled(source: Json, { plan, findings, now }: Checked): FlowVersion {
    const record = { hash: plan.hash, name: plan.name, source: toValue(source), createdAt: now };
    const text = typeof source === "string" ? source : record.source;
    let warnings = findings === null ? undefined : warningsIn(findings);
    const version: FlowVersion = {
      plan,
      record,
      subFlows: subFlowsOf(plan),
      get warnings() {
        return (warnings ??= warningsIn(validate(text).findings));
      },
    };
    keep(this.#byHash, plan.hash, version);
    keep(this.#byText, textOf(source), version);
    return version;
  }

  /** A workflow that the program brought along. */
  findNamed(name: string): FlowVersion | undefined {
    return this.#named.get(name);
  }

  names(): Iterable<string> {
    return this.#named.keys();
  }

  /** The plan of a version that is in the store. */
  async loadPlan(hash: string): Promise<Plan> {
    return (await this.loadVersion(hash)).plan;
  }

  /** A version that is in the store, or on its way there; a promise only when the store must be asked. */
  loadVersion(hash: string): FlowVersion | Promise<FlowVersion> {
    return this.#byHash.get(hash) ?? this.#ownVersion(hash) ?? this.#readVersion(hash);
  }

  /** What the program brought along may never have been written. */
  #ownVersion(hash: string): FlowVersion | undefined {
    for (const version of this.#named.values()) if (version.plan.hash === hash) return version;
    return undefined;
  }

  async #readVersion(hash: string): Promise<FlowVersion> {
    const record = await this.#store.findFlow(hash);
    if (record === undefined)
      throw new StepwellError("STORE_CORRUPT", `The flow ${hash} of a run is missing from ${this.#store.name}.`);
    const { plan: valid, findings } = validate(record.source);
    const plan = valid ?? compile(record.source);
    const version = { plan, record, warnings: warningsIn(findings), subFlows: subFlowsOf(plan) };
    keep(this.#byHash, hash, version);
    return version;
  }
}

function textOf(source: Json): string {
  return typeof source === "string" ? source : JSON.stringify(source);
}

function warningsIn(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));
}

function subFlowsOf(plan: Plan): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const step of Object.values(plan.steps))
    if (step.kind === "flow") found.set(`${step.workflow}@${step.version}`, { name: step.workflow, no: step.version });
  return [...found.values()];
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
