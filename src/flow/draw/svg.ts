// A plan as a picture of its own: no scripts, no fonts to load, nothing from outside. What users wrote is text and
// nothing else.

import type { Plan } from "../plan.ts";
import { layOut, type Spacing } from "./layout.ts";
import { buildPicture, type Picture } from "./picture.ts";
import { drawLabels, drawLine, sizeOfLabels } from "./svg-line.ts";
import { drawEnd, drawStart, drawStep, endSize, sizeOf, startHeight } from "./svg-step.ts";
import { drawingClass, styleSheet } from "./svg-style.ts";
import { escapeMarkup } from "./svg-text.ts";

const spacing: Spacing = {
  margin: 20,
  head: startHeight,
  step: 28,
  line: 16,
  above: 22,
  below: 24,
  lane: 14,
  loop: 24,
  end: endSize,
  ofNode: sizeOf,
  ofLabels: sizeOfLabels,
};

/** The plan as SVG, for light and dark. */
export function drawSvg(plan: Plan): string {
  const picture = buildPicture(plan);
  const { width, height, steps, ends, routes } = layOut(picture, spacing);
  const size = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="${drawingClass}" role="img" ${size} viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeMarkup(picture.title)}</title>`,
    `<desc>${escapeMarkup(describePicture(picture))}</desc>`,
    `<style>\n${styleSheet}\n</style>`,
    `<rect class="background" ${size} rx="8"/>`,
    ...routes.map(drawLine),
    ...routes.flatMap(drawLabels),
    ...ends.map(drawEnd),
    ...steps.filter(({ node }) => node.index === 0).map(({ node, ...at }) => drawStart(node, at)),
    ...steps.map(({ node, ...at }) => drawStep(node, at)),
    "</svg>",
    "",
  ].join("\n");
}

function describePicture({ nodes }: Picture): string {
  return `${nodes.length === 1 ? "One step" : `${nodes.length} steps`}: ${nodes.map(({ label }) => label).join(", ")}`;
}
