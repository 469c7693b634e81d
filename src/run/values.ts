// What expressions see: the input, what led here, results of earlier steps. Values of rows that have left the frontier
// are asked for.

import type { Expression, Reference } from "../flow/expression/ast.ts";
import { evaluate, evaluateTruth } from "../flow/expression/evaluate.ts";
import type { Scope } from "../flow/expression/evaluation.ts";
import { isArray, objectFrom, own, type Json, type JsonObject } from "../flow/json.ts";
import { expandTemplate, type SecretPlace } from "../flow/template/expand.ts";
import { referencesIn } from "../flow/template/parse.ts";
import type { Template } from "../flow/template/template.ts";
import { findRow, require, requireRow, stepOf, type Draft } from "./draft.ts";
import type { Failure, Row, RowId, ScopePath, Visit } from "./model.ts";

/** Names that are there only in some places: `result`, `event`, `data`. */
export type Extras = { readonly [root: string]: Json };

export type Computed = {
  readonly value: Json;
  readonly secrets: readonly SecretPlace[];
  readonly warnings: readonly string[];
  readonly error: Failure | null;
};

export function computeTemplate(draft: Draft, row: Row, template: Template, extras: Extras = {}): Computed {
  if (template.kind === "value") return { value: template.value, secrets: [], warnings: [], error: null };
  const scope = scopeOf(draft, row, { references: referencesIn(template), extras });
  const expanded = expandTemplate(template, scope, { strict: draft.plan.strict });
  if (!expanded.ok) return { value: null, secrets: [], warnings: [], error: expressionError(expanded.problem.message) };
  const warnings = expanded.missing.map((path) => `"${path}" has no value and became an empty text.`);
  return { value: expanded.value, secrets: expanded.secrets, warnings, error: null };
}

export function computeExpression(draft: Draft, row: Row, expression: Expression, extras: Extras = {}): Computed {
  const done = evaluate(expression, scopeOf(draft, row, { references: expression.references, extras }));
  if (!done.ok) return { value: null, secrets: [], warnings: [], error: expressionError(done.problem.message) };
  return { value: done.value, secrets: [], warnings: [], error: null };
}

export type Verdict = { readonly holds: boolean; readonly warnings: readonly string[] };

/** Conditions that fail are false, with a warning. */
export function holds(draft: Draft, row: Row, condition: Expression, extras: Extras = {}): Verdict {
  const done = evaluateTruth(condition, scopeOf(draft, row, { references: condition.references, extras }));
  if (done.ok) return { holds: done.value, warnings: [] };
  return { holds: false, warnings: [`"${condition.source}" counts as false: ${done.problem.message}`] };
}

function expressionError(message: string): Failure {
  return { code: "expression_error", message };
}

type Reading = { readonly references: readonly Reference[]; readonly extras: Extras };

function scopeOf(draft: Draft, row: Row, { references, extras }: Reading): Scope {
  return {
    lookup(root) {
      const extra = own(extras, root);
      if (extra !== undefined) return extra;
      switch (root) {
        case "input":
          return draft.run.input;
        case "previous":
          return previousOf(draft, row);
        case "steps":
          return stepsSeen(draft, row, references);
        case "run":
          return runSeen(draft);
        case "resources":
          return draft.plan.resources;
        case "data":
          return draft.run.data ?? undefined;
        case "event":
          return row.firing?.data;
        case "item":
          return itemOf(draft, row);
        case "index":
          return row.index ?? undefined;
        default:
          return undefined;
      }
    },
  };
}

/** What an item's row is about. The list of its each led to the item's first try, and every try to the next. */
export function itemOf(draft: Draft, { index, causedBy }: Row): Json | undefined {
  if (index === null || causedBy === null) return undefined;
  const cause = requireRow(draft, causedBy);
  if (cause === undefined) return null;
  if (cause.role !== "items") return itemOf(draft, cause);
  return isArray(cause.result) ? (cause.result[index] ?? null) : null;
}

function runSeen({ run, env }: Draft): JsonObject {
  const { id, uid, name, createdBy, startedAt } = run;
  return { id, uid, name, created_by: createdBy, started_at: startedAt, now: env.now };
}

/** What led here: the result before, all results of a fork, an error, or the run's input. */
export function previousOf(draft: Draft, row: Row): Json {
  const { inputFrom } = stepOf(draft, row);
  if (inputFrom !== null) return resultOfVisit(draft, findVisit(draft, row.scope, inputFrom));
  const { previous } = row;
  switch (previous.kind) {
    case "input":
      return draft.run.input;
    case "row":
      return requireRow(draft, previous.row)?.result ?? null;
    case "arrivals":
      return arrivalsOf(draft, previous.fork);
    case "error":
      return errorSeen(draft, previous.row);
  }
}

