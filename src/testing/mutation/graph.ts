// Mistakes in the graph: joins, forks, loops.

import { own, type Json, type JsonObject } from "../../flow/json.ts";
import { under } from "../../flow/pointer.ts";
import { forksIn, type ForkView } from "../constructs/forks.ts";
import {
  findStep,
  followersOf,
  isStartNamed,
  startOf,
  hasTransition,
  notationOf,
  reachedFrom,
  stepsOf,
  targetsOf,
  type StepView,
} from "../document-view.ts";
import type { Random } from "../random.ts";
import {
  added,
  inStep,
  mutationClass,
  pickSome,
  removed,
  replaced,
  type Mistake,
  type MutationClass,
} from "./mutation.ts";

type InFork = {
  readonly fork: ForkView;
  readonly steps: readonly StepView[];
  readonly random: Random;
  readonly document: JsonObject;
};

/** A mistake in one of the forks; the first in which there is room for it. New arrows may lead to the first step, so it
 *  must be named, or nobody could tell where the flow starts. */
function inFork(name: string, write: (at: InFork) => Mistake | undefined): MutationClass {
  return mutationClass(name, (document, random) => {
    const steps = isStartNamed(document) ? stepsOf(document) : [];
    for (const fork of random.shuffle(forksIn(steps))) {
      const mistake = write({ fork, steps, random, document });
      if (mistake !== undefined) return mistake;
    }
    return undefined;
  });
}

/** The steps that a run reaches only through the branches of this fork. */
function ownSteps({ fork, steps, document }: InFork): readonly StepView[] {
  const heads = targetsOf(fork.view).filter(({ kind }) => kind === "parallel");
  const branches = new Set(heads.map(({ target }) => findStep(steps, target)));
  const others = followersOf(steps, fork.view).filter((view) => !branches.has(view));
  const starts = [startOf(document), fork.join, ...others].flatMap((view) => view ?? []);
  const outside = reachedFrom(steps, starts, new Set([fork.view]));
  return [...fork.inside].filter((view) => !outside.has(view));
}

/** The steps of the fork that name its join and lie in no fork inside it. */
function joiners({ fork, steps }: InFork): readonly StepView[] {
  const inner = forksIn(steps).filter(({ view }) => view !== fork.view && fork.inside.has(view));
  const deeper = new Set(inner.flatMap(({ inside }) => [...inside]));
  return [...fork.inside]
    .filter(({ step }) => !Object.hasOwn(step, "parallel") && isNamed(steps, own(step, "join"), fork.join))
    .filter((view) => !deeper.has(view));
}

function isNamed(steps: readonly StepView[], target: Json | undefined, view: StepView | undefined): boolean {
  return target !== undefined && view !== undefined && findStep(steps, target) === view;
}

/** Where a new step of this document goes. */
function newPlace(document: JsonObject): string {
  return notationOf(document) === "bare" ? "/elsewhere" : "/steps/elsewhere";
}

/** The steps that come after the fork's join and lie outside the fork. */
function stepsBehind({ view, join, inside }: ForkView, steps: readonly StepView[]): readonly StepView[] {
  if (join === undefined) return [];
  const behind = reachedFrom(steps, followersOf(steps, join), new Set([view]));
  return [...behind].filter((each) => each !== join && !inside.has(each));
}

/** A step that leads on without anything beside it, so that the change is the only one. */
function isSimple({ step }: StepView): boolean {
  return !["routes", "on", "on_error", "branch", "parallel"].some((key) => Object.hasOwn(step, key));
}

function onlyWay({ step, pointer }: StepView, key: string, target: Json): Mistake["changes"] {
  const gone = ["next", "join", "done"].filter((each) => Object.hasOwn(step, each));
  return [...gone.map((each) => removed(under(pointer, each))), added(under(pointer, key), target)];
}

