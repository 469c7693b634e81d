// Cancelling: whether it may be, what it would do, and doing it. The preview runs the first part of a cancel on a draft
// that is thrown away, so that it cannot say anything else than what would happen.

import { edgesFrom } from "../flow/edges.ts";
import type { Plan, PlanStep, StateTransition, StepKey } from "../flow/plan.ts";
import { clearPoison } from "./attention.ts";
import { liveRows, openDraft, patchRun, refuse, stepOf, tell, type Draft } from "./draft.ts";
import { beginEnding, cleanupOf, parentName, undoOrder } from "./ending.ts";
import type { Env } from "./env.ts";
import { cancelTransitions, fire } from "./machine.ts";
import type { MessageOf } from "./message.ts";
import { hasBegun, hasEnded, type Frontier, type Row, type RowId } from "./model.ts";

export type CanCancel =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly message: string };

/** May the run be cancelled now? `env` brings the old results that a machine's guards name. */
export function canCancel(plan: Plan, frontier: Frontier, env: Env): CanCancel {
  const way = wayToCancel(openDraft(plan, frontier, env, "reading"));
  return way.kind === "refused" ? { allowed: false, reason: way.reason, message: way.message } : { allowed: true };
}

export type CancelPreview = {
  /** The transition that a machine would fire; null: the run is stopped wherever it is. */
  readonly transition: string | null;
  readonly aborted: readonly PreviewRow[];
  /** The steps that clean up. */
  readonly cleanup: readonly StepKey[];
  /** In this order. */
  readonly undone: readonly PreviewRow[];
};

type PreviewRow = {
  readonly row: RowId;
  readonly step: StepKey;
  readonly name: string;
  readonly mayHaveHappened: boolean;
};

/** What cancelling now would do; `undoable` are the stored rows that can be undone. */
export function previewCancel(plan: Plan, frontier: Frontier, env: Env, undoable: readonly Row[]): CancelPreview {
  const draft = openDraft(plan, frontier, env, "preview");
  const way = wayToCancel(draft);
  if (way.kind === "refused" || way.kind === "given") return { transition: null, aborted: [], cleanup: [], undone: [] };
  if (way.kind === "fire")
    return { transition: way.transition, aborted: [], cleanup: [], undone: undoneOf(draft, undoable) };
  const cleanup = [...cleanupOf(draft, liveRows(draft)).keys()];
  beginEnding(draft, { kind: "cancel", error: null, output: null, by: null, reason: null });
  const aborted = [...draft.rows.values()].filter((row) => row.status === "cancelled");
  return { transition: null, aborted: aborted.map(toPreview), cleanup, undone: undoneOf(draft, undoable) };
}

function undoneOf(draft: Draft, undoable: readonly Row[]): readonly PreviewRow[] {
  return undoOrder(draft, undoable).map(toPreview);
}

function toPreview({ id, step, name, mayHaveHappened }: Row): PreviewRow {
  return { row: id, step, name, mayHaveHappened };
}

export function cancel(draft: Draft, message: MessageOf<"cancel">): void {
  const { by, reason } = message;
  const { parent } = draft.run;
  // Whoever stops a run stops its sub-runs, whatever their own flows say.
  const isFromParent = parent !== null && by === parentName(parent.run);
  const way = isFromParent && !isEnding(draft) ? stop : wayToCancel(draft);
  switch (way.kind) {
    case "refused":
      // Whoever asked may not wait for the answer: those who look later see that it was asked for.
      if (!hasEnded(draft.run)) tell(draft, "cancel_refused", { by, data: { code: way.reason, reason } });
      return refuse(draft, way.reason, way.message);
    case "given":
      return undefined;
    case "fire":
      return fireToCancel(draft, message, way.transition);
    case "stop":
      tell(draft, "cancelled", { by, data: { reason } });
      beginEnding(draft, { kind: "cancel", error: null, output: null, by, reason });
      return goOnToEnd(draft);
  }
}

function isEnding({ run }: Draft): boolean {
  return hasEnded(run) || run.ending !== null;
}

