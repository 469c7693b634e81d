// The order of the vertices within each layer: barycentre sweeps, down and up in turn; the sweep with the fewest
// crossings is kept.

import type { Layers, Vertex } from "./layers.ts";

type Ordered = readonly (readonly Vertex[])[];

const sweeps = 12;

export function orderLayers(layers: Layers["layers"]): Ordered {
  let current: Ordered = layers.map(renumber);
  let best = current;
  let fewest = countCrossings(current);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    current = sweep % 2 === 0 ? current.map(sortByUpper) : current.toReversed().map(sortByLower).toReversed();
    const crossings = countCrossings(current);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = current;
  }
  return best.map(renumber);
}

function renumber(layer: readonly Vertex[]): readonly Vertex[] {
  for (const [place, vertex] of layer.entries()) vertex.place = place;
  return layer;
}

function sortByUpper(layer: readonly Vertex[]): readonly Vertex[] {
  return sortBy(layer, ({ up, place }) => meanPlace(up) ?? place);
}

// The label of a line that leaves to a lane, on the right, stands right of what else its step leads to.
function sortByLower(layer: readonly Vertex[]): readonly Vertex[] {
  return sortBy(layer, ({ up, down, place }) => {
    const besides = up.flatMap((above) => above.down.map((beside) => meanPlace(beside.down) ?? -1));
    return meanPlace(down) ?? besides.reduce((most, mean) => Math.max(most, mean + 0.1), place);
  });
}

function sortBy(layer: readonly Vertex[], keyOf: (vertex: Vertex) => number): readonly Vertex[] {
  const keyed = layer.map((vertex) => ({ vertex, key: keyOf(vertex) }));
  return renumber(keyed.toSorted((one, other) => one.key - other.key).map(({ vertex }) => vertex));
}

function meanPlace(neighbours: readonly Vertex[]): number | null {
  if (neighbours.length === 0) return null;
  return neighbours.reduce((sum, { place }) => sum + place, 0) / neighbours.length;
}

function countCrossings(layers: Ordered): number {
  return layers.reduce((sum, layer) => {
    const ends = layer.flatMap(({ down }) => down.map(({ place }) => place).toSorted((one, other) => one - other));
    return sum + countInversions(ends).count;
  }, 0);
}

/** Pairs out of order, counted while merging. */
function countInversions(list: readonly number[]): { readonly sorted: readonly number[]; readonly count: number } {
  if (list.length < 2) return { sorted: list, count: 0 };
  const middle = list.length >> 1;
  const left = countInversions(list.slice(0, middle));
  const right = countInversions(list.slice(middle));
  const sorted: number[] = [];
  let count = left.count + right.count;
  let taken = 0;
  for (const value of right.sorted) {
    for (let next = left.sorted[taken]; next !== undefined && next <= value; next = left.sorted[++taken])
      sorted.push(next);
    count += left.sorted.length - taken;
    sorted.push(value);
  }
  return { sorted: [...sorted, ...left.sorted.slice(taken)], count };
}
