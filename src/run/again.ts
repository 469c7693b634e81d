// Terminal is final: whoever wants a run tried again, run again from a step or forked gets a new one. Here is worked out
// what the new run takes over from the old one's rows: every visit, from the first step on, that is done and was not
// undone, as far as the chosen step. How that becomes rows of the new run is told in recall.ts.

import { own, type JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { keysKept } from "./again-keys.ts";
import type { Again, Recorded, Way } from "./message.ts";
import { attemptOf, hasEnded, type Row, type RowId, type RunRow } from "./model.ts";
import { readVisits, type Visit, type Visits } from "./visits.ts";

export type AgainAsked = {
  readonly plan: Plan;
  readonly run: RunRow;
  /** All rows of the run. */
  readonly rows: readonly Row[];
  readonly how: "retry" | "rerun" | "fork";
  /** The row to begin with, or the step whose newest visit it is; null: the start. A retry knows by itself. */
  readonly from: RowId | string | null;
  /** As `prepareInput` gave it; null: as it was. */
  readonly input: JsonObject | null;
};

/** The parts of the start message that the new run does not have by itself. */
export type AgainPlanned =
  | { readonly ok: true; readonly input: JsonObject; readonly again: Again }
  | { readonly ok: false; readonly code: string; readonly message: string };

export function planAgain(asked: AgainAsked): AgainPlanned {
  const { plan, run, rows, how } = asked;
  const visits = readVisits(plan, rows);
  const chosen = choose(asked, visits);
  if (!chosen.ok) return chosen;
  const cuts = new Set(how === "retry" ? visits.badEnds : chosen.visit === undefined ? [] : [chosen.visit]);
  // From the start nothing is taken over.
  const isWhole = how !== "retry" && chosen.visit === undefined;
  const recorded = isWhole ? [] : record(visits, cuts);
  const origin = {
    kind: how,
    run: run.id,
    uid: run.uid,
    ...(how === "retry" ? { attempt: (attemptOf(run.origin) ?? 1) + 1 } : {}),
  };
  const taken = new Set(recorded.flatMap(({ row, way }) => (way === null ? [] : [row.id])));
  const keys = how === "retry" ? keysKept({ plan, run, visits, taken }) : null;
  return { ok: true, input: asked.input ?? run.input, again: { origin, keys, recorded } };
}

type Chosen = { readonly ok: true; readonly visit: Visit | undefined } | Extract<AgainPlanned, { ok: false }>;

function refused(code: string, message: string): Chosen {
  return { ok: false, code, message };
}

function choose({ plan, run, how, from, rows }: AgainAsked, visits: Visits): Chosen {
  if (how === "retry") return mayRetry(run);
  if (from === null) return { ok: true, visit: undefined };
  if (typeof from === "string") return chooseStep(plan, visits, from);
  const row = rows.find(({ id }) => id === from);
  if (row === undefined) return refused("unknown_step", `The run has no row ${from}.`);
  return chooseVisit(visits.around(row), row.name);
}

function mayRetry(run: RunRow): Chosen {
  if (!hasEnded(run)) return refused("not_ended", "The run has not ended. Cancel it first, or let it end.");
  if (run.status === "completed")
    return refused("nothing_to_retry", "The run has completed, so there is nothing to retry. Rerun it instead.");
  return { ok: true, visit: undefined };
}

function chooseStep(plan: Plan, visits: Visits, name: string): Chosen {
  const step = own(plan.names, name);
  if (step === undefined) return refused("unknown_step", `The flow has no step "${name}".`);
  return chooseVisit(visits.newestOf(step), name);
}

function chooseVisit(visit: Visit | undefined, name: string): Chosen {
  if (visit !== undefined) return { ok: true, visit };
  return refused("step_not_entered", `The run was never in "${name}" on its way. Choose a step that it has entered.`);
}

/** Every visit that is reached from the start along visits that are taken over, those included that are not. */
function record(visits: Visits, cuts: ReadonlySet<Visit>): readonly Recorded[] {
  const recorded = new Map<Visit, Recorded>();
  const left = new Map(visits.insideForks);
  const waiting: Visit[] = visits.start === undefined ? [] : [visits.start];
  // Walked with what is added to it meanwhile.
  for (const visit of waiting) {
    const isTaken = visit.isDone && !cuts.has(visit);
    recorded.set(visit, toRecorded(visit, { way: isTaken ? visit.way : null, isCut: cuts.has(visit) }));
    if (!isTaken) continue;
    for (const next of visits.after(visit)) waiting.push(next);
    for (const fork of visit.forks) {
      const open = (left.get(fork) ?? 0) - 1;
      left.set(fork, open);
      // The join comes when all that happened in the fork is there again.
      if (open === 0) waiting.push(...visits.joinsOf(fork));
    }
  }
  return [...recorded.values()];
}

type Taking = { readonly way: Way | null; readonly isCut: boolean };

function toRecorded({ place, last, items, actions, isUndoable }: Visit, { way, isCut }: Taking): Recorded {
  // Of an each that is done the items are needed only where they may have to be undone.
  const isNeeded = !isCut && (way === null || isUndoable);
  const kept = items === null || !isNeeded ? null : { list: items.list, done: items.done };
  return { place, row: last, way, items: kept, actions: way === null ? [] : actions };
}
