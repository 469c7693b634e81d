// Lengths of time as a person reads them at a glance: three figures say enough.

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
