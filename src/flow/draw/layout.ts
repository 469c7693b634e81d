// The layout of the SVG drawing: layers from top to bottom, steps on them, lines between. Sizes and gaps come from the
// drawing, in its own unit.

import { placeColumns, type ColumnGaps } from "./columns.ts";
import { placeLanes, planLanes, rightOf } from "./lanes.ts";
import { buildLayers, type Sizes, type Vertex } from "./layers.ts";
import { orderLayers } from "./order.ts";
import type { Picture, PictureNode } from "./picture.ts";
import { straightenColumns } from "./straighten.ts";
import { routeDown, routeLane, routeLoop, type Point, type Route } from "./routes.ts";
import { placeRows, type RowGaps } from "./rows.ts";

export type Spacing = Sizes &
  ColumnGaps &
  RowGaps & { readonly margin: number; /** Above the start. */ readonly head: number };

export type Layout = {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly { readonly node: PictureNode; readonly x: number; readonly y: number }[];
  /** The middles of the marks where a line ends. */
  readonly ends: readonly Point[];
  readonly routes: readonly Route[];
};

export function layOut(picture: Picture, spacing: Spacing): Layout {
  const { layers: found, steps, ends, strands } = buildLayers(picture, spacing);
  const layers = orderLayers(found);
  placeColumns(layers, spacing);
  straightenColumns(layers, spacing);
  moveToMargin(layers, spacing.margin);
  const { lanes, tracks } = planLanes(layers, strands);
  placeLanes(lanes, layers, spacing.lane);
  const bottom = placeRows(layers, tracks, { ...spacing, top: spacing.margin + spacing.head });
  const right = [...layers.flat().map(rightOf), ...lanes.map(({ x }) => x)].reduce((most, x) => Math.max(most, x), 0);
  return {
    width: Math.ceil(right + spacing.margin),
    height: Math.ceil(bottom + spacing.margin),
    steps: [...steps].map(([node, { x, y, size }]) => ({ node, x: x - size.width / 2, y })),
    ends: ends.map(({ x, y, size }) => ({ x, y: y + size.height / 2 })),
    routes: [
      ...strands.flatMap((strand) => (strand.kind === "down" ? [routeDown(strand)] : [])),
      ...strands.flatMap((strand) => (strand.kind === "loop" ? [routeLoop(strand, spacing.loop)] : [])),
      ...lanes.flatMap((lane) => lane.members.map(({ strand, exit }) => routeLane(strand, lane, exit.y))),
    ],
  };
}

function moveToMargin(layers: readonly (readonly Vertex[])[], margin: number): void {
  const vertices = layers.flat();
  const left = vertices.reduce((least, { x, size }) => Math.min(least, x - size.width / 2), Infinity);
  // Whole units, so that lines are sharp and the text is the same on every machine.
  for (const vertex of vertices) vertex.x = Math.round(vertex.x - left + margin);
}
