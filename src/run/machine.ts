// Machines: a state waits until one of its transitions fires. Without an action the run moves at once; with one it
// stays in the state until the action is over, and moves in the decision that ends it. `data` changes with the move,
// never before.

import { isObject, type Json, type JsonObject } from "../flow/json.ts";
import type { Plan, StateStep, StateTransition } from "../flow/plan.ts";
import { liveRows, openDraft, patchRun, putRow, refuse, refuseIfEnded, stepOf, tell, type Draft } from "./draft.ts";
import { rest } from "./enter.ts";
import type { Env } from "./env.ts";
import { complete } from "./finish.ts";
import type { FireMessage } from "./message.ts";
import { hasBegun, type Alarm, type Failure, type Firing, type Frontier, type Row } from "./model.ts";
import { goTo } from "./path.ts";
import { causedBy } from "./row.ts";
import { computeTemplate, holds, type Verdict } from "./values.ts";

export function openState(draft: Draft, row: Row, step: StateStep): void {
  const { now } = draft.env;
  const alarms = step.transitions.flatMap(({ name, afterMs }) =>
    afterMs === null ? [] : [{ kind: `after:${name}`, at: now + afterMs } as const],
  );
  const opened = { ...row, status: "pending", readyAt: null, startedAt: now } as const;
  // While the run was paused one of its transitions may have fired already.
  const { firing } = row;
  putRow(draft, firing === null ? { ...opened, alarms } : { ...opened, firing: { ...firing, alarms } });
}

/** A state in which the run is, and what leads out of it. */
type Stay = { readonly row: Row; readonly step: StateStep };

function currentStay(draft: Draft): Stay | undefined {
  if (!hasBegun(draft.run)) return undefined;
  for (const row of liveRows(draft)) {
    const step = stepOf(draft, row);
    if (step.kind === "state") return { row, step };
  }
  return undefined;
}

export function fire(draft: Draft, message: FireMessage): void {
  if (refuseIfEnded(draft)) return;
  if (draft.run.ending !== null)
    return refuse(draft, "already_ended", "The run is ending, and nothing fires any more.");
  const stay = currentStay(draft);
  const transition = stay?.step.transitions.find(({ name }) => name === message.transition);
  if (stay === undefined || transition === undefined) return refuseUnknown(draft, message.transition, stay);
  const { by, reason, data } = message;
  const firing = { transition: transition.name, by, reason, data, alarms: stay.row.alarms };
  const refusal = refusalOf(draft, stay.row, transition, firing) ?? launch(draft, stay.row, transition, firing);
  if (refusal !== null) return refuse(draft, refusal.code, refusal.message);
  draft.reply = { kind: "ok", value: { from: stay.row.step, to: transition.to, isFiring: transition.action !== null } };
}

function refuseUnknown(draft: Draft, name: string, stay: Stay | undefined): void {
  const names = stay?.step.transitions.map((transition) => `"${transition.name}"`).join(", ") ?? "";
  const where =
    stay === undefined ? "The run is in no state" : `The state "${stay.row.name}" has ${names === "" ? "none" : names}`;
  refuse(draft, "transition_not_found", `There is no transition "${name}" here. ${where}.`);
}

function refusalOf(draft: Draft, row: Row, transition: StateTransition, firing: Firing): Failure | null {
  const { name } = transition;
  if (row.firing !== null) {
    return {
      code: "transition_in_progress",
      message: `"${row.firing.transition}" is under way. Wait until it is over.`,
    };
  }
  if (transition.requiresReason && (firing.reason ?? "").trim() === "") {
    return { code: "requires_reason", message: `"${name}" asks for a reason. Say why.` };
  }
  if (isAllowed(draft, row, transition, firing.data)) return null;
  return {
    code: "guard_not_met",
    message: `"${name}" may not fire now: ${transition.guard?.source ?? ""} is not true.`,
  };
}

/** The guard sees the data as it is and the event beside it. One that cannot be evaluated is not met. */
function isAllowed(draft: Draft, row: Row, transition: StateTransition, event: JsonObject): boolean {
  const verdict = judge(draft, row, transition, event);
  const news = verdict.warnings.filter((warning) => !row.warnings.includes(warning));
  if (news.length > 0) putRow(draft, { ...row, warnings: [...row.warnings, ...news] });
  return verdict.holds;
}

function judge(draft: Draft, row: Row, { guard }: StateTransition, event: JsonObject): Verdict {
  return guard === null ? { holds: true, warnings: [] } : holds(draft, row, guard, { event });
}

/** Moves the run, or starts the action on the way; tells why when it can do neither. */
function launch(draft: Draft, row: Row, transition: StateTransition, firing: Firing): Failure | null {
  if (transition.action === null) return move(draft, { state: row, last: row, transition, firing });
  const state = putRow(draft, { ...row, firing, alarms: [] });
  goTo(draft, state, transition.action, {
    ...causedBy(state, `fire:${transition.name}`),
    previous: row.previous,
    firing,
  });
  return null;
}

