// Which part of a graph is seen at first: all of it where that stays legible, else its beginning or what is looked for.

import type { Box } from "./arrange.ts";
import type { Layout } from "./layout.ts";

export type Viewport = { readonly x: number; readonly y: number; readonly zoom: number };
export type Size = { readonly width: number; readonly height: number };

/** How small it may become so that all of it is seen. `pleasant`: below this one would rather move along a graph than
 *  squint at all of it; `legible`: of a machine all states belong together, whichever way is open; `least`: somebody has
 *  asked for all of it, and wants its shape. */
export const zoomLeast = { pleasant: 0.82, legible: 0.6, least: 0.2 } as const;
export type Least = keyof typeof zoomLeast;
const zoomNearly = 0.74;
const padding = 20;

/** Never larger than life; what does not fit begins at the top, or at what is looked for. */
export function fit(whole: Size, seen: Size, sought: Box | null, least: Least = "pleasant"): Viewport {
  const wide = (seen.width - 2 * padding) / Math.max(1, whole.width);
  const high = (seen.height - 2 * padding) / Math.max(1, whole.height);
  const zoom = zoomFor(wide, high, least);
  return {
    x: along(
      { whole: whole.width, seen: seen.width, zoom },
      sought === null ? null : { from: sought.x, to: sought.x + sought.width },
      "middle",
    ),
    y: along(
      { whole: whole.height, seen: seen.height, zoom },
      sought === null ? null : { from: sought.y, to: sought.y + sought.height },
      "start",
    ),
    zoom,
  };
}

/** A little smaller is better than a little out of sight; and one goes down along a graph, but would lose the branches
 *  that lie to its sides: so that its whole width is seen it may be as small as can be read. */
function zoomFor(wide: number, high: number, least: Least): number {
  const all = Math.min(wide, high);
  if (all >= zoomNearly) return Math.min(1, all);
  const usual = Math.min(1, Math.max(zoomLeast[least], all));
  return wide < usual && wide >= zoomLeast.legible ? Math.max(zoomLeast.legible, all) : usual;
}

type Axis = { readonly whole: number; readonly seen: number; readonly zoom: number };

type Stretch = { readonly from: number; readonly to: number };

function along({ whole, seen, zoom }: Axis, sought: Stretch | null, otherwise: "start" | "middle"): number {
  const rest = seen - whole * zoom;
  if (rest >= 2 * padding) return rest / 2;
  if (sought !== null) {
    // It begins at the top as long as what is looked for is in sight there.
    if (otherwise === "start" && padding + sought.to * zoom <= seen - padding) return padding;
    return around({ whole, seen, zoom }, sought);
  }
  return otherwise === "start" ? padding : rest / 2;
}

/** With the stretch in the middle, as far as there is no empty room beyond the ends. */
function around({ whole, seen, zoom }: Axis, { from, to }: Stretch): number {
  const rest = seen - whole * zoom;
  if (rest >= 2 * padding) return rest / 2;
  return Math.max(rest - padding, Math.min(padding, seen / 2 - ((from + to) / 2) * zoom));
}

/** In pixels, at the top right: buttons stand there. */
const corner = { width: 136, height: 44 };

/** The same, a little lower where a step at its top would lie under the buttons in the corner. */
export function fitBelow(
  whole: Pick<Layout, "width" | "height" | "nodes">,
  seen: Size,
  sought: Box | null,
  least: Least,
): Viewport {
  const view = fit(whole, seen, sought, least);
  if (!whole.nodes.some((node) => isUnderButtons(node, view, seen))) return view;
  const lower = corner.height - padding;
  const below = fit(whole, { width: seen.width, height: seen.height - lower }, sought, least);
  return { ...below, y: below.y + lower };
}

function isUnderButtons({ x, y, width }: Box, view: Viewport, seen: Size): boolean {
  const top = y * view.zoom + view.y;
  return (x + width) * view.zoom + view.x > seen.width - corner.width && top >= 0 && top < corner.height;
}

/** Whether something of a graph lies outside of what is seen, so that a map helps. */
export function reachesBeyond(whole: Size, { x, y, zoom }: Viewport, seen: Size): boolean {
  return x < 0 || y < 0 || x + whole.width * zoom > seen.width || y + whole.height * zoom > seen.height;
}

