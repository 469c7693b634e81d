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
  const all = Math.min(wide, high);
  // A little smaller is better than a little out of sight.
  const zoom = Math.min(1, all >= zoomNearly ? all : Math.max(zoomLeast[least], all));
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

type Axis = { readonly whole: number; readonly seen: number; readonly zoom: number };

type Stretch = { readonly from: number; readonly to: number };

function along({ whole, seen, zoom }: Axis, sought: Stretch | null, otherwise: "start" | "middle"): number {
  const rest = seen - whole * zoom;
  if (rest >= 2 * padding) return rest / 2;
  if (sought !== null) {
    // It begins at the top as long as what is looked for is in sight there.
    if (otherwise === "start" && padding + sought.to * zoom <= seen - padding) return padding;
    const middle = ((sought.from + sought.to) / 2) * zoom;
    return Math.max(seen - padding - whole * zoom, Math.min(padding, seen / 2 - middle));
  }
  return otherwise === "start" ? padding : rest / 2;
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
  const isUnder = whole.nodes.some(({ x, y, width }) => {
    const top = y * view.zoom + view.y;
    return (x + width) * view.zoom + view.x > seen.width - corner.width && top >= 0 && top < corner.height;
  });
  if (!isUnder) return view;
  const lower = corner.height - padding;
  const below = fit(whole, { width: seen.width, height: seen.height - lower }, sought, least);
  return { ...below, y: below.y + lower };
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

/** Where a map hides the least of the steps; at the top right there are buttons. */
export function freeCorner({ x, y, zoom }: Viewport, boxes: readonly Box[], seen: Size): Corner {
  const hidden = (left: number, top: number): number =>
    boxes.reduce((sum, box) => {
      const start = { x: box.x * zoom + x, y: box.y * zoom + y };
      const wide = shared({ from: left, to: left + mapRoom.width }, { from: start.x, to: start.x + box.width * zoom });
      const high = shared({ from: top, to: top + mapRoom.height }, { from: start.y, to: start.y + box.height * zoom });
      return sum + wide * high;
    }, 0);
  const [right, bottom] = [seen.width - mapRoom.width, seen.height - mapRoom.height];
  const corners = [
    { corner: "bottom-right", area: hidden(right, bottom) },
    { corner: "bottom-left", area: hidden(0, bottom) },
    { corner: "top-left", area: hidden(0, 0) },
  ] as const;
  return corners.reduce((best, each) => (each.area < best.area ? each : best)).corner;
}

/** Whether enough of a box is seen not to look for it. */
export function isSeen(box: Box, { x, y, zoom }: Viewport, seen: Size): boolean {
  const left = box.x * zoom + x;
  const top = box.y * zoom + y;
  return left >= 0 && top >= 0 && left + box.width * zoom <= seen.width && top + box.height * zoom <= seen.height;
}

/** The same zoom, with the box in the middle. */
export function centre(box: Box, seen: Size, zoom: number): Viewport {
  return {
    x: seen.width / 2 - (box.x + box.width / 2) * zoom,
    y: seen.height / 2 - (box.y + box.height / 2) * zoom,
    zoom,
  };
}