/** A run that is paused, poisoned or has not started needs no further word to come to its end. */
function goOnToEnd(draft: Draft): void {
  patchRun(draft, { status: "running" });
  clearPoison(draft);
}

function fireToCancel(draft: Draft, { by, reason }: MessageOf<"cancel">, transition: string): void {
  fire(draft, { kind: "fire", transition, by, reason, data: {} });
  if (draft.reply.kind === "refused") return;
  tell(draft, "cancelled", { by, data: { reason } });
  draft.reply = { kind: "ok", value: null };
  goOnToEnd(draft);
}

type Way =
  | { readonly kind: "stop" }
  | { readonly kind: "fire"; readonly transition: string }
  /** It is being cancelled already: whoever asks again gets the same answer. */
  | { readonly kind: "given" }
  | { readonly kind: "refused"; readonly reason: string; readonly message: string };

const stop: Way = { kind: "stop" };

function wayToCancel(draft: Draft): Way {
  const { run, plan } = draft;
  if (isEnding(draft)) return wayWhileEnding(draft);
  // Nothing has begun yet.
  if (!hasBegun(run)) return stop;
  if (plan.cancel === "never") return refused("never", "This workflow may not be cancelled.");
  if (plan.notation === "machine") return wayOfMachine(draft);
  return plan.cancel === "declared" ? wayWhereDeclared(draft) : wayAnywhere(draft);
}

function refused(reason: string, message: string): Way {
  return { kind: "refused", reason, message };
}

function wayWhileEnding({ run }: Draft): Way {
  const isCancelled = run.status === "cancelled" && run.version > 0;
  if (isCancelled || run.ending?.kind === "cancel") return { kind: "given" };
  if (run.ending !== null) return refused("already_ending", "The run has failed and is being undone.");
  return refused("already_ended", `The run has ended: ${run.status}. Start a new one instead.`);
}

/** By the kind of the state that a transition leads to, never by its name; with several the caller has to choose. */
function wayOfMachine(draft: Draft): Way {
  const underWay = liveRows(draft).flatMap((row) => transitionOf(draft, row) ?? [])[0];
  if (underWay !== undefined) return wayWhileFiring(draft, underWay);
  const names = cancelTransitions(draft).map(({ transition }) => transition.name);
  const [name] = names;
  if (name === undefined) return draft.plan.cancel === "anywhere" ? wayAnywhere(draft) : notHere(draft);
  if (names.length === 1) return { kind: "fire", transition: name };
  return refused("several_transitions", `Several transitions cancel this run: ${names.join(", ")}. Fire one of them.`);
}

/** The transition that a state's row has begun, and whose action is not over. */
function transitionOf(draft: Draft, { step, firing }: Row): StateTransition | undefined {
  const state = stepOf(draft, { step });
  return state.kind === "state" ? state.transitions.find(({ name }) => name === firing?.transition) : undefined;
}

function wayWhileFiring(draft: Draft, { name, to }: StateTransition): Way {
  if (isCancelEnd(stepOf(draft, { step: to }))) return { kind: "given" };
  return refused("transition_in_progress", `"${name}" is under way. Wait until it is over.`);
}

function notHere(draft: Draft): Way {
  const names = liveRows(draft).map((row) => `"${row.name}"`);
  return refused("not_declared", `Nothing leads from ${names.join(", ")} to an end of kind cancel.`);
}

function isCancelEnd({ transition }: PlanStep): boolean {
  return transition.kind === "end" && transition.terminal === "cancel";
}

/** Each step that has not ended must lead to such an end in one move. */
function wayWhereDeclared(draft: Draft): Way {
  const isDeclared = (row: Row): boolean =>
    edgesFrom(stepOf(draft, row)).some(({ to }) => to !== null && isCancelEnd(stepOf(draft, { step: to })));
  const open = liveRows(draft).filter((row) => row.completedAt === null || row.isHeld);
  return open.every(isDeclared) ? stop : notHere(draft);
}

function wayAnywhere(draft: Draft): Way {
  const against = liveRows(draft).find((row) => stepOf(draft, row).cancel.kind === "refused");
  return against === undefined
    ? stop
    : refused("step_refuses", `"${against.name}" may not be cancelled while it is under way.`);
}
