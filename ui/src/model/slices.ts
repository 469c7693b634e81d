// A long flow is laid out piece by piece: it is cut where everything passes through one step, which ends one piece and
// begins the next. A layout costs more than twice as much for a graph of twice the length.

import type { GraphLink, GraphNode } from "./run.ts";

export type Slice = { readonly nodes: readonly GraphNode[]; readonly links: readonly GraphLink[] };

/** Pieces are no smaller than this: each begins anew to look for a good order. */
const leastNodes = 40;

/** From top to bottom; neighbours share one node, the last of the one and the first of the other. */
export function slice(whole: Slice): readonly Slice[] {
  const ranks = ranksOf(whole);
  if (ranks === null) return [whole];
  const cuts = chooseCuts(whole, ranks);
  if (cuts.length === 0) return [whole];
  const pieces = Array.from({ length: cuts.length + 1 }, () => ({
    nodes: [] as GraphNode[],
    links: [] as GraphLink[],
  }));
  /** A step at a cut belongs to the piece that it begins. */
  const pieceOf = (rank: number): number => cuts.findLastIndex((cut) => cut <= rank) + 1;
  for (const node of whole.nodes) {
    const rank = ranks.get(node.key) ?? 0;
    const piece = pieceOf(rank);
    pieces[piece]?.nodes.push(node);
    if (cuts[piece - 1] === rank) pieces[piece - 1]?.nodes.push(node);
  }
  for (const link of whole.links) {
    const ends = [link.from, link.to ?? link.from].map((key) => ranks.get(key) ?? 0);
    pieces[pieceOf(Math.min(...ends))]?.links.push(link);
  }
  return pieces;
}

/** Ranks that hold one step alone and that no arrow passes, with enough steps between them. */
function chooseCuts({ nodes, links }: Slice, ranks: ReadonlyMap<string, number>): readonly number[] {
  const depth = nodes.reduce((most, { key }) => Math.max(most, ranks.get(key) ?? 0), 0);
  const counts = Array.from({ length: depth + 1 }, () => 0);
  for (const rank of ranks.values()) counts[rank] = (counts[rank] ?? 0) + 1;
  const passing = Array.from({ length: depth + 2 }, () => 0);
  for (const { from, to } of links) {
    const [low, high] = [ranks.get(from) ?? 0, ranks.get(to ?? from) ?? 0].toSorted((one, other) => one - other) as [
      number,
      number,
    ];
    if (high - low < 2) continue;
    passing[low + 1] = (passing[low + 1] ?? 0) + 1;
    passing[high] = (passing[high] ?? 0) - 1;
  }
  const cuts: number[] = [];
  let open = 0;
  let since = 0;
  for (const [rank, count] of counts.entries()) {
    open += passing[rank] ?? 0;
    since += count;
    if (count !== 1 || open > 0 || since <= leastNodes || rank === depth) continue;
    cuts.push(rank);
    since = 1;
  }
  return cuts;
}

/** Arrows on the longest way to each step, loops aside; null: there are loops of which nobody knows where they close. */
function ranksOf({ nodes, links }: Slice): ReadonlyMap<string, number> | null {
  const forward = links.filter(({ from, to, isBack }) => to !== null && !isBack && from !== to);
  const leaving = Map.groupBy(forward, ({ from }) => from);
  const missing = new Map(nodes.map(({ key }) => [key, 0]));
  for (const { to } of forward) if (to !== null) missing.set(to, (missing.get(to) ?? 0) + 1);
  const ranks = new Map<string, number>();
  const depths = new Map<string, number>();
  const queue = nodes.filter(({ key }) => missing.get(key) === 0).map(({ key }) => key);
  for (const key of queue) {
    const depth = depths.get(key) ?? 0;
    ranks.set(key, depth);
    for (const { to } of leaving.get(key) ?? []) {
      if (to === null) continue;
      depths.set(to, Math.max(depths.get(to) ?? 0, depth + 1));
      const left = (missing.get(to) ?? 1) - 1;
      missing.set(to, left);
      if (left === 0) queue.push(to);
    }
  }
  return ranks.size === nodes.length ? ranks : null;
}
