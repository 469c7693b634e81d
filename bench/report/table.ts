// The results as tables: on the terminal, and as Markdown for the page.

import type { Line } from "../measurement.ts";
import { round } from "../statistics.ts";
import type { Judged } from "./targets.ts";

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** One row for each line: all that was measured. */
export function lineTable(lines: readonly Line[]): Table {
  return {
    head: ["", "workload", "median", "range", "", "foreign CPU %", "notes"],
    rows: lines.map(({ subject, workload, value, min, max, unit, foreign_cpu_pct, notes }) => [
      subject,
      workload,
      figure(value),
      min === max ? "" : `${figure(min)}–${figure(max)}`,
      unit,
      foreign_cpu_pct.map((percent) => percent ?? "?").join(" "),
      Object.entries(notes)
        .filter(([name]) => name !== "durability")
        .map(([name, note]) => `${name} ${typeof note === "number" ? figure(note) : String(note)}`)
        .join(", "),
    ]),
  };
}

/** Subjects beside each other, with what we are to each of them in brackets: more than 1 is better. */
export function peerTable(lines: readonly Line[]): Table {
  const subjects = [...new Set(lines.map(({ subject }) => subject))].filter((subject) => subject !== "limit");
  const workloads = ["W1", "W2", "W3-100", "W3-1000", "W4", "W5"];
  const find = (subject: string, workload: string): Line | undefined =>
    lines.find((line) => line.subject === subject && line.workload === workload);
  const cell = (subject: string, workload: string): string => {
    const line = find(subject, workload);
    if (line === undefined) return "–";
    const ours = find("stepwell", workload);
    if (subject === "stepwell" || ours === undefined) return figure(line.value);
    const isMoreBetter = line.unit.endsWith("/s");
    const ratio = isMoreBetter ? ours.value / line.value : line.value / ours.value;
    return `${figure(line.value)} (${round(Number(ratio.toPrecision(2)))}×)`;
  };
  return {
    head: ["", "W1 steps/s", "W2 ms", "W3-100 ms", "W3-1000 ms", "W4 runs/s", "W5 MB"],
    rows: subjects.map((subject) => [subject, ...workloads.map((workload) => cell(subject, workload))]),
  };
}

export function targetTable(judged: readonly Judged[]): Table {
  return {
    head: ["figure", "found", "wanted", ""],
    rows: judged.map(({ name, value, bound, isMet }) => [name, figure(value), bound, isMet ? "met" : "missed"]),
  };
}

export function toText({ head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function toMarkdown({ head, rows }: Table): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function figure(value: number): string {
  return round(value).toLocaleString("en-GB", { maximumFractionDigits: 4 });
}
