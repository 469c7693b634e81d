// The policies of a step with every default applied.

import { parseDuration } from "../duration.ts";
import type { Backoff, Each, Notation, Retry } from "../plan.ts";
import type { Each as EachSpec, Retry as RetrySpec } from "../schema/types.ts";
import { under } from "../pointer.ts";
import { compileStructure, type Compiler, type Site } from "./compiler.ts";

/** Durations were checked with the shape of the document; one that is wrong has its finding already. */
export function durationMs(text: string): number {
  return parseDuration(text) ?? 0;
}

export function durationOrNull(text: string | undefined): number | null {
  return text === undefined ? null : durationMs(text);
}

export type Defaults = { readonly timeoutMs: number; readonly retry: Retry };

const seconds = (...values: readonly number[]): Backoff => ({
  kind: "list",
  delaysMs: values.map((value) => value * 1000),
});

// Of the newest seed; the third delay is used only with more than three attempts.
const threeTries: Retry = { attempts: 3, backoff: seconds(5, 30, 60), jitter: 0 };
const classic: Retry = { attempts: 3, backoff: seconds(30, 120, 300), jitter: 0 };
const once: Retry = { ...threeTries, attempts: 1 };

/** Seeds 002 and 004 know no retry; 120 s is the watchdog's patience of seeds 000 and 003. */
export function defaultsOf(
  notation: Notation,
  written: { readonly timeout?: string; readonly retry?: RetrySpec } = {},
): Defaults {
  const retry = notation === "flow" ? threeTries : once;
  return {
    timeoutMs: durationOrNull(written.timeout) ?? 120_000,
    retry: compileRetry(written.retry, retry),
  };
}

export function compileRetry(written: RetrySpec | undefined, defaults: Retry): Retry {
  if (written === undefined) return defaults;
  if (written === false) return once;
  if (written === "classic") return classic;
  return {
    // Whoever writes a back-off wants retries, whatever the notation; a number that the document gives still holds.
    attempts: written.attempts ?? (defaults === once ? threeTries : defaults).attempts,
    backoff: compileBackoff(written.backoff) ?? defaults.backoff,
    jitter: written.jitter ?? defaults.jitter,
  };
}

type BackoffSpec = Extract<RetrySpec, object>["backoff"];

function compileBackoff(written: BackoffSpec): Backoff | undefined {
  if (written === undefined) return undefined;
  if (!("base" in written)) return { kind: "list", delaysMs: written.map(durationMs) };
  return {
    kind: "exponential",
    baseMs: durationMs(written.base),
    factor: written.factor ?? 2,
    maxMs: durationMs(written.max ?? "1h"),
  };
}

export function compileEach(compiler: Compiler, written: EachSpec | undefined, site: Site): Each | null {
  if (written === undefined) return null;
  return {
    items: compileStructure(compiler, written.items, { ...at(site, "each", "items"), wanted: "a list" }),
    concurrency: written.concurrency ?? 4,
    onItemError: written.on_item_error ?? "fail",
    result: written.result ?? "list",
  };
}

export function at(site: Site, ...parts: readonly (string | number)[]): Site {
  return { ...site, pointer: under(site.pointer, ...parts) };
}
