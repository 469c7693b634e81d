// Where a step leads, in one of the spellings that mean it.

import { objectFrom, type Json, type JsonObject } from "../../flow/json.ts";
import type { Leaving, Onward } from "./flatten-blocks.ts";
import { randomCondition, randomOutcome } from "./random-expression.ts";
import { randomText } from "./random-template.ts";
import { maybe, vocabularyAfter, type Writing } from "./writing.ts";

/** A step without action: its end is all there is to it. */
export function writeEndState(writing: Writing, terminal: "success" | "failure" | "cancel"): JsonObject {
  const { random } = writing;
  if (random.chance(0.5)) return { terminal };
  return { done: terminal === "success" && random.chance(0.5) ? true : writeDone(writing, terminal) };
}

export function writeTransition(writing: Writing): JsonObject {
  const { draft } = writing;
  const failure = writeFailureRoute(writing);
  switch (draft.leaving.kind) {
    case "on":
      return { ...writeOnward(writing, draft.leaving.onward), ...writeRoutes(writing, failure) };
    case "stop":
      return { done: writeDone(writing, draft.leaving.terminal), ...writeRoutes(writing, failure) };
    case "branch":
      return { ...writeBranch(writing, draft.leaving.targets), ...writeRoutes(writing, failure) };
    case "routes":
      return writeChoiceByRoutes(writing, draft.leaving.targets, failure);
    case "again":
      return writeAgain(writing, draft.leaving, failure);
    case "fork":
      return { ...writeFork(writing, draft.leaving), ...writeRoutes(writing, failure) };
  }
}

type Route = readonly [outcome: string, target: Json];

function writeFailureRoute({ draft, names }: Writing): readonly Route[] {
  const { failureTo, place } = draft;
  if (place.failure === null || failureTo === null || failureTo.kind === "end") return [];
  return [[place.failure.outcome, names.target(failureTo.step)]];
}

function writeTarget({ random, names }: Writing, onward: Onward): Json {
  if (onward.kind === "end") return "end";
  // A branch that ends arrives by itself where the join stands beside `parallel`.
  if (onward.kind === "arrive" && random.chance(0.2)) return "end";
  return names.target(onward.step);
}

function writeOnward(writing: Writing, onward: Onward): JsonObject {
  const { random, names, draft, follower, isPipeline } = writing;
  switch (onward.kind) {
    case "step": {
      if (onward.step === follower && random.chance(0.9)) return {};
      const isPlainJoin = !isPipeline && !draft.isInsideFork && random.chance(0.03);
      return { [isPlainJoin ? "join" : "next"]: names.target(onward.step) };
    }
    case "join":
      return { join: names.target(onward.step) };
    case "arrive":
      return random.pick([
        {},
        { done: true },
        { next: "end" },
        { next: names.target(onward.step) },
        { join: names.target(onward.step) },
      ]);
    case "end":
      return writeEnd(writing);
  }
}

/** In a pipeline nothing means the next position, so an end before the last one is written. */
function writeEnd(writing: Writing): JsonObject {
  const { random, follower, isPipeline } = writing;
  const spelled: readonly JsonObject[] = [{ done: true }, { next: "end" }, { done: writeDone(writing, "success") }];
  return random.pick(isPipeline && follower !== null ? spelled : [{}, ...spelled]);
}

function writeDone(writing: Writing, kind: "success" | "failure" | "cancel"): JsonObject {
  const { random } = writing;
  const vocabulary = vocabularyAfter(writing);
  return {
    ...(kind === "success" && random.chance(0.5) ? {} : { kind }),
    ...maybe(random, 0.5, () => ({ output: `{{ ${random.pick(["result", "previous", "input.order"])} }}` })),
    ...maybe(random, 0.5, () => ({ message: randomText(random, vocabulary) })),
  };
}

function writeBranch(writing: Writing, targets: readonly Onward[]): JsonObject {
  const { random } = writing;
  const hasElse = random.chance(0.85);
  const cases = (hasElse ? targets.slice(0, -1) : targets).map((target) =>
    writeCase(writing, writeTarget(writing, target)),
  );
  const last = targets.at(-1);
  if (hasElse && last !== undefined) return { branch: cases, else: writeTarget(writing, last) };
  return { branch: cases, ...writeNoMatch(writing) };
}

