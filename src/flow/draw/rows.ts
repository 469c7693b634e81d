// The vertical places: layers from top to bottom, with room below the labels for the tracks of lanes.

import type { Vertex } from "./layers.ts";
import type { Track } from "./lanes.ts";

export type RowGaps = {
  /** From a step to the labels under it. */
  readonly above: number;
  /** From the labels to the next step. */
  readonly below: number;
  /** Between tracks. */
  readonly lane: number;
};

/** Places the rows and the tracks from `top` on; returns where they end. */
export function placeRows(
  layers: readonly (readonly Vertex[])[],
  tracks: readonly Track[],
  { top, ...gaps }: RowGaps & { readonly top: number },
): number {
  const byLayer = Map.groupBy(tracks, ({ layer }) => layer);
  let y = top;
  let end = top;
  const placeTracks = (layer: number): void => {
    const here = byLayer.get(layer) ?? [];
    for (const [at, track] of here.entries()) track.y = y + gaps.below / 2 + at * gaps.lane;
    y += gaps.below + Math.max(0, here.length - 1) * gaps.lane;
    if (here.length > 0) end = y;
  };
  if (byLayer.has(-1)) placeTracks(-1);
  for (const [layer, vertices] of layers.entries()) {
    const height = Math.max(...vertices.map(({ size }) => size.height));
    for (const vertex of vertices) {
      vertex.top = y;
      vertex.bottom = y + height;
      vertex.y = y + (height - vertex.size.height) / 2;
    }
    y += height;
    end = y;
    if (layer % 2 === 0) y += gaps.above;
    else placeTracks(layer);
  }
  return end;
}