function resultOfVisit(draft: Draft, visit: Visit | undefined): Json {
  return visit === undefined ? null : (requireRow(draft, visit.row)?.result ?? null);
}

function errorSeen(draft: Draft, id: RowId): Json {
  const failed = requireRow(draft, id);
  return { error: failed?.error ?? null, step: failed?.name ?? null };
}

/** First step of each branch → its last result; a fork that closed with this one gives what it gathered. */
function arrivalsOf(draft: Draft, fork: RowId): JsonObject {
  const opened = requireRow(draft, fork);
  const transition = opened === undefined ? undefined : stepOf(draft, opened).transition;
  const branches = transition?.kind === "fork" ? transition.branches : [];
  const brought = require(draft, { kind: "arrivals", fork });
  const rows = new Map(brought.map((row) => [row.id, row]));
  for (const row of draft.rows.values()) if (row.arrived && forkOf(row.scope) === fork) rows.set(row.id, row);
  return objectFrom([...rows.values()].map((row) => [branches[branchOf(row.scope)] ?? "", lastResult(draft, row)]));
}

function lastResult(draft: Draft, row: Row): Json {
  if (row.error !== null) return { error: { ...row.error } };
  if (row.ended !== null) return row.ended.output;
  return hasForked(draft, row) ? arrivalsOf(draft, row.id) : row.result;
}

/** The row has opened a fork: none of its step's routes took the outcome. */
export function hasForked(draft: Draft, row: Row): boolean {
  const { transition, routes } = stepOf(draft, row);
  if (transition.kind !== "fork" || row.status === "failed") return false;
  return row.outcome === "skipped" || (own(routes, row.outcome ?? "") ?? own(routes, "default")) === undefined;
}

/** The newest finished visit of a step, in this branch or the ones around it. */
function findVisit(draft: Draft, scope: ScopePath, step: string): Visit | undefined {
  for (let path = scope; ; path = outerScope(path)) {
    const dropped = draft.droppedScopes?.has(path) === true;
    const visit = draft.scopes?.get(path)?.get(step) ?? (dropped ? undefined : draft.base.scopes.get(path)?.get(step));
    if (visit !== undefined || path === "") return visit;
  }
}

function stepsSeen(draft: Draft, row: Row, references: readonly Reference[]): JsonObject {
  const named = references.filter((reference) => reference.root === "steps");
  const isOpen = named.some((reference) => reference.path.length === 0);
  const names = isOpen ? Object.keys(draft.plan.names) : named.map((reference) => String(reference.path[0]));
  return objectFrom(
    [...new Set(names)].flatMap((name): readonly (readonly [string, Json])[] => {
      const visit = findVisit(draft, row.scope, own(draft.plan.names, name) ?? "");
      const seen = visit === undefined ? undefined : requireRow(draft, visit.row);
      return seen === undefined ? [] : [[name, stepSeen(seen)]];
    }),
  );
}

function stepSeen({ result, outcome, error, errors, attempt, visit }: Row): JsonObject {
  return { result, outcome, error: error ?? null, errors, attempts: attempt, visits: visit };
}

/** The fork whose branch this scope is; undefined outside all forks, and for a path beside the flow. */
export function forkOf(scope: ScopePath): RowId | undefined {
  return scope === "" || scope.endsWith(side) ? undefined : Number(lastPart(scope).split(":")[0]);
}

const side = ":side";

/** A path beside the flow sees what its row sees, and no fork around that row waits for it. */
export function sideScope(row: Row): ScopePath {
  return `${row.scope}${row.scope === "" ? "" : "/"}${row.id}${side}`;
}

/** The whole of the side path that a scope is part of. */
export function sideAround(scope: ScopePath): ScopePath {
  return scope.slice(0, scope.lastIndexOf(side) + side.length);
}

/** Which branch of its fork this scope is. */
export function branchOf(scope: ScopePath): number {
  return Number(lastPart(scope).split(":")[1] ?? 0);
}

export function outerScope(scope: ScopePath): ScopePath {
  return scope.slice(0, Math.max(0, scope.lastIndexOf("/")));
}

export function innerScope(scope: ScopePath, fork: RowId, branch: number): ScopePath {
  return `${scope}${scope === "" ? "" : "/"}${fork}:${branch}`;
}

function lastPart(scope: ScopePath): string {
  return scope.slice(scope.lastIndexOf("/") + 1);
}

/** The open fork around a row. */
export function forkAround(draft: Draft, row: Row): Row | undefined {
  const fork = forkOf(row.scope);
  return fork === undefined ? undefined : findRow(draft, fork);
}
