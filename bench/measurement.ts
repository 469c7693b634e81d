// What is measured, as it goes from the child that measured it to the table, the JSON lines and the plot.

import { median, round, spreadOf } from "./statistics.ts";

export type Unit = "steps/s" | "runs/s" | "commits/s" | "ms" | "MB" | "x";

/** What one child found: a value for each repetition. */
export type Measurement = {
  readonly workload: string;
  readonly unit: Unit;
  readonly values: readonly number[];
  /** Of each repetition, in percent of all cores; null: not known. */
  readonly foreignCpu: readonly (number | null)[];
  /** What else is worth knowing: counts that were checked, settings that were read. */
  readonly notes: Readonly<Record<string, number | string | readonly number[]>>;
};

/** One line of the results. */
export type Line = {
  readonly subject: string;
  readonly workload: string;
  readonly unit: Unit;
  readonly value: number;
  readonly runs: readonly number[];
  readonly min: number;
  readonly max: number;
  readonly foreign_cpu_pct: readonly (number | null)[];
  readonly notes: Measurement["notes"];
};

export function toLine(subject: string, measured: Measurement): Line {
  const { median: middle, min, max } = spreadOf(measured.values);
  return {
    subject,
    workload: measured.workload,
    unit: measured.unit,
    value: round(middle),
    runs: measured.values.map(round),
    min: round(min),
    max: round(max),
    foreign_cpu_pct: measured.foreignCpu,
    notes: measured.notes,
  };
}

/** Several children that measured the same, as one; of numbers in the notes the median. */
export function mergeMeasurements(parts: readonly Measurement[]): Measurement {
  const [first] = parts;
  if (first === undefined) throw new Error("Nothing was measured.");
  const names = Object.keys(first.notes);
  return {
    ...first,
    values: parts.flatMap(({ values }) => values),
    foreignCpu: parts.flatMap(({ foreignCpu }) => foreignCpu),
    notes: Object.fromEntries(names.map((name) => [name, mergeNotes(parts.map(({ notes }) => notes[name] ?? ""))])),
  };
}

type Note = Measurement["notes"][string];

function mergeNotes(notes: readonly Note[]): Note {
  const numbers = notes.filter((note) => typeof note === "number");
  return numbers.length === notes.length ? median(numbers) : (notes.at(-1) ?? "");
}
