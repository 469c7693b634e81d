// Small plans for the tests of the drawings, built by hand: the compiler is not needed to draw.

import type { Expression } from "../../../src/flow/expression/ast.ts";
import { objectFrom } from "../../../src/flow/json.ts";
import type {
  CancelRule,
  Plan,
  PlanStep,
  StateTransition,
  StepBase,
  Target,
  TerminalKind,
  Transition,
  Wait,
} from "../../../src/flow/plan.ts";
import { under } from "../../../src/flow/pointer.ts";

export type Sketch = {
  readonly label?: string;
  readonly tool?: string;
  readonly each?: boolean;
  readonly gate?: { readonly approvers?: readonly string[]; readonly need?: number; readonly escalateTo?: string };
  readonly wait?: Wait;
  readonly flow?: string;
  readonly version?: number;
  readonly set?: readonly string[];
  readonly terminal?: TerminalKind;
  readonly transitions?: readonly TransitionSketch[];
  readonly next?: string;
  readonly branch?: readonly (readonly [string, string])[];
  readonly else?: string;
  readonly parallel?: readonly string[];
  /** With `parallel`: on the forking step (`arrive`) or found on its branches. */
  readonly join?: string;
  readonly arrive?: boolean;
  readonly routes?: { readonly [outcome: string]: string };
  readonly done?: TerminalKind;
  readonly cleanup?: string;
};

type TransitionSketch = {
  readonly name: string;
  readonly to: string;
  readonly guard?: string;
  readonly action?: string;
  readonly afterMs?: number;
};

export type PlanSketch = { readonly [key: string]: Sketch };

export function buildPlan(name: string | null, steps: PlanSketch, start?: string): Plan {
  const keys = Object.keys(steps);
  return {
    kind: "plan",
    notation: Object.values(steps).some((step) => step.transitions !== undefined) ? "machine" : "flow",
    name,
    description: null,
    hash: "0".repeat(64),
    start: start ?? keys[0] ?? "start",
    steps: objectFrom(Object.entries(steps).map(([key, sketch]) => [key, buildStep(key, sketch)])),
    names: objectFrom(keys.map((key) => [key, key])),
    input: { schema: null, defaults: {} },
    cancel: "anywhere",
    timeoutMs: null,
    strict: false,
    resources: {},
  };
}

export function expression(source: string): Expression {
  return { kind: "expression", source, node: { kind: "literal", value: null, at: 0 }, references: [] };
}

function buildStep(key: string, sketch: Sketch): PlanStep {
  const base = buildBase(key, sketch);
  const each = sketch.each === true ? eachItem : null;
  if (sketch.transitions !== undefined)
    return { ...base, kind: "state", transitions: sketch.transitions.map(buildTransition) };
  if (sketch.terminal !== undefined) return { ...base, kind: "end" };
  if (sketch.wait !== undefined) return { ...base, kind: "wait", wait: sketch.wait };
  if (sketch.flow !== undefined) {
    const version = sketch.version ?? null;
    return { ...base, kind: "flow", workflow: sketch.flow, version, input: nothing, retry, each, compensate: null };
  }
  if (sketch.set !== undefined) {
    return { ...base, kind: "set", values: { kind: "map", entries: sketch.set.map((name) => [name, nothing]) } };
  }
  if (sketch.gate !== undefined) return buildGate(base, sketch.gate);
  return { ...base, ...policy, kind: "tool", tool: sketch.tool ?? "demo.echo", args: nothing, each };
}

const nothing = { kind: "value", value: null } as const;
const retry = { attempts: 1, backoff: { kind: "list", delaysMs: [] }, jitter: 0 } as const;
const eachItem = { items: nothing, concurrency: 1, onItemError: "fail", result: "list" } as const;
const policy = {
  retry,
  effect: null,
  onUnknown: null,
  probe: null,
  idempotencyKey: null,
  onCircuitOpen: "halt",
  onMissingTool: "halt",
  fallback: null,
  sanitize: null,
  compensate: null,
} as const;

