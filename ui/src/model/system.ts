// How the service is, as the page holds it: figures, how fast steps end, and what is handed to whoever has to help.

import type { Retention } from "./retention.ts";
import type { Json } from "./json.ts";
import { showMark, type Overview } from "./overview.ts";
import type { Breaker, ToolServer } from "./tool.ts";

export type System = {
  readonly version: string;
  readonly pid: number;
  readonly host: string;
  readonly startedAt: number;
  readonly isOk: boolean;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly store: {
    readonly kind: string;
    readonly place: string;
    readonly bytes: number;
    readonly walBytes: number | null;
  };
  readonly durability: string;
  readonly isOwner: boolean;
  readonly owner: { readonly pid: number; readonly host: string; readonly role: string; readonly since: number } | null;
  readonly runs: { readonly running: number; readonly scheduled: number; readonly paused: number };
  readonly ready: { readonly count: number; readonly oldestAt: number | null } | null;
  readonly runningCalls: number | null;
  readonly callsMax: number | null;
  /** What a commit takes of late. */
  readonly commitMs: number | null;
  readonly stepsEnded: EndedSteps | null;
  readonly streams: number;
  readonly memoryBytes: number;
  readonly retention: Retention | null;
};

/** Steps that have ended, by spans of time. */
export type EndedSteps = {
  readonly everyMs: number;
  /** When the first span began. */
  readonly since: number;
  /** Oldest first; the last span is not over. */
  readonly counts: readonly number[];
};

/** What has not ended, by the words that lists of runs have for it. Only some are known one by one: where there are more,
 *  nobody has looked whether they work or wait, and they are under way. */
export function sayLive(runs: System["runs"], known: Overview["running"]): string {
  const listed = known.filter(({ status }) => status === "running");
  const counts = new Map<string, number>();
  for (const each of listed.length === runs.running ? listed : []) {
    const { word } = showMark(each);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].map(([word, count]) => `${count} ${word}`);
  if (words.length === 0) words.push(runs.running === 0 ? "0 running" : `${runs.running} under way`);
  return [...words, `${runs.scheduled} scheduled`, `${runs.paused} paused`].join(", ");
}

export type Rates = {
  /** Steps a second, by spans. */
  readonly perSecond: readonly number[];
  readonly highest: number;
  /** In all spans together. */
  readonly total: number;
  /** Steps a second in the last minute, of which a few seconds may still be to come. */
  readonly lately: number;
};

export function ratesOf({ everyMs, counts }: EndedSteps): Rates {
  const perSecond = counts.map((count) => count / (everyMs / 1000));
  const minute = counts.slice(-Math.max(1, Math.round(60_000 / everyMs)));
  return {
    perSecond,
    highest: Math.max(0, ...perSecond),
    total: sumOf(counts),
    lately: minute.length === 0 ? 0 : sumOf(minute) / ((minute.length * everyMs) / 1000),
  };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** `0.3 / s`, `12 / s` */
export function showRate(perSecond: number): string {
  return `${perSecond === 0 || perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)} / s`;
}

/** `0.42 ms`, `3.1 ms`, `120 ms`: what is quick is told more exactly than durations are elsewhere. */
export function showQuick(ms: number): string {
  return `${ms < 1 ? ms.toFixed(2) : ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export type Diagnosed = {
  readonly system: System;
  readonly servers: readonly ToolServer[];
  readonly breakers: readonly Breaker[];
  readonly at: number;
  readonly browser: string;
};

/** For whoever has to find out what is wrong. What tools and programs have said is left out: nobody knows what stands in it. */
export function toDiagnostics({ system, servers, breakers, at, browser }: Diagnosed): Json {
  return {
    at: new Date(at).toISOString(),
    browser,
    system,
    servers: servers.map(({ problem, lastWords, target: _target, command: _command, ...server }) => ({
      ...server,
      hasProblem: problem !== null,
      hasWritten: lastWords !== null,
    })),
    breakers: breakers.map(({ lastError: _said, ...breaker }) => breaker),
  };
}

/** `stepwell-diagnostics-2026-11-18T09-30-00.json` */
export function diagnosticsName(at: number): string {
  return `stepwell-diagnostics-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}.json`;
}
