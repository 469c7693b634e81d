// How far a call is, as its tool says.

export type Progress = {
  /** 0 to 1; null: it cannot say. */
  readonly fraction: number | null;
  readonly message: string | null;
};

export type StepProgress = Progress & { readonly run: number; readonly step: number };

/** In whole percent, and full only when it is. */
export function percentOf({ fraction }: Progress): number | null {
  return fraction === null ? null : Math.floor(fraction * 100);
}

export function sayProgress(progress: Progress): string {
  const percent = percentOf(progress);
  const parts = [percent === null ? null : `${percent} %`, progress.message].filter((part) => part !== null);
  return parts.length === 0 ? "under way" : parts.join(", ");
}

/** Of so many steps the newest is kept; what was told of others is read again with their run. */
const keptMax = 500;

/** The newest of each step, in place of what was known of it. */
export function keepNewest(
  known: ReadonlyMap<number, Progress>,
  told: Iterable<StepProgress>,
): ReadonlyMap<number, Progress> {
  const kept = new Map(known);
  for (const { step, fraction, message } of told) {
    kept.delete(step);
    kept.set(step, { fraction, message });
  }
  for (const step of kept.keys()) if (kept.size > keptMax) kept.delete(step);
  return kept;
}
