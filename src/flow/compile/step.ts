// One step of a flow or pipeline: what it does (by the one action it names) and the policies it does it with.

import type {
  Call,
  CallPolicy,
  CancelRule,
  FlowStep,
  GateStep,
  PlanStep,
  StepBase,
  StepKey,
  Target,
  ToolStep,
  Wait,
} from "../plan.ts";
import type { Pointer } from "../pointer.ts";
import type { Template } from "../template/template.ts";
import type { CallSpec, Gate } from "../schema/types.ts";
import {
  compileCondition,
  compileExpression,
  compileStructure,
  compileTemplate,
  stepNamed,
  type Compiler,
  type Moment,
  type Site,
} from "./compiler.ts";
import { at, compileEach, compileRetry, durationMs, durationOrNull, type Defaults } from "./policy.ts";
import { compileRoutes, compileTransition, type NormalStep } from "./transition.ts";

export type StepSource = {
  readonly key: StepKey;
  readonly spec: NormalStep;
  readonly pointer: Pointer;
  readonly position: number | null;
  readonly defaults: Defaults;
  readonly fallthrough: Target;
};

export function compileStep(compiler: Compiler, source: StepSource): PlanStep {
  const { spec } = source;
  const base = compileBase(compiler, source);
  if (spec.gate !== undefined) return compileGate(compiler, spec.gate, { base, source });
  if (spec.wait !== undefined) return { ...base, kind: "wait", wait: compileWait(compiler, spec.wait, source) };
  if (spec.flow !== undefined) return compileSubFlow(compiler, spec.flow, { base, source });
  if (spec.set !== undefined) {
    return { ...base, kind: "set", values: compileTemplate(compiler, spec.set, siteOf(source, "before", "set")) };
  }
  if (typeof spec.tool === "string") return compileTool(compiler, spec.tool, { base, source });
  return { ...base, kind: "end" };
}

type Parts = { readonly base: StepBase; readonly source: StepSource };

/** Before the step runs nothing of its own is there; afterwards its result is. */
function siteOf(source: StepSource, moment: Moment, ...parts: readonly (string | number)[]): Site {
  const roots = moment === "before" ? [] : ["result"];
  return at({ step: source.key, pointer: source.pointer, moment, roots, mayHoldSecrets: false }, ...parts);
}

/** The arguments of calls may hold secrets. */
function callSite(source: StepSource, moment: Moment, ...parts: readonly (string | number)[]): Site {
  return { ...siteOf(source, moment, ...parts), mayHoldSecrets: true };
}

function compileBase(compiler: Compiler, source: StepSource): StepBase {
  const { key, spec, pointer, position } = source;
  const after = siteOf(source, "after");
  return {
    key,
    label: spec.name ?? key,
    pointer,
    position,
    transition: compileTransition(compiler, { spec, site: after, fallthrough: source.fallthrough }),
    routes: compileRoutes(compiler, spec.routes ?? {}, after),
    outcome: spec.outcome === undefined ? null : compileExpression(compiler, spec.outcome, at(after, "outcome")),
    onNoMatch: spec.on_no_match ?? "hold",
    cancel: compileCancel(compiler, spec.cancel, at(after, "cancel").pointer),
    inputFrom: namedStep(compiler, spec.input_from, at(after, "input_from").pointer),
    timeoutMs: durationOrNull(spec.timeout),
    mentions: [],
  };
}

function compileCancel(compiler: Compiler, cancel: NormalStep["cancel"], pointer: Pointer): CancelRule {
  if (cancel === false) return { kind: "refused" };
  const step = typeof cancel === "string" ? stepNamed(compiler, cancel, pointer) : undefined;
  return step === undefined ? { kind: "allowed" } : { kind: "cleanup", step };
}

function namedStep(compiler: Compiler, name: string | number | undefined, pointer: Pointer): StepKey | null {
  return name === undefined ? null : (stepNamed(compiler, String(name), pointer) ?? null);
}

function compileTool(compiler: Compiler, tool: string, { base, source }: Parts): ToolStep {
  const { spec, defaults } = source;
  const site = callSite(source, "before", "args");
  const inItem = spec.each === undefined ? site : { ...site, roots: [...site.roots, "item", "index"] };
  return {
    ...base,
    kind: "tool",
    tool,
    args: compileStructure(compiler, spec.args ?? argsByDefault(compiler), { ...inItem, wanted: "an object" }),
    each: compileEach(compiler, spec.each, siteOf(source, "before")),
    timeoutMs: base.timeoutMs ?? defaults.timeoutMs,
    ...compilePolicy(compiler, source, inItem.roots),
  };
}

