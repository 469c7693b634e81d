// One part of the harness: what it did, what it found, and whether all was as it must be.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "./person.ts";
import type { SubjectOptions } from "./protocol.ts";
import { SubjectProcess } from "./subject-process.ts";

export type PartReport = {
  readonly name: string;
  readonly isGood: boolean;
  /** What was measured, a line each. */
  readonly lines: readonly string[];
  readonly problems: readonly string[];
};

export type PartOptions = {
  readonly kills: number;
  readonly runs: number;
  /** Hits of each named point, rounds of each kind. */
  readonly hits: number;
  readonly rounds: number;
  readonly seed: number;
  readonly withPlace: WithPlace;
  /** A line on the way, for whoever watches. */
  readonly say: (line: string) => void;
};

/** Gives each trial a store of its own: a file, or a database on a server. */
export type WithPlace = <T>(act: (place: Place) => Promise<T>) => Promise<T>;

export const withFile: WithPlace = (act) => withFolder((folder) => act(placeIn(folder)));

/** A folder for one trial, removed afterwards. */
export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-crash-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function placeIn(folder: string): Place {
  return { store: join(folder, "crash.db"), ledger: join(folder, "ledger.jsonl") };
}

export function subjectOptions(place: Place, change: Partial<SubjectOptions> = {}): SubjectOptions {
  return { ...place, durability: "full", delayMs: 8, ...change };
}

/** One life in peace, so that the next ones find compiled code: who is killed leaves none behind. */
export async function warmUp(): Promise<void> {
  await withFolder(async (folder) => {
    const subject = new SubjectProcess(subjectOptions(placeIn(folder)));
    const isOpen = await subject.opened;
    await subject.stop();
    if (!isOpen) throw new Error(`The subject does not start: ${JSON.stringify(subject.problems)} ${subject.errors}`);
  });
}

export function report(name: string, lines: readonly string[], problems: readonly string[]): PartReport {
  return { name, isGood: problems.length === 0, lines, problems };
}

export function skipped(name: string, reason: string): PartReport {
  return { name, isGood: true, lines: [`SKIPPED: ${reason}`], problems: [] };
}

/** With 0 of `trials` the chance of one more is below this, at 95 % (the rule of three). */
export function boundOf(trials: number): string {
  return trials === 0 ? "" : `95 % bound ${(300 / trials).toFixed(trials < 300 ? 1 : 3)} %`;
}

/** Without counting what lies between two values: the one at or above that share. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function describeMs(name: string, values: readonly number[]): string {
  if (values.length === 0) return `${name}: none measured`;
  const ms = (share: number): string => `${Math.round(percentile(values, share))} ms`;
  return `${name}: p50 ${ms(0.5)}, p99 ${ms(0.99)}, most ${ms(1)} (${values.length} measured)`;
}

/** Each in its turn, two at a time: a trial waits for its processes most of the time. */
export async function inTurns<T, R>(list: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const entries = list.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await act(item);
  };
  await Promise.all([work(), work()]);
  return results;
}
