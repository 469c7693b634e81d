// The course of each line, as points. From one point of `curve` to the next the line leaves and arrives vertically; then
// it goes on along `corners`, at right angles.

import type { Lane } from "./lanes.ts";
import type { DownStrand, LaneStrand, LoopStrand, Vertex } from "./layers.ts";
import type { Wire } from "./wires.ts";

export type Point = { readonly x: number; readonly y: number };

export type Route = {
  readonly wire: Wire;
  readonly curve: readonly Point[];
  readonly corners: readonly Point[];
  /** Where its head points; `none`: the line goes on as a part of another. */
  readonly head: "down" | "left" | "none";
  /** The middle of its labels. */
  readonly label: Point;
};

export function routeDown({ wire, from, label, bends, to, isMerged }: DownStrand): Route {
  const end = isMerged ? { x: to.x, y: to.top } : { x: to.x, y: to.y };
  const curve = [bottomOf(from), ...[label, ...bends].flatMap(passThrough), end];
  return { wire, curve, corners: [], head: isMerged ? "none" : "down", label: middleOf(label) };
}

export function routeLane({ wire, from, label }: LaneStrand, lane: Lane, exitY: number): Route {
  const { to, entry, x } = lane;
  const curve = [bottomOf(from), ...passThrough(label)];
  const start = { x: label.x, y: label.bottom };
  const around = [start, { x: label.x, y: exitY }, { x, y: exitY }];
  const common = { wire, curve: [...curve, start], label: middleOf(label) };
  if (entry === null) {
    const y = middleOf(to).y;
    return { ...common, corners: [...around, { x, y }, { x: to.x + to.size.width / 2, y }], head: "left" };
  }
  // Beside the middle, where the lines from above arrive.
  const aside = to.x + to.size.width / 4;
  const down = [
    { x, y: entry.y },
    { x: aside, y: entry.y },
    { x: aside, y: to.y },
  ];
  return { ...common, corners: [...around, ...down], head: "down" };
}

/** From the side of a step and back to it, `out` wide. */
export function routeLoop({ wire, at }: LoopStrand, out: number): Route {
  const right = at.x + at.size.width / 2;
  const { y } = middleOf(at);
  const spread = at.size.height / 4;
  const [upper, lower] = [y - spread, y + spread];
  const corners = [
    { x: right, y: upper },
    { x: right + out, y: upper },
    { x: right + out, y: lower },
    { x: right, y: lower },
  ];
  return { wire, curve: [], corners, head: "left", label: { x: right + (out + at.overhang) / 2, y } };
}

function bottomOf({ x, y, size }: Vertex): Point {
  return { x, y: y + size.height };
}

function middleOf({ x, y, size }: Vertex): Point {
  return { x, y: y + size.height / 2 };
}

// Straight through its layer, so that the line keeps clear of the neighbours; a layer without height needs no point.
function passThrough({ x, top, bottom }: Vertex): readonly Point[] {
  return top === bottom
    ? []
    : [
        { x, y: top },
        { x, y: bottom },
      ];
}
