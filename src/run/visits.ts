// The rows of a run read as visits: all tries of one step at one time together, what led to them and where they led.

import type { Plan, PlanStep, StepKey, Transition } from "../flow/plan.ts";
import type { Way } from "./message.ts";
import type { Row, RowId } from "./model.ts";
import { placeIn } from "./place.ts";

export type Visit = {
  readonly place: string;
  /** Oldest first. */
  readonly tries: readonly Row[];
  readonly last: Row;
  /** It gave what it had to give, and that was not undone. */
  readonly isDone: boolean;
  readonly way: Way;
  /** The forks in whose branches it stands. */
  readonly forks: readonly RowId[];
  /** Of an each that has begun; `done` are those items that are, and were not undone. */
  readonly items: { readonly list: Row; readonly last: readonly Row[]; readonly done: readonly Row[] } | null;
  /** Of a state: the last tries of its transitions' actions. */
  readonly actions: readonly Row[];
  /** Its step says how. */
  readonly isUndoable: boolean;
};

export type Visits = {
  readonly all: readonly Visit[];
  readonly start: Visit | undefined;
  /** How many visits there were in the branches of each fork. */
  readonly insideForks: ReadonlyMap<RowId, number>;
  /** What ended the run with failure or cancel: such an end, and the state of a machine that led to it. */
  readonly badEnds: readonly Visit[];
  /** What a visit led to, but for a join. */
  after(visit: Visit): readonly Visit[];
  joinsOf(fork: RowId): readonly Visit[];
  newestOf(step: StepKey): Visit | undefined;
  /** The visit that a row is part of, or serves; undefined: it stands beside the flow. */
  around(row: Row): Visit | undefined;
  isUndone(row: Row): boolean;
};

type Reading = {
  readonly plan: Plan;
  readonly byId: ReadonlyMap<RowId, Row>;
  readonly undone: ReadonlySet<RowId | null>;
  /** Tries of a visit by its name. */
  readonly tries: ReadonlyMap<string, readonly Row[]>;
  readonly items: ReadonlyMap<RowId | null, readonly Row[]>;
  readonly lists: ReadonlyMap<RowId | null, Row>;
  /** First tries by the row that led to them. */
  readonly led: ReadonlyMap<RowId | null, readonly Row[]>;
};

export function readVisits(plan: Plan, rows: readonly Row[]): Visits {
  const reading = read(plan, rows);
  const named = new Map<string, Visit>();
  for (const [name, [first, ...others]] of reading.tries)
    if (first !== undefined) named.set(name, visitOf(reading, [first, ...others]));
  const all = [...named.values()];
  const insideForks = new Map<RowId, number>();
  for (const { forks } of all) for (const fork of forks) insideForks.set(fork, (insideForks.get(fork) ?? 0) + 1);
  const visitsOf = (firsts: readonly Row[]): readonly Visit[] => firsts.flatMap((row) => named.get(nameOf(row)) ?? []);
  return {
    all,
    start: all.find(({ place }) => place === placeIn(undefined, "start", plan.start)),
    insideForks,
    badEnds: all.filter((visit) => isBadEnd(plan, visit)),
    after: (visit) => visitsOf(ledOn(reading, visit.tries)),
    joinsOf: (fork) => visitsOf((reading.led.get(fork) ?? []).filter(({ via }) => via === "join")),
    newestOf: (step) => all.findLast(({ last }) => last.step === step),
    around: (row) => named.get(nameOf(rowAround(reading, row) ?? row)),
    isUndone: ({ id }) => reading.undone.has(id),
  };
}

function read(plan: Plan, unsorted: readonly Row[]): Reading {
  const rows = unsorted.toSorted((one, other) => one.id - other.id);
  const tries = Map.groupBy(
    rows.filter((row) => row.role === "step" && row.side === null),
    nameOf,
  );
  const firsts = [...tries.values()].flatMap(([first]) => first ?? []);
  const undoings = rows.filter((row) => row.role === "undo" && row.status === "done");
  return {
    plan,
    byId: new Map(rows.map((row) => [row.id, row])),
    undone: new Set(undoings.map(({ serves }) => serves)),
    tries,
    items: Map.groupBy(
      rows.filter(({ role }) => role === "item"),
      ({ serves }) => serves,
    ),
    lists: new Map(rows.filter(({ role }) => role === "items").map((row) => [row.serves, row])),
    led: Map.groupBy(firsts, ({ causedBy }) => causedBy),
  };
}

function nameOf({ step, visit }: Pick<Row, "step" | "visit">): string {
  return `${step}:${visit}`;
}

