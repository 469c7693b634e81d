// The last pass over the columns: vertices that follow one another on a single line move onto one vertical, as far as
// their neighbours on each layer leave room.

import { distance, type ColumnGaps } from "./columns.ts";
import type { Vertex } from "./layers.ts";

type Cell = { readonly vertex: Vertex; readonly left: Vertex | undefined; readonly right: Vertex | undefined };
type Room = { readonly from: number; readonly to: number };

const passes = 3;

export function straightenColumns(layers: readonly (readonly Vertex[])[], gaps: ColumnGaps): void {
  const chains = findChains(layers);
  for (let pass = 0; pass < passes; pass++) for (const chain of chains) straighten(chain, gaps);
}

/** Cuts the chain where no vertical fits any more, and puts each part on one. */
function straighten(chain: readonly Cell[], gaps: ColumnGaps): void {
  let part: Vertex[] = [];
  let room: Room = { from: -Infinity, to: Infinity };
  for (const cell of chain) {
    const own = roomOf(cell, gaps);
    const common = { from: Math.max(room.from, own.from), to: Math.min(room.to, own.to) };
    const isCut = common.from > common.to;
    if (isCut) align(part, room);
    if (isCut) part = [];
    part.push(cell.vertex);
    room = isCut ? own : common;
  }
  align(part, room);
}

function roomOf({ vertex, left, right }: Cell, gaps: ColumnGaps): Room {
  return {
    from: left === undefined ? -Infinity : left.x + distance(left, vertex, gaps),
    to: right === undefined ? Infinity : right.x - distance(vertex, right, gaps),
  };
}

function align(part: readonly Vertex[], { from, to }: Room): void {
  const places = part.map(({ x }) => x).toSorted((one, other) => one - other);
  for (const middle of places.slice(places.length >> 1).slice(0, 1)) {
    for (const vertex of part) vertex.x = Math.min(Math.max(middle, from), to);
  }
}

/** Every vertex is in one chain; a chain goes on where one line leads to a vertex that it alone reaches. */
function findChains(layers: readonly (readonly Vertex[])[]): readonly (readonly Cell[])[] {
  const chains = new Map<Vertex, Cell[]>();
  for (const layer of layers) {
    for (const [at, vertex] of layer.entries()) {
      const above = findAbove(vertex);
      const chain = (above === undefined ? above : chains.get(above)) ?? [];
      chain.push({ vertex, left: layer[at - 1], right: layer[at + 1] });
      chains.set(vertex, chain);
    }
  }
  return [...new Set(chains.values())];
}

// Lines of failure do not interrupt the way of success; shared bends keep the vertical of the line that was there first.
function findAbove(vertex: Vertex): Vertex | undefined {
  const [above, other] = mainOf(vertex.up);
  if (above === undefined || (other !== undefined && !(above.isBend && vertex.isBend))) return undefined;
  const ways = mainOf(above.down);
  return ways.length === 1 && ways.includes(vertex) ? above : undefined;
}

function mainOf(vertices: readonly Vertex[]): readonly Vertex[] {
  const main = vertices.filter(({ isFaint }) => !isFaint);
  return main.length === 0 ? vertices : main;
}
