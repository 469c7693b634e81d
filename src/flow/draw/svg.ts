// A plan as a picture of its own: no scripts, no fonts to load, nothing from outside. What users wrote is text and
// nothing else.

import type { Plan, TerminalKind } from "../plan.ts";
import { layOut, type Spacing } from "./layout.ts";
import { buildPicture, type Picture, type PictureNode } from "./picture.ts";
import type { Point, Route } from "./routes.ts";
import { endingIcons, iconOf } from "./svg-icons.ts";
import { drawingClass, styleSheet, toneOf } from "./svg-style.ts";
import { escapeMarkup, estimateMonoWidth, estimateWidth, fitText } from "./svg-text.ts";

const boxWidth = { min: 132, max: 264 };
const boxHeight = { one: 38, two: 52 };
const textLeft = 36;
const textRight = 14;
const labelWidthMax = 190;
const labelLine = 15;

const spacing: Spacing = {
  margin: 20,
  head: 30,
  step: 28,
  line: 18,
  above: 22,
  below: 24,
  lane: 14,
  loop: 24,
  end: { width: 20, height: 20 },
  ofNode: sizeOf,
  ofLabels(labels) {
    if (labels.length === 0) return { width: 0, height: 0 };
    const widths = labels.map((label) => labelWidth(fitLabel(label)));
    return { width: Math.max(...widths) + 8, height: labels.length * labelLine + 2 };
  },
};

/** The plan as SVG, for light and dark. */
export function drawSvg(plan: Plan): string {
  const picture = buildPicture(plan);
  const { width, height, steps, ends, routes } = layOut(picture, spacing);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="${drawingClass}" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeMarkup(picture.title)}</title>`,
    `<desc>${escapeMarkup(describePicture(picture))}</desc>`,
    `<style>\n${styleSheet}\n</style>`,
    `<rect class="background" width="${width}" height="${height}" rx="8"/>`,
    ...routes.map(drawRoute),
    ...routes.flatMap(drawLabels),
    ...ends.map(drawEnd),
    ...steps.flatMap(({ node, x, y }) => [...(node.index === 0 ? [drawStart(node, { x, y })] : []), drawStep(node, { x, y })]),
    "</svg>",
    "",
  ].join("\n");
}

function describePicture({ nodes }: Picture): string {
  return `A flow of ${nodes.length === 1 ? "one step" : `${nodes.length} steps`}: ${nodes.map(({ label }) => label).join(", ")}`;
}

// ---- steps

function sizeOf(node: PictureNode): { readonly width: number; readonly height: number } {
  const first = estimateWidth(node.label, 13) + (isPilled(node) ? pillWidth(node.ending) + 12 : 0);
  const wanted = textLeft + Math.max(first, estimateMonoWidth(node.detail, 12)) + textRight;
  const width = Math.min(Math.max(wanted, node.kind === "end" ? 0 : boxWidth.min), boxWidth.max);
  return { width: 2 * Math.ceil(width / 2), height: node.detail === "" ? boxHeight.one : boxHeight.two };
}