type Move = {
  readonly state: Row;
  /** The row after which the run moves: the state's own, or its action's. */
  readonly last: Row;
  readonly transition: StateTransition;
  readonly firing: Firing;
};

function move(draft: Draft, { state, last, transition, firing }: Move): Failure | null {
  const { name, to, action, set } = transition;
  const computed =
    set === null ? null : computeTemplate(draft, state, set, { event: firing.data, result: last.result });
  if (computed !== null && computed.error !== null) return computed.error;
  // What the author sets wins over what the caller sends.
  const data = { ...draft.run.data, ...firing.data, ...(isObject(computed?.value) ? computed.value : {}) };
  patchRun(draft, { data });
  const warnings = [...state.warnings, ...(computed?.warnings ?? [])];
  const left = leaveState(draft, { ...state, warnings }, name, data);
  tellOf(draft, "transition", { state, firing, data: { transition: name, from: state.step, to, action } });
  goTo(draft, left, to, { ...causedBy(last, `fire:${name}`), previous: { kind: "row", row: left.id } });
  return null;
}

function leaveState(draft: Draft, state: Row, outcome: string, result: Json): Row {
  rest(draft);
  return complete(draft, { ...state, firing: null }, { result, errors: null, outcome });
}

type Told = { readonly state: Row; readonly firing: Firing; readonly data: JsonObject };

function tellOf(draft: Draft, kind: string, { state, firing, data }: Told): void {
  const { by, reason } = firing;
  tell(draft, kind, { row: state.id, ...(by === null ? {} : { by }), data: { ...data, reason } });
}

/** The action of a transition is over, well or not. */
export function endFiring(draft: Draft, action: Row): void {
  const stay = currentStay(draft);
  const firing = stay?.row.firing ?? null;
  const transition = stay?.step.transitions.find(({ name }) => name === firing?.transition);
  if (stay === undefined || firing === null || transition === undefined) return;
  const fired = { state: stay.row, last: action, transition, firing };
  const error = action.status === "failed" ? action.error : move(draft, fired);
  if (error !== null) failMove(draft, fired, error);
}

/** The run stays where it is, with its alarms, or goes where the author sends failures. */
function failMove(draft: Draft, { state, last, transition, firing }: Move, error: Failure): void {
  const { name, onError } = transition;
  tellOf(draft, "transition_failed", {
    state,
    firing,
    data: { transition: name, from: state.step, to: onError, error: { ...error } },
  });
  if (onError === null) {
    putRow(draft, { ...state, firing: null, alarms: firing.alarms });
    return;
  }
  const left = leaveState(draft, state, "error", draft.run.data);
  goTo(draft, left, onError, { ...causedBy(last, "route:error"), previous: { kind: "error", row: last.id } });
}

/** `after` fires once per stay, if its guard holds then. */
export function fireStateAlarm(draft: Draft, row: Row, alarm: Alarm): void {
  const state = putRow(draft, { ...row, alarms: row.alarms.filter((other) => other !== alarm) });
  const step = stepOf(draft, row);
  const transition =
    step.kind === "state" ? step.transitions.find(({ name }) => alarm.kind === `after:${name}`) : undefined;
  if (transition === undefined) return;
  const firing = { transition: transition.name, by: null, reason: null, data: {}, alarms: state.alarms };
  const asked = { ...transition, requiresReason: false };
  const refusal = refusalOf(draft, state, asked, firing) ?? launch(draft, state, transition, firing);
  if (refusal === null) return;
  tellOf(draft, "transition_refused", { state, firing, data: { transition: transition.name, error: { ...refusal } } });
}

/** The row of the state in which a machine's run is; undefined when it has ended, or is none. */
export function currentState({ run, rows }: Frontier): Row | undefined {
  if (run.data === null || !hasBegun(run)) return undefined;
  return [...rows.values()].find((row) => row.role === "step" && row.tool === null);
}

/** What may be fired now, with this event; `env` brings the old results that guards name. */
export function availableTransitions(
  plan: Plan,
  frontier: Frontier,
  env: Env,
  event: JsonObject = {},
): readonly StateTransition[] {
  return allowedNow(openDraft(plan, frontier, env, "reading"), event).map(({ transition }) => transition);
}

type Allowed = { readonly row: Row; readonly transition: StateTransition };

function allowedNow(draft: Draft, event: JsonObject): readonly Allowed[] {
  const stay = currentStay(draft);
  if (stay === undefined || stay.row.firing !== null) return [];
  const { row, step } = stay;
  const allowed = step.transitions.filter((transition) => judge(draft, row, transition, event).holds);
  return allowed.map((transition) => ({ row, transition }));
}

/** What may be fired now and leads straight to an end of kind cancel, whatever it is called. */
export function cancelTransitions(draft: Draft): readonly Allowed[] {
  return allowedNow(draft, {}).filter(({ transition }) => {
    const target = stepOf(draft, { step: transition.to });
    return target.transition.kind === "end" && target.transition.terminal === "cancel";
  });
}
