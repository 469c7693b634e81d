// Which rows of a long list are in sight, where all of them are equally high.

export type Sight = { readonly top: number; readonly height: number };

/** Some more on either side are drawn, so that nothing is missing while somebody scrolls. */
const spare = 10;

/** The places of the first and the one behind the last. */
export function rowsInSight(
  count: number,
  rowHeight: number,
  { top, height }: Sight,
): readonly [from: number, to: number] {
  const from = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - spare);
  return [from, Math.min(count, Math.ceil((top + height) / rowHeight) + spare)];
}