function buildBase(key: string, sketch: Sketch): StepBase {
  const cancel: CancelRule =
    sketch.cleanup === undefined ? { kind: "allowed" } : { kind: "cleanup", step: sketch.cleanup };
  return {
    key,
    label: sketch.label ?? key,
    pointer: under("", "steps", key),
    position: null,
    transition: buildTransitionOf(sketch),
    routes: objectFrom(Object.entries(sketch.routes ?? {}).map(([outcome, to]) => [outcome, target(to)])),
    outcome: null,
    onNoMatch: "hold",
    cancel,
    inputFrom: null,
    timeoutMs: null,
    mentions: [],
  };
}

function buildTransitionOf(sketch: Sketch): Transition {
  if (sketch.transitions !== undefined) return { kind: "events" };
  if (sketch.parallel !== undefined) {
    const everyBranchArrives = sketch.arrive ?? false;
    return {
      kind: "fork",
      branches: sketch.parallel,
      join: sketch.join ?? null,
      everyBranchArrives,
      onBranchError: "fail",
    };
  }
  if (sketch.branch !== undefined) {
    const cases = sketch.branch.map(([condition, to]) => ({ if: expression(condition), to: target(to) }));
    return { kind: "branch", cases, otherwise: sketch.else === undefined ? null : target(sketch.else) };
  }
  if (sketch.next !== undefined) return { kind: "next", to: target(sketch.next) };
  if (sketch.join !== undefined) return { kind: "join", to: sketch.join };
  if (sketch.routes !== undefined && sketch.done === undefined) return { kind: "routes" };
  return { kind: "end", terminal: sketch.terminal ?? sketch.done ?? "success", output: null, message: null };
}

function buildGate(base: StepBase, gate: NonNullable<Sketch["gate"]>): PlanStep {
  return {
    ...base,
    kind: "gate",
    title: null,
    message: null,
    form: null,
    approvers: gate.approvers ?? null,
    need: gate.need ?? 1,
    selfApproval: true,
    notify: null,
    remindAfterMs: null,
    escalateAfterMs: null,
    escalateTo: gate.escalateTo ?? null,
    expiresAfterMs: null,
    onExpire: "expired",
  };
}

function buildTransition(sketch: TransitionSketch, index: number): StateTransition {
  return {
    name: sketch.name,
    to: sketch.to,
    guard: sketch.guard === undefined ? null : expression(sketch.guard),
    requiresReason: false,
    set: null,
    action: sketch.action ?? null,
    onError: null,
    afterMs: sketch.afterMs ?? null,
    pointer: under("", "transitions", index),
  };
}

function target(to: string): Target {
  return to === "end" ? { kind: "end" } : { kind: "step", step: to };
}

const wait30s: Wait = { kind: "sleep", ms: 30_000 };