function writeCase(writing: Writing, target: Json): JsonObject {
  return objectFrom<Json>([
    ["if", randomCondition(writing.random, vocabularyAfter(writing))],
    ["then", target],
  ]);
}

function writeNoMatch({ random }: Writing): JsonObject {
  return maybe(random, 0.5, () => ({ on_no_match: random.pick(["hold", "fail", "complete"]) }));
}

const outcomeNames: readonly string[] = ["items", "empty", "large", "small"];
const answerNames: readonly string[] = ["approved", "changes", "later", "other"];

function writeChoiceByRoutes(writing: Writing, targets: readonly Onward[], failure: readonly Route[]): JsonObject {
  const { random, draft, isPipeline } = writing;
  const names = draft.place.action === "gate" ? answerNames : outcomeNames;
  const written = targets.map((target) => writeTarget(writing, target));
  const byName = written.map((target, index): Route => [names[index] ?? "other", target]);
  const named = byName.slice(0, -1);
  const last = written.at(-1) ?? "end";
  const outcome = writeOutcome(writing, named);
  // Without a default a pipeline falls through, which is a way of its own: only the others may leave it out.
  switch (random.integer(isPipeline ? 3 : 4)) {
    case 0:
      return { ...writeRoutes(writing, [...named, ...failure]), ...outcome, next: last };
    case 1:
      return {
        ...writeRoutes(writing, [...named, ...failure]),
        ...outcome,
        branch: [writeCase(writing, last)],
        else: last,
      };
    case 2:
      return { ...writeRoutes(writing, [...named, ["default", last], ...failure]), ...outcome };
    default:
      return { ...writeRoutes(writing, [...byName, ...failure]), ...outcome, ...writeNoMatch(writing) };
  }
}

function writeAgain(
  writing: Writing,
  { back, onward }: Extract<Leaving, { kind: "again" }>,
  failure: readonly Route[],
): JsonObject {
  const { random, draft } = writing;
  const [again, on] = [writeTarget(writing, back), writeTarget(writing, onward)];
  if (draft.place.action === "gate" || random.chance(0.3)) {
    const routes: readonly Route[] = [["changes", again]];
    const outcome = writeOutcome(writing, routes);
    if (random.chance(0.5)) return { ...writeRoutes(writing, [...routes, ...failure]), ...outcome, next: on };
    return { ...writeRoutes(writing, [...routes, ["default", on], ...failure]), ...outcome };
  }
  const [first, otherwise] = random.chance(0.5) ? [again, on] : [on, again];
  return { branch: [writeCase(writing, first)], else: otherwise, ...writeRoutes(writing, failure) };
}

/** Gates are answered with a name and tools may declare one; the other actions need an expression to have one. */
function writeOutcome(writing: Writing, routes: readonly Route[]): JsonObject {
  const { random, draft } = writing;
  const { action } = draft.place;
  if (action === "gate" || (action === "tool" && random.chance(0.5))) return {};
  const names = [...routes.map(([name]) => name), "success_like"];
  return { outcome: randomOutcome(random, vocabularyAfter(writing), names) };
}

function writeRoutes({ random, isPipeline }: Writing, routes: readonly Route[]): JsonObject {
  if (routes.length === 0) return {};
  const [only] = routes;
  if (routes.length === 1 && only?.[0] === "error" && random.chance(0.5)) return { on_error: only[1] };
  const prefixed = routes.map(([name, target]): Route => [random.chance(0.2) ? `on_${name}` : name, target]);
  if (isPipeline && random.chance(0.4)) {
    return { routes: prefixed.map(([branch, goto]) => ({ branch, goto })) };
  }
  return { [random.chance(0.15) ? "on" : "routes"]: objectFrom(prefixed) };
}

function writeFork(writing: Writing, { branches, join }: Extract<Leaving, { kind: "fork" }>): JsonObject {
  const { random, names } = writing;
  return {
    parallel: branches.map((branch) => names.target(branch)),
    ...(join === null ? {} : { join: names.target(join) }),
    ...maybe(random, 0.2, () => ({ on_branch_error: random.pick(["fail", "collect"]) })),
  };
}