const forkMutations: readonly MutationClass[] = [
  inFork("a branch that names another join", (at) => {
    const { fork, steps, random } = at;
    const last = joiners(at);
    const view = pickSome(random, last);
    const goal = pickSome(random, stepsBehind(fork, steps));
    // Of two names the more frequent one is the join, so two must be left, unless the fork itself names it.
    if (view === undefined || goal === undefined || last.length < (fork.isBeside ? 1 : 3)) return undefined;
    const pointer = under(view.pointer, "join");
    return { code: "different_joins", pointer, changes: [replaced(pointer, goal.key)] };
  }),
  inFork("join lost", ({ fork, steps }) => {
    const { join } = fork;
    if (join === undefined) return undefined;
    const into = steps.filter((view) => followersOf(steps, view).includes(join));
    const naming = into.filter(({ step }) => isNamed(steps, own(step, "join"), join));
    // Whatever else leads to the step keeps it reachable.
    const isOnlyWay = into.every((view) => naming.includes(view) && isSimple(view));
    if (fork.isBeside || !isOnlyWay) return undefined;
    const changes = naming.map(({ pointer }) => removed(under(pointer, "join")));
    return { code: "unreachable_step", pointer: join.pointer, changes };
  }),
  inFork("a branch that leads past its join", (at) => {
    const { fork, steps, random } = at;
    const last = joiners(at).filter(isSimple);
    const view = pickSome(random, last);
    const goal = pickSome(random, stepsBehind(fork, steps));
    if (goal === undefined || view === undefined || (!fork.isBeside && last.length < 3)) return undefined;
    return {
      code: "branch_leaves_fork",
      pointer: under(view.pointer, "next"),
      changes: onlyWay(view, "next", goal.key),
    };
  }),
  inFork("a branch that leads back to its fork", (at) => {
    const { fork, steps, random } = at;
    const view = pickSome(
      random,
      ownSteps(at).filter((each) => isSimple(each) && hasAction(each)),
    );
    const isKept = fork.isBeside || fork.join === undefined || joiners(at).filter((each) => each !== view).length > 1;
    if (view === undefined || !isKept) return undefined;
    const before = steps.filter((each) => !fork.inside.has(each) && leadsTo(steps, each, fork));
    const goal = random.pick([fork.view, ...before]);
    return {
      code: "branch_leaves_fork",
      pointer: under(view.pointer, "next"),
      changes: onlyWay(view, "next", goal.key),
    };
  }),
  inStep(
    "empty parallel",
    ({ step }) => Object.hasOwn(step, "parallel"),
    ({ pointer }) => {
      const path = under(pointer, "parallel");
      return { code: "empty_parallel", pointer: path, changes: [replaced(path, [])] };
    },
  ),
  inFork("the same branch twice", ({ fork }) => {
    const { step, pointer } = fork.view;
    const branches = targetsOf(fork.view).filter(({ kind }) => kind === "parallel");
    const [first] = branches;
    if (first === undefined || !Object.hasOwn(step, "parallel")) return undefined;
    const path = under(pointer, "parallel", branches.length);
    return { code: "duplicate_branch", pointer: path, changes: [added(path, first.target)] };
  }),
  inFork("a join that is one of the branches", ({ fork, random }) => {
    const branch = pickSome(
      random,
      targetsOf(fork.view).filter(({ kind }) => kind === "parallel"),
    );
    if (!fork.isBeside || branch === undefined) return undefined;
    const path = under(fork.view.pointer, "join");
    return { code: "join_never_met", pointer: path, changes: [replaced(path, branch.target)] };
  }),
];

/** Leads to the forking step without passing the join. */
function leadsTo(steps: readonly StepView[], view: StepView, fork: ForkView): boolean {
  const stops = new Set(fork.join === undefined ? [] : [fork.join]);
  return reachedFrom(steps, [view], stops).has(fork.view);
}

function hasAction({ step }: StepView): boolean {
  return ["tool", "gate", "wait", "flow", "set"].some((key) => Object.hasOwn(step, key));
}

