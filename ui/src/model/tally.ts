// What became of the same thing done to many: so many done, so many refused, and why.

export type Result = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Does it to each, a few at a time, and goes on whatever happens to one of them. */
export async function doToEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  atOnceMax = 6,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      try {
        await act(item);
        results[at] = { ok: true };
      } catch (error) {
        results[at] = { ok: false, why: error instanceof Error ? error.message : String(error) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, work));
  return results;
}

/** `3 cancelled, 2 refused: The run has ended: completed.` */
export function showTally(done: string, results: readonly Result[]): string {
  const whys = results.flatMap((result) => (result.ok ? [] : [result.why]));
  const good = results.length - whys.length;
  const parts = good > 0 || whys.length === 0 ? [`${good} ${done}`] : [];
  if (whys.length === 0) return `${parts.join("")}.`;
  const counts = new Map<string, number>();
  for (const why of whys) counts.set(why, (counts.get(why) ?? 0) + 1);
  const reasons = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  const told = reasons.map(([why, count]) => (counts.size > 1 && count > 1 ? `${why} (${count})` : why)).join(" ");
  return [...parts, `${whys.length} refused: ${told}`].join(", ");
}
