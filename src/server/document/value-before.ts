// What led to a step, as it was handed to it: of a gate, what is approved. As much of it as somebody wants.

import { objectFrom, own, type Json } from "../../flow/json.ts";
import type { Plan, StepKey } from "../../flow/plan.ts";
import type { Row, RowId, RunRow } from "../../run/model.ts";
import { branchOf } from "../../run/values.ts";
import type { Brief, BriefRow, ShortRow } from "../../store/brief.ts";
import type { OmittedDocument } from "../contract/run.ts";
import { orOmitted } from "./omitted.ts";

export type Told = Json | OmittedDocument;

type FoundRow = Pick<ShortRow, "row" | "resultBytes">;

type BeforeReads = {
  /** Rows of the run; what is longer than wanted may be left out of them. */
  readonly find: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, FoundRow>>;
  /** All rows of the run that have arrived at this fork. */
  readonly arrivals: (fork: RowId) => Promise<readonly Brief[]>;
  /** The newest row of this step that is done. */
  readonly newest: (step: StepKey) => Promise<RowId | undefined>;
  /** What is longer is told by its length. */
  readonly bytesMax: number;
};

export function resultOf(found: FoundRow | undefined, bytesMax: number): Told {
  if (found === undefined) return null;
  const { resultBytes, row } = found;
  return resultBytes !== null && resultBytes > bytesMax ? { $omitted: resultBytes } : row.result;
}

type Place = { readonly run: RunRow; readonly row: BriefRow; readonly plan: Plan | null };

/** What led to the row: the result before, all results of a fork, an error, or the run's input. */
export async function valueBefore({ run, row, plan }: Place, reads: BeforeReads): Promise<Told> {
  const { find, bytesMax } = reads;
  const { previous } = row;
  const from = plan === null ? null : (own(plan.steps, row.step)?.inputFrom ?? null);
  if (from !== null) {
    const newest = await reads.newest(from);
    return newest === undefined ? null : resultOf((await find([newest])).get(newest), bytesMax);
  }
  if (previous.kind === "input") return orOmitted(run.input, bytesMax);
  if (previous.kind === "arrivals") return arrivalsAt(previous.fork, plan, reads);
  const found = (await find([previous.row])).get(previous.row);
  if (previous.kind === "row") return resultOf(found, bytesMax);
  return orOmitted({ error: found?.row.error ?? null, step: found?.row.name ?? null }, bytesMax);
}

/** All of it, or nothing: so many branches may have arrived that each is small, and they are not. */
async function arrivalsAt(fork: RowId, plan: Plan | null, { find, arrivals, bytesMax }: BeforeReads): Promise<Told> {
  const arrived = await arrivals(fork);
  const bytes = arrived.reduce((sum, { row, lastBytes }) => sum + (row.error === null ? lastBytes : 0), 0);
  if (bytes > bytesMax) return { $omitted: bytes };
  const found = await find([fork, ...arrived.map(({ row }) => row.id)]);
  const opened = found.get(fork);
  const transition = opened === undefined || plan === null ? undefined : own(plan.steps, opened.row.step)?.transition;
  const branches = transition?.kind === "fork" ? transition.branches : [];
  const results = arrived.map(({ row: { id, scope } }): readonly [string, Json] => {
    const row = found.get(id)?.row;
    return [branches[branchOf(scope)] ?? "", row === undefined ? null : lastResult(row)];
  });
  return orOmitted(objectFrom(results), bytesMax);
}

function lastResult({ error, ended, result }: Row): Json {
  if (error !== null) return { error: { ...error } };
  return ended === null ? result : ended.output;
}