export type Corner = "bottom-right" | "bottom-left" | "top-left";
/** With the room around it. */
export const mapSize = { width: 120, height: 80 };
const mapRoom = { width: mapSize.width + 12, height: mapSize.height + 28 };

/** How much two stretches have in common. */
function shared(one: Stretch, other: Stretch): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

/** How much of a box lies under a map in that corner. */
function hiddenBy(map: Corner, box: Box, { x, y, zoom }: Viewport, seen: Size): number {
  const left = map === "bottom-right" ? seen.width - mapRoom.width : 0;
  const top = map === "top-left" ? 0 : seen.height - mapRoom.height;
  const start = { x: box.x * zoom + x, y: box.y * zoom + y };
  const wide = shared({ from: left, to: left + mapRoom.width }, { from: start.x, to: start.x + box.width * zoom });
  const high = shared({ from: top, to: top + mapRoom.height }, { from: start.y, to: start.y + box.height * zoom });
  return wide * high;
}

function isUnderMap(map: Corner, box: Box, view: Viewport, seen: Size): boolean {
  return hiddenBy(map, box, view, seen) > 0;
}

const corners: readonly Corner[] = ["bottom-right", "bottom-left", "top-left"];
/** Rather many others than the one that is looked at. */
const soughtWeight = 100;

type Places = { readonly boxes: readonly Box[]; readonly sought: Box | null };

/** Where a map hides the least of the steps; at the top right there are buttons. */
export function freeCorner(view: Viewport, { boxes, sought }: Places, seen: Size): Corner {
  const areas = corners.map((map) => ({
    map,
    area:
      boxes.reduce((sum, box) => sum + hiddenBy(map, box, view, seen), 0) +
      (sought === null ? 0 : soughtWeight * hiddenBy(map, sought, view, seen)),
  }));
  return areas.reduce((best, each) => (each.area < best.area ? each : best)).map;
}

function isSeenAcross(box: Box, { x, zoom }: Viewport, { width }: Size): boolean {
  return box.x * zoom + x >= 0 && (box.x + box.width) * zoom + x <= width;
}

function isSeenDown(box: Box, { y, zoom }: Viewport, { height }: Size): boolean {
  return box.y * zoom + y >= 0 && (box.y + box.height) * zoom + y <= height;
}

/** The same zoom, moved no more than it takes: only along the axis on which the box is out of sight. */
function bring(box: Box, whole: Size, view: Viewport, seen: Size): Viewport {
  const { zoom } = view;
  const x = isSeenAcross(box, view, seen)
    ? view.x
    : around({ whole: whole.width, seen: seen.width, zoom }, { from: box.x, to: box.x + box.width });
  const y = isSeenDown(box, view, seen)
    ? view.y
    : around({ whole: whole.height, seen: seen.height, zoom }, { from: box.y, to: box.y + box.height });
  const there = { x, y, zoom };
  return isUnderButtons(box, there, seen) ? { ...there, y: corner.height - box.y * zoom } : there;
}

type Sight = { readonly view: Viewport; readonly map: Corner };

/** The box in sight, and the map where it does not hide it; where neither is amiss, all stays as it is. */
export function follow(box: Box, whole: Pick<Layout, "width" | "height" | "nodes">, sight: Sight, seen: Size): Sight {
  const view = bring(box, whole, sight.view, seen);
  const isStill = view.x === sight.view.x && view.y === sight.view.y;
  if (isStill && !isUnderMap(sight.map, box, view, seen)) return sight;
  return { view, map: freeCorner(view, { boxes: whole.nodes, sought: box }, seen) };
}

/** Of a path without a step that is looked at: as wide as all of it, as high as its beginning, where one begins to read. */
export function pathBox(start: Box, boxes: readonly Box[]): Box {
  const from = Math.min(start.x, ...boxes.map(({ x }) => x));
  const to = Math.max(start.x + start.width, ...boxes.map(({ x, width }) => x + width));
  return { ...start, x: from, width: to - from };
}