/** A pipeline hands each step what the one before it gave. */
function argsByDefault(compiler: Compiler): NonNullable<NormalStep["args"]> {
  return compiler.notation === "pipeline" ? { input: "{{ previous }}" } : {};
}

export function compilePolicy(compiler: Compiler, source: StepSource, roots: readonly string[]): CallPolicy {
  const { spec, defaults } = source;
  const key = spec.idempotency_key;
  const keySite = { ...siteOf(source, "before", "idempotency_key"), roots };
  return {
    retry: compileRetry(spec.retry, defaults.retry),
    effect: spec.effect ?? null,
    onUnknown: spec.on_unknown ?? null,
    probe: compileCall(compiler, spec.probe, { ...callSite(source, "before", "probe"), roots }),
    idempotencyKey: key === undefined ? null : compileTemplate(compiler, key, keySite),
    onCircuitOpen: spec.on_circuit_open ?? "halt",
    onMissingTool: spec.on_missing_tool ?? "halt",
    fallback: spec.fallback ?? null,
    sanitize: spec.sanitize ?? null,
    compensate: compileCall(compiler, spec.compensate, {
      ...callSite(source, "undo", "compensate"),
      roots: [...roots, "result"],
    }),
  };
}

function compileCall(compiler: Compiler, call: CallSpec | undefined, site: Site): Call | null {
  if (call === undefined) return null;
  return {
    tool: call.tool,
    args: compileStructure(compiler, call.args ?? {}, { ...at(site, "args"), wanted: "an object" }),
  };
}

function compileSubFlow(compiler: Compiler, flow: string, { base, source }: Parts): FlowStep {
  const { spec } = source;
  const [, workflow, version] = /^(.*?)(?:@(\d+))?$/s.exec(flow) ?? [];
  const site = siteOf(source, "before", "input");
  const roots = spec.each === undefined ? site.roots : [...site.roots, "item", "index"];
  return {
    ...base,
    kind: "flow",
    workflow: workflow ?? flow,
    version: version === undefined ? null : Number(version),
    input: compileStructure(compiler, spec.input ?? {}, { ...site, roots, wanted: "an object" }),
    retry: compileRetry(spec.retry, source.defaults.retry),
    each: compileEach(compiler, spec.each, siteOf(source, "before")),
    compensate: compileCall(compiler, spec.compensate, {
      ...callSite(source, "undo", "compensate"),
      roots: [...roots, "result"],
    }),
  };
}

function compileGate(compiler: Compiler, gate: Gate, { base, source }: Parts): GateStep {
  const text = (key: "title" | "message"): Template | null => {
    const written = gate[key];
    return written === undefined ? null : compileTemplate(compiler, written, siteOf(source, "before", "gate", key));
  };
  return {
    ...base,
    kind: "gate",
    title: text("title"),
    message: text("message"),
    form: gate.form ?? null,
    approvers: gate.approvers ?? null,
    need: gate.need ?? 1,
    selfApproval: gate.self_approval ?? true,
    notify: compileCall(compiler, gate.notify, callSite(source, "before", "gate", "notify")),
    remindAfterMs: durationOrNull(gate.remind_after),
    escalateAfterMs: durationOrNull(gate.escalate_after),
    escalateTo: namedStep(compiler, gate.escalate_to, at(siteOf(source, "before"), "gate", "escalate_to").pointer),
    expiresAfterMs: durationOrNull(gate.expires_after),
    onExpire: gate.on_expire ?? "expired",
  };
}

function compileWait(compiler: Compiler, wait: NonNullable<NormalStep["wait"]>, source: StepSource): Wait {
  if (typeof wait === "string") return { kind: "sleep", ms: durationMs(wait) };
  if ("until" in wait) {
    const until = compileTemplate(compiler, wait.until, siteOf(source, "before", "wait", "until"));
    return { kind: "until", until, zone: wait.zone ?? null };
  }
  const site = { ...siteOf(source, "before", "wait", "match"), roots: ["data", "event"] };
  const match = wait.match === undefined ? null : compileCondition(compiler, wait.match, site);
  return { kind: "event", event: wait.event, match };
}
