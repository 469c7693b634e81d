// What the figures are held against. Absolute speeds move with the machine by a factor of two; ratios to what the same
// machine did in the same run move less, and most targets are ratios.

import type { Line } from "../measurement.ts";

export type Judged = {
  readonly name: string;
  readonly value: number;
  readonly bound: string;
  readonly isMet: boolean;
};

/** The run's start and the ten steps' ends. */
const commitsOfTenSteps = 11;

export function judge(lines: readonly Line[]): readonly Judged[] {
  const find = (workload: string, subject = "stepwell"): Line | undefined =>
    lines.find((line) => line.workload === workload && line.subject === subject);
  const value = (workload: string, subject?: string): number => find(workload, subject)?.value ?? Number.NaN;
  const note = (workload: string, name: string, subject?: string): number =>
    Number(find(workload, subject)?.notes[name] ?? Number.NaN);
  const largest = largestFinished(lines);
  return [
    atLeast("W1 / raw SQLite, 1,000 steps a commit", value("W1") / value("sqlite-1000", "limit"), 0.3),
    atLeast("W1 / Restate", value("W1") / value("W1", "restate"), 10),
    atLeast("W1j / W1", value("W1j") / value("W1"), 0.6),
    atMost(
      "W2 / eleven single commits",
      value("W2") / (commitsOfTenSteps * note("sqlite-1", "commit_p50_ms", "limit")),
      2.5,
    ),
    atMost("W3-1000, ms", value("W3-1000"), 60),
    atLeast("W4, runs/s", value("W4"), 15_000),
    atMost("W5, MB", value("W5"), 150),
    atMost(`a step with ${largest} finished runs / with one`, value("finished-1") / value(`finished-${largest}`), 1.2),
    atMost("memory for the scheduled runs, MB", addedMemory(lines), 100),
    atMost("latest start of runs due in one second, ms", value(mostWaiting(lines)), 1000),
    atMost("file and log / budget", note("budget", "file_and_log_max_mb") / note("budget", "budget_mb"), 1),
    atLeast("steps/s with the budget / without", value("budget") / value("unbounded"), 0.75),
  ].filter((judged) => Number.isFinite(judged.value));
}

export function atLeast(name: string, value: number, bound: number): Judged {
  return { name, value, bound: `≥ ${bound}`, isMet: value >= bound };
}

export function atMost(name: string, value: number, bound: number): Judged {
  return { name, value, bound: `≤ ${bound}`, isMet: value <= bound };
}

function largestFinished(lines: readonly Line[]): number {
  const counts = lines.map(({ workload }) => Number(/^finished-(\d+)$/.exec(workload)?.[1] ?? 0));
  return Math.max(0, ...counts);
}

function waitingCounts(lines: readonly Line[]): readonly number[] {
  return lines.flatMap(({ workload }) => {
    const count = /^due-of-(\d+)$/.exec(workload)?.[1];
    return count === undefined ? [] : [Number(count)];
  });
}

function mostWaiting(lines: readonly Line[]): string {
  return `due-of-${Math.max(0, ...waitingCounts(lines))}`;
}

/** Of a process that opens the file with all of them, against one that opens an empty one. */
function addedMemory(lines: readonly Line[]): number {
  const idle = (workload: string): number =>
    Number(lines.find((line) => line.workload === workload)?.notes["idle_rss_mb"] ?? Number.NaN);
  return idle(mostWaiting(lines)) - idle("due-of-0");
}
