// The horizontal places of the vertices, when their order is fixed: each layer in turn is moved as near to its
// neighbours as its own gaps allow. That is isotonic regression, solved exactly by pooling adjacent violators.

import type { Vertex } from "./layers.ts";

export type ColumnGaps = {
  /** Between two steps, and between a step and a line. */
  readonly step: number;
  /** Between two labels or lines. */
  readonly line: number;
};

const sweeps = 10;

export function placeColumns(layers: readonly (readonly Vertex[])[], gaps: ColumnGaps): void {
  for (const layer of layers) placeLayer(layer, gaps, () => []);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const layer of layers) placeLayer(layer, gaps, ({ up }) => up);
    for (const layer of layers.toReversed()) placeLayer(layer, gaps, ({ down }) => down);
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const layer of layers) placeLayer(layer, gaps, ({ up, down }) => [...up, ...down]);
  }
}

/** Vertices that stand as close as they may, around the mean of where they would like to be. */
type Pool = { readonly count: number; readonly weight: number; readonly sum: number };

function placeLayer(
  layer: readonly Vertex[],
  gaps: ColumnGaps,
  neighboursOf: (vertex: Vertex) => readonly Vertex[],
): void {
  const pools: Pool[] = [];
  const offsets: { readonly vertex: Vertex; readonly offset: number }[] = [];
  let offset = 0;
  let before: Vertex | null = null;
  for (const vertex of layer) {
    if (before !== null) offset += distance(before, vertex, gaps);
    before = vertex;
    offsets.push({ vertex, offset });
    const { x, weight } = wishOf(vertex, neighboursOf(vertex));
    let pool: Pool = { count: 1, weight, sum: weight * (x - offset) };
    for (let last = pools.at(-1); last !== undefined && meanOf(last) >= meanOf(pool); last = pools.at(-1)) {
      pool = { count: last.count + pool.count, weight: last.weight + pool.weight, sum: last.sum + pool.sum };
      pools.pop();
    }
    pools.push(pool);
  }
  let placed = 0;
  for (const pool of pools) {
    const members = offsets.slice(placed, placed + pool.count);
    for (const member of members) member.vertex.x = meanOf(pool) + member.offset;
    placed += pool.count;
  }
}

function meanOf({ sum, weight }: Pool): number {
  return sum / weight;
}

function wishOf(vertex: Vertex, neighbours: readonly Vertex[]): { readonly x: number; readonly weight: number } {
  // Nothing pulls it: it stays where it is unless others push.
  if (neighbours.length === 0) return { x: vertex.x, weight: 0.1 };
  let weight = 0;
  let sum = 0;
  for (const neighbour of neighbours) {
    const pull = pullBetween(vertex, neighbour);
    weight += pull;
    sum += pull * neighbour.x;
  }
  return { x: sum / weight, weight };
}

// A line between two bends should be straight; lines of failure must not bend the way of success.
function pullBetween(one: Vertex, other: Vertex): number {
  if (one.isFaint || other.isFaint) return one.isBend && other.isBend ? 0.4 : 0.05;
  return one.isBend && other.isBend ? 4 : 1;
}

/** Between the middles of two neighbours, at least. */
export function distance(left: Vertex, right: Vertex, gaps: ColumnGaps): number {
  const gap = left.size.height > 0 && right.size.height > 0 && left.layer % 2 === 0 ? gaps.step : gaps.line;
  return left.size.width / 2 + left.overhang + gap + right.size.width / 2;
}
