// What the figures on PostgreSQL are held against.

import type { Line } from "../measurement.ts";
import { atLeast, atMost, type Judged } from "./targets.ts";

export function judgePostgres(lines: readonly Line[]): readonly Judged[] {
  const find = (workload: string, subject = "stepwell"): Line | undefined =>
    lines.find((line) => line.workload === workload && line.subject === subject);
  const value = (workload: string, subject?: string): number => find(workload, subject)?.value ?? Number.NaN;
  const limit = findLimit(lines);
  return [
    // The floor that the peers' figures name for a server: batches of 100.
    atLeast("W1 / raw PostgreSQL, 100 steps a commit", value("W1") / value("postgres-100", "limit"), 0.35),
    atLeast(
      `W1 / raw PostgreSQL, ${limit?.steps ?? 0} steps a commit`,
      value("W1") / (limit?.value ?? Number.NaN),
      0.35,
    ),
    atLeast("W1 / pg-boss", value("W1") / value("W1", "pg-boss"), 2),
    atMost("W2, ms", value("W2"), 15),
    atMost("W3-1000, ms", value("W3-1000"), 120),
    atLeast("W4, runs/s", value("W4"), 8000),
    ...judgeGrowth(lines),
  ].filter(({ name, value: found }, at, all) => {
    // Its own batches may be as large as the floor's.
    const isTwice = all.findIndex((judged) => judged.name === name) < at;
    return Number.isFinite(found) && !isTwice;
  });
}

/** The raw limit whose batches are nearest to those that W1 had. */
function findLimit(lines: readonly Line[]): { readonly steps: number; readonly value: number } | undefined {
  const notes = lines.find(({ subject, workload }) => subject === "stepwell" && workload === "W1")?.notes;
  const own = Number(notes?.["steps_per_commit"] ?? Number.NaN);
  const limits = lines.flatMap(({ subject, workload, value }) => {
    const steps = /^postgres-(\d+)$/.exec(workload)?.[1];
    return subject === "limit" && steps !== undefined ? [{ steps: Number(steps), value }] : [];
  });
  const distance = ({ steps }: { readonly steps: number }): number => Math.abs(Math.log(steps / own));
  return limits.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** Of each what it costs beside so many, to what it costs beside one. */
function judgeGrowth(lines: readonly Line[]): readonly Judged[] {
  return lines.flatMap(({ workload, value }) => {
    const [, name, count] = /^(W\d)-beside-(\d+)$/.exec(workload) ?? [];
    return name === undefined ? [] : atMost(`${name} beside ${count} finished runs / beside one`, value, 1.3);
  });
}