function visitOf(reading: Reading, tries: readonly [Row, ...Row[]]): Visit {
  const { byId, undone } = reading;
  const [first] = tries;
  const last = tries.at(-1) ?? first;
  const actions = actionsOf(reading, tries);
  const items = itemsOf(reading, last);
  const parts = [...tries, ...actions, ...(items?.last ?? [])];
  const cause = first.causedBy === null ? undefined : byId.get(first.causedBy);
  return {
    place: placeIn(cause, first.via, first.step),
    tries,
    last,
    isDone: hasLedOn(reading, tries) && !parts.some(({ id }) => undone.has(id)),
    way: wayOf(ledOn(reading, tries)[0], last),
    forks: last.scope.split("/").flatMap((part) => (part === "" ? [] : [Number(part.split(":")[0])])),
    items,
    actions,
    isUndoable: canBeUndone(reading.plan.steps[last.step]),
  };
}

function canBeUndone(step: PlanStep | undefined): boolean {
  return (step?.kind === "tool" || step?.kind === "flow") && step.compensate !== null;
}

/** Of every item the try that decided it. */
function itemsOf({ items, lists, undone }: Reading, { id }: Row): Visit["items"] {
  const list = lists.get(id);
  if (list === undefined) return null;
  const last = [...new Map((items.get(id) ?? []).map((row) => [row.index, row])).values()];
  return { list, last, done: last.filter((row) => hasDone(row) && !undone.has(row.id)) };
}

function hasDone({ status }: Row): boolean {
  return status === "done" || status === "skipped";
}

function actionsOf(reading: Reading, states: readonly Row[]): readonly Row[] {
  return firedIn(reading, states).flatMap((first) => reading.tries.get(nameOf(first))?.at(-1) ?? []);
}

/** The first tries of the actions of a state. */
function firedIn(reading: Reading, states: readonly Row[]): readonly Row[] {
  return states.flatMap(({ id }) => reading.led.get(id) ?? []).filter((row) => isAction(reading, row));
}

/** A state itself knows what is being fired, too. */
function isAction({ plan }: Reading, { firing, step }: Row): boolean {
  return firing !== null && plan.steps[step]?.kind !== "state";
}

function transitionOf({ plan }: Reading, { step }: Row): Transition | undefined {
  return plan.steps[step]?.transition;
}

/** First tries of what a visit led to. The actions of a state are part of it, and a fork's join is not its own doing. */
function ledOn(reading: Reading, tries: readonly Row[]): readonly Row[] {
  const { led } = reading;
  const from = [...tries, ...firedIn(reading, tries).flatMap((first) => reading.tries.get(nameOf(first)) ?? [])];
  return from.flatMap((row) => {
    const isForking = transitionOf(reading, row)?.kind === "fork";
    return (led.get(row.id) ?? []).filter((next) => !isAction(reading, next) && !(isForking && next.via === "join"));
  });
}

/** Done; or failed, and the flow had a way for that. */
function hasLedOn(reading: Reading, tries: readonly Row[]): boolean {
  return tries.some(
    (row) => hasDone(row) || (row.status === "failed" && (row.arrived || ledOn(reading, [row]).length > 0)),
  );
}

function wayOf(next: Row | undefined, { ended, arrived }: Row): Way {
  if (next?.via === "fork") return { kind: "leave" };
  if (next !== undefined) return { kind: "go", step: next.step, via: next.via };
  if (ended !== null) return { kind: "end", output: ended.output };
  return { kind: arrived ? "arrive" : "leave" };
}

function isBadEnd(plan: Plan, { last, way }: Visit): boolean {
  if (way.kind === "leave") return endsBadly(plan.steps[last.step]?.transition);
  const isState = plan.steps[last.step]?.kind === "state";
  return isState && way.kind === "go" && endsBadly(plan.steps[way.step]?.transition);
}

function endsBadly(transition: Transition | undefined): boolean {
  return transition?.kind === "end" && transition.terminal !== "success";
}

/** What serves a step is part of it, and so is the action of a state. */
function rowAround(reading: Reading, row: Row): Row | undefined {
  const { byId } = reading;
  const served = row.serves === null ? row : byId.get(row.serves);
  if (served === undefined || served.side !== null) return undefined;
  if (served.serves !== null) return byId.get(served.serves);
  if (!isAction(reading, served)) return served;
  const [first] = reading.tries.get(nameOf(served)) ?? [];
  return byId.get(first?.causedBy ?? 0) ?? served;
}
