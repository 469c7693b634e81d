// The lines of the SVG drawing: smooth between the layers, rounded at the corners of lanes. Heads are drawn as shapes,
// because markers need ids, and two drawings in one page would share them.

import type { Size } from "./layers.ts";
import type { Point, Route } from "./routes.ts";
import { escapeMarkup, estimateWidth, fitText } from "./svg-text.ts";

const labelSize = 11;
const labelWidthMax = 200;
const labelLine = 15;
const cornerRadius = 8;

export function sizeOfLabels(labels: readonly string[]): Size {
  if (labels.length === 0) return { width: 0, height: 0 };
  const width = Math.max(...labels.map((label) => labelWidth(fitLabel(label))));
  return { width: width + 10, height: labels.length * labelLine + 3 };
}

export function drawLine({ wire, curve, corners, head }: Route): string {
  const line = `<path class="line" d="${curvePath(curve)}${cornerPath(corners, curve.length > 0)}"/>`;
  const tip = corners.at(-1) ?? curve.at(-1);
  return `<g class="${wire.look}">${line}${tip === undefined ? "" : drawHead(tip, head)}</g>`;
}

export function drawLabels({ wire, label }: Route): readonly string[] {
  if (wire.labels.length === 0) return [];
  const { width, height } = sizeOfLabels(wire.labels);
  const top = label.y - height / 2;
  const back = `<rect class="label-back" x="${label.x - width / 2}" y="${top}" width="${width}" height="${height}" rx="3"/>`;
  const texts = wire.labels.map((text, at) => {
    const shown = fitLabel(text);
    const title = shown === text ? "" : `<title>${escapeMarkup(text)}</title>`;
    return `<text class="label" x="${label.x}" y="${top + 12 + at * labelLine}">${title}${escapeMarkup(shown)}</text>`;
  });
  return [`<g class="${wire.look}">${back}${texts.join("")}</g>`];
}

function drawHead({ x, y }: Point, head: Route["head"]): string {
  switch (head) {
    case "down":
      return `<path class="head" d="M${x} ${y}l-4-7h8z"/>`;
    case "left":
      return `<path class="head" d="M${x} ${y}l7-4v8z"/>`;
    case "none":
      return "";
  }
}

function curvePath(points: readonly Point[]): string {
  let before: Point | null = null;
  let path = "";
  for (const point of points) {
    path += before === null ? `M${point.x} ${point.y}` : pieceOf(before, point);
    before = point;
  }
  return path;
}

function pieceOf(from: Point, to: Point): string {
  if (from.x === to.x) return `V${to.y}`;
  const middle = (from.y + to.y) / 2;
  return `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
}

function cornerPath(points: readonly Point[], isContinued: boolean): string {
  return points
    .map((point, at) => {
      const [before, after] = [points[at - 1], points[at + 1]];
      if (before === undefined) return `${isContinued ? "L" : "M"}${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const [enter, leave] = [towards(point, before), towards(point, after)];
      return `L${enter.x} ${enter.y}Q${point.x} ${point.y} ${leave.x} ${leave.y}`;
    })
    .join("");
}

/** A point near `corner` in the direction of `other`, at most half the way. */
function towards(corner: Point, other: Point): Point {
  const [dx, dy] = [other.x - corner.x, other.y - corner.y];
  const radius = Math.min(cornerRadius, (Math.abs(dx) + Math.abs(dy)) / 2);
  return { x: corner.x + Math.sign(dx) * radius, y: corner.y + Math.sign(dy) * radius };
}

function fitLabel(label: string): string {
  return fitText(label, labelWidthMax, labelWidth);
}

function labelWidth(text: string): number {
  return estimateWidth(text, labelSize);
}
