// How long ago something was, whatever the machine has done meanwhile.

/** A machine that sleeps stops its monotonic clock, and one whose time is set back stops the other. */
export type Clocks = { readonly monotonic: number; readonly wall: number };

export function readClocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() };
}

export function sinceMs({ monotonic, wall }: Clocks): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall);
}
