// Some of a list's rows, chosen one by one or from one to another.

export type Selection = ReadonlySet<number>;

export const nothing: Selection = new Set();

export function toggled(selection: Selection, id: number): Selection {
  const next = new Set(selection);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All between the two, both included; whatever was chosen stays so. */
export function extended(selection: Selection, ids: readonly number[], ends: readonly [number, number]): Selection {
  const [one, other] = ends.map((id) => ids.indexOf(id));
  if (one === undefined || other === undefined || one < 0 || other < 0) return toggled(selection, ends[1]);
  return new Set([...selection, ...ids.slice(Math.min(one, other), Math.max(one, other) + 1)]);
}

export function allOrNone(selection: Selection, ids: readonly number[]): Selection {
  return ids.every((id) => selection.has(id)) ? nothing : new Set(ids);
}
