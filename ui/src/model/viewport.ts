// Which part of a graph is seen at first: all of it where that stays legible, else its beginning or what is looked for.

import type { Box } from "./arrange.ts";

export type Viewport = { readonly x: number; readonly y: number; readonly zoom: number };
export type Size = { readonly width: number; readonly height: number };

/** Letters stay legible. */
export const zoomLeast = 0.6;
/** Below this one would rather move along a graph than squint at all of it. */
export const zoomPleasant = 0.8;
const padding = 24;

/** Never larger than life, never smaller than pleasant to read, or than legible where all of it is asked for; what does not
 *  fit begins at the top, or at what is looked for. */
export function fit(whole: Size, seen: Size, sought: Box | null, isWhole = false): Viewport {
  const wide = (seen.width - 2 * padding) / Math.max(1, whole.width);
  const high = (seen.height - 2 * padding) / Math.max(1, whole.height);
  const zoom = Math.min(1, Math.max(isWhole ? zoomLeast : zoomPleasant, Math.min(wide, high)));
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
