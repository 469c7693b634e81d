// What can be seen of runs from outside, in a form that two stores can be compared by: ids that were given out later, and
// texts of chance, are named by the order in which they appear.

import type { Engine } from "../../src/engine/engine.ts";
import type { Row } from "../../src/run/model.ts";
import { inTurns, type LiveRun } from "./live-runs.ts";

export type Observed = { readonly runs: readonly object[]; readonly kept: object };

export async function observe(engine: Engine, runs: readonly LiveRun[]): Promise<Observed> {
  const seen = await inTurns(runs, async ({ id, kind }) => ({ kind, ...(await observeRun(engine, id)) }));
  return {
    runs: seen,
    kept: {
      users: await engine.access.list(),
      secrets: (await engine.secrets.list()).map(({ name }) => name),
      workflows: (await engine.workflows.list()).map(({ name, version, hash }) => ({ name, version, hash })),
      breakers: await engine.breakers.list(),
    },
  };
}

async function observeRun(engine: Engine, id: number): Promise<object> {
  const { steps, uid: _, id: __, version: ___, parent: ____, updatedAt: _____, ...run } = await engine.get(id);
  const rows = steps.toSorted(inOrder);
  const names = new Map(rows.map((row, index) => [row.id, index]));
  const children: object[] = [];
  for (const row of rows) if (row.childRun !== null) children.push(await observeRun(engine, row.childRun));
  return {
    ...run,
    seen: run.seen.length,
    steps: rows.map((row) => observeRow(row, names)),
    history: (await engine.history(id)).map(({ kind, at }) => `${kind} ${at}`).toSorted(),
    children,
  };
}

/** Branches side by side have no order of their own. */
function inOrder(one: Row, other: Row): number {
  return keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : one.id - other.id;
}

function keyOf({ step, role, visit, index, attempt }: Row): string {
  return [step, role, visit, index, attempt].join(" ");
}

function observeRow(row: Row, names: ReadonlyMap<number, number>): object {
  const nameOf = (id: number | null): number | null => (id === null ? null : (names.get(id) ?? -1));
  const { id: _, token: __, key, scope: ___, open: ____, childRun, previous, gate, version: _____, ...rest } = row;
  const { finishedNo: ______, copiedFrom: _______, ...seen } = rest;
  return {
    ...seen,
    hasKey: key !== null,
    hasChild: childRun !== null,
    previous: previous.kind,
    gate: gate === null ? null : { title: gate.title, reminders: gate.reminders, answers: gate.answers },
    causedBy: nameOf(row.causedBy),
    serves: nameOf(row.serves),
  };
}

/** Where two of them differ, with both values; a comparison as a whole would take its time to draw what is alike. */
export function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (isBranch(one) && isBranch(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(one[key], other[key], `${path}/${key}`));
  }
  const [left, right] = [JSON.stringify(one) ?? "", JSON.stringify(other) ?? ""];
  return left === right ? [] : [`${path}: ${left.slice(0, 80)} | ${right.slice(0, 80)}`];
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
