// Times as people read and give them. Lengths at a glance: three figures say enough.

import { StepwellError } from "../error.ts";
import { parseDuration } from "../flow/duration.ts";
import { adviseZone, findZone, toWall } from "../flow/time/zone.ts";

/** `840 ms`, `1.24 s`, `2 m 5 s`, `3 h 10 m`, `2 d 4 h`. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1000)} s`;
  const [large, small] =
    ms < 3_600_000 ? (["m", "s"] as const) : ms < 86_400_000 ? (["h", "m"] as const) : (["d", "h"] as const);
  const whole = Math.floor(ms / unitMs[large]);
  const rest = Math.floor((ms - whole * unitMs[large]) / unitMs[small]);
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function trimmed(seconds: number): string {
  const digits = seconds < 10 ? 2 : 1;
  // Down, so that 59.99 seconds are not 60.
  const cut = Math.floor(seconds * 10 ** digits) / 10 ** digits;
  return String(cut);
}

/** `just now`, `2 m ago`, `3 h ago`: the largest unit says enough. */
export function showAgo(ms: number): string {
  if (ms < 1000) return "just now";
  const [unit, length] = unitsDown.find(([, each]) => ms >= each) ?? ["s", unitMs.s];
  return `${Math.floor(ms / length)} ${unit} ago`;
}

const unitsDown: readonly (readonly [unit: string, ms: number])[] = [
  ["d", unitMs.d],
  ["h", unitMs.h],
  ["m", unitMs.m],
  ["s", unitMs.s],
];

/** Instants in one zone: `2026-11-16 09:30:05`. */
export function createTimeFormat(zoneName: string | undefined): (at: number) => string {
  const zone = zoneName === undefined ? undefined : findZone(zoneName);
  if (zoneName !== undefined && zone === undefined) {
    throw new StepwellError("USAGE", `"${zoneName}" is no time zone that is known here.`, {
      hint: adviseZone(zoneName),
    });
  }
  return (at) => {
    const wall = zone === undefined ? at - new Date(at).getTimezoneOffset() * unitMs.m : toWall(zone, at);
    return new Date(wall).toISOString().slice(0, 19).replace("T", " ");
  };
}

/** A length of time that was given with this flag. */
export function readDuration(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new StepwellError("USAGE", `"${text}" is no length of time.`, { hint: `${flag} 30s, 5m, 1h30m or 30d` });
}