/** Ends its path, and nothing else follows it. */
function isLast(view: StepView): boolean {
  const keys = ["next", "branch", "else", "routes", "on", "on_error", "parallel", "join", "terminal"];
  if (keys.some((key) => Object.hasOwn(view.step, key)) || !hasAction(view)) return false;
  return view.position === null || hasTransition(view.step);
}

/** A mistake at the end of a path. */
function atEnd(name: string, write: (view: StepView, document: JsonObject) => Mistake | undefined): MutationClass {
  return mutationClass(name, (document, random) => {
    const isStartKnown = isStartNamed(document) || notationOf(document) === "pipeline";
    const view = pickSome(random, isStartKnown ? stepsOf(document).filter(isLast) : []);
    return view === undefined ? undefined : write(view, document);
  });
}

const loopMutations: readonly MutationClass[] = [
  atEnd("a step that leads to itself", (view) => ({
    code: "no_way_to_end",
    pointer: view.pointer,
    changes: onlyWay(view, "next", view.position ?? view.key),
  })),
  atEnd("a loop without a way out", (view, document) => {
    if (notationOf(document) === "pipeline") return undefined;
    const wait: JsonObject = { wait: "5m", next: view.key };
    // Of the loop's steps the one whose key sorts first is named.
    const pointer = view.key < "elsewhere" ? view.pointer : newPlace(document);
    const changes = [...onlyWay(view, "next", "elsewhere"), added(newPlace(document), wait)];
    return { code: "no_way_to_end", pointer, changes };
  }),
];

const referenceMutations: readonly MutationClass[] = [
  mutationClass("a reference to a step that cannot have run", (document, random) => {
    const found = unreadable(stepsOf(document), random, ({ step }) => typeof own(step, "tool") === "string");
    if (found === undefined) return undefined;
    const { reader, source } = found;
    const args = { reference: `{{ steps[${JSON.stringify(source.key)}].result }}` };
    const path = under(reader.pointer, "args");
    return { code: "reference_cannot_have_run", pointer: under(path, "reference"), changes: [added(path, args)] };
  }),
  mutationClass("input from a step that cannot have run", (document, random) => {
    const found = unreadable(stepsOf(document), random, () => true);
    if (found === undefined) return undefined;
    const path = under(found.reader.pointer, "input_from");
    return { code: "reference_cannot_have_run", pointer: path, changes: [added(path, found.source.key)] };
  }),
];

type Unreadable = { readonly reader: StepView; readonly source: StepView };

/** A step, and another from which no path leads to it. */
function unreadable(
  steps: readonly StepView[],
  random: Random,
  fits: (view: StepView) => boolean,
): Unreadable | undefined {
  const reader = pickSome(random, steps.filter(fits));
  if (reader === undefined) return undefined;
  const source = pickSome(
    random,
    steps.filter((view) => !afterwards(steps, view).has(reader)),
  );
  return source === undefined ? undefined : { reader, source };
}

/** Everything that can come after a step: side paths, and the join at which a branch arrives by ending. */
function afterwards(steps: readonly StepView[], view: StepView): ReadonlySet<StepView> {
  const forks = forksIn(steps).filter(({ isBeside }) => isBeside);
  const reached = new Set<StepView>();
  const follow = (each: StepView): void => {
    const aside = targetsOf(each).filter(({ kind }) => kind === "escalate" || kind === "cleanup");
    const arrivals = forks.flatMap(({ inside, join }) => (inside.has(each) && join !== undefined ? [join] : []));
    const sides = aside.flatMap(({ target }) => findStep(steps, target) ?? []);
    for (const next of [...followersOf(steps, each), ...sides, ...arrivals]) reached.add(next);
  };
  follow(view);
  for (const each of reached) follow(each);
  return reached;
}

export const graphMutations: readonly MutationClass[] = [...forkMutations, ...loopMutations, ...referenceMutations];
