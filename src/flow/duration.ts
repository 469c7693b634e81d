// Durations as people write them.

const unitMs: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export function parseDuration(text: string): number | undefined {
  let total = 0;
  if (!/^(\d+(?:\.\d+)?(ms|s|m|h|d|w))+$/.test(text)) return undefined;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) total += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  return total;
}