/** Each is drawn in the three forms and compared with the files beside this one. */
export const samples: { readonly [name: string]: Plan } = objectFrom<Plan>([
  [
    "chain",
    buildPlan("morning-notify", {
      fetch: { tool: "weather.today", next: "shorten" },
      shorten: { tool: "text.summarize", next: "greet" },
      greet: { set: ["greeting", "name"], next: "pause" },
      pause: { wait: { kind: "until", until: { kind: "value", value: "tomorrow at 9am" }, zone: null }, next: "send" },
      send: { tool: "notify.send", done: "success" },
    }),
  ],
  [
    "branch",
    buildPlan("refund", {
      look: {
        tool: "shop.order",
        branch: [
          ["result.amount > 100", "ask"],
          ["result.amount == 0", "end"],
        ],
        else: "refund",
        routes: { error: "alert" },
      },
      ask: { gate: { approvers: ["group:finance"] }, next: "refund", routes: { rejected: "refused" } },
      refund: { tool: "bank.refund", next: "mail", routes: { error: "alert" } },
      mail: { tool: "mail.send", done: "success" },
      refused: { terminal: "failure" },
      alert: { tool: "notify.send", done: "failure" },
    }),
  ],
  [
    "fork",
    buildPlan("research-digest", {
      fetch: { tool: "web.fetch", next: "score" },
      score: { tool: "demo.score", parallel: ["translate", "summarize"], join: "approve" },
      translate: { tool: "text.translate", join: "approve" },
      summarize: { tool: "text.summarize", next: "check" },
      check: { tool: "text.check", join: "approve" },
      approve: { gate: {}, next: "publish" },
      publish: { tool: "notify.send", done: "success" },
    }),
  ],
  [
    "nested-fork",
    buildPlan("onboarding", {
      start: { tool: "hr.create", parallel: ["accounts", "desk", "contract"], join: "welcome", arrive: true },
      accounts: { tool: "it.request", parallel: ["mail", "chat"], join: "check" },
      mail: { tool: "it.mailbox", join: "check" },
      chat: { tool: "it.chat", next: "invite" },
      invite: { tool: "it.invite", join: "check" },
      check: { tool: "it.check", done: "success" },
      desk: { tool: "office.desk", done: "success" },
      contract: { flow: "sign-contract", version: 3, next: "file" },
      file: { tool: "archive.put", done: "success" },
      welcome: { tool: "mail.send", each: true, done: "success" },
    }),
  ],
  [
    "loop",
    buildPlan("poll-until-ready", {
      submit: { tool: "render.start", next: "ask" },
      ask: {
        tool: "render.status",
        branch: [
          ["result.state == 'ready'", "download"],
          ["result.state == 'failed'", "give_up"],
        ],
        else: "pause",
      },
      pause: { wait: wait30s, next: "ask" },
      download: { tool: "render.get", next: "verify" },
      verify: { tool: "media.probe", routes: { broken: "submit", success: "store", error: "verify" } },
      store: { tool: "files.put", done: "success" },
      give_up: { terminal: "failure" },
    }),
  ],
  [
    "pipeline",
    {
      ...buildPlan("rss-digest", {
        "1": { label: "fetch", tool: "rss.fetch", next: "2", routes: { items: "2", empty: "5", error: "6" } },
        "2": { label: "score", tool: "llm.score", each: true, next: "3", routes: { partial: "4" } },
        "3": { label: "format", tool: "text.format", next: "4" },
        "4": { label: "deliver", tool: "telegram.send", done: "success", routes: { error: "6" } },
        "5": { label: "no news", tool: "telegram.send", done: "success" },
        "6": { label: "alert", tool: "telegram.send", done: "failure" },
      }),
      notation: "pipeline",
    },
  ],
  [
    "machine",
    buildPlan("document-review", {
      draft: {
        transitions: [
          { name: "submit", to: "review", guard: "data.pages > 0" },
          { name: "withdraw", to: "withdrawn" },
        ],
      },
      review: {
        transitions: [
          { name: "publish", to: "published", action: "review.publish" },
          { name: "send back", to: "draft" },
          { name: "remind", to: "review", action: "review.remind", afterMs: 86_400_000 },
          { name: "withdraw", to: "withdrawn" },
        ],
      },
      "review.publish": { label: "publish", tool: "cms.publish", next: "published" },
      "review.remind": { label: "remind", tool: "log", next: "review" },
      published: { terminal: "success" },
      withdrawn: { terminal: "cancel" },
    }),
  ],
  [
    "gate",
    buildPlan("release", {
      build: { tool: "ci.build", next: "approve", cleanup: "clean" },
      approve: {
        gate: { approvers: ["user:ann", "group:release"], need: 2, escalateTo: "page" },
        next: "deploy",
        routes: { rejected: "dropped", expired: "dropped" },
      },
      deploy: { tool: "ci.deploy", next: "confirm", cleanup: "clean" },
      confirm: {
        wait: { kind: "event", event: "deployed", match: expression("event.build == steps.build.result") },
        done: "success",
      },
      dropped: { terminal: "cancel" },
      page: { tool: "pager.call", done: "success" },
      clean: { tool: "ci.clean", done: "success" },
    }),
  ],
]);
