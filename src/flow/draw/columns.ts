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
type Pool = { readonly members: readonly Wish[]; readonly weight: number; readonly sum: number };
type Wish = { readonly vertex: Vertex; readonly offset: number };

function placeLayer(
  layer: readonly Vertex[],
  gaps: ColumnGaps,
  neighboursOf: (vertex: Vertex) => readonly Vertex[],
): void {
  const pools: Pool[] = [];
  let offset = 0;
  let before: Vertex | null = null;
  for (const vertex of layer) {
    if (before !== null) offset += distance(before, vertex, gaps);
    before = vertex;
    const { x, weight } = wishOf(vertex, neighboursOf(vertex));
    let pool: Pool = { members: [{ vertex, offset }], weight, sum: weight * (x - offset) };
    for (let last = pools.at(-1); last !== undefined && meanOf(last) >= meanOf(pool); last = pools.at(-1)) {
      pool = { members: [...last.members, ...pool.members], weight: last.weight + pool.weight, sum: last.sum + pool.sum };
      pools.pop();
    }
    pools.push(pool);
  }
  for (const pool of pools) for (const { vertex, offset: from } of pool.members) vertex.x = meanOf(pool) + from;
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
    // A line between two bends should be straight; steps may shift a little for that.
    const pull = vertex.isBend && neighbour.isBend ? 4 : 1;
    weight += pull;
    sum += pull * neighbour.x;
  }
  return { x: sum / weight, weight };
}

function distance(left: Vertex, right: Vertex, gaps: ColumnGaps): number {
  const gap = left.size.height > 0 && right.size.height > 0 && left.layer % 2 === 0 ? gaps.step : gaps.line;
  return left.size.width / 2 + left.overhang + gap + right.size.width / 2;
}
