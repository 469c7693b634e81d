// The boxes of the SVG drawing: an icon for the kind, the name, a second line, a pill where the path ends.

import type { TerminalKind } from "../plan.ts";
import type { Size } from "./layers.ts";
import type { PictureNode } from "./picture.ts";
import type { Point } from "./routes.ts";
import { endingIcons, iconOf } from "./svg-icons.ts";
import { toneOf } from "./svg-style.ts";
import { escapeMarkup, estimateMonoWidth, estimateWidth, fitText } from "./svg-text.ts";

const boxWidthMin = 132;
const boxWidthMax = 272;
const textLeft = 36;
const textRight = 14;
const nameSize = 13;
const detailSize = 12;
const wordSize = 11;
const endRadius = 10;

export const endSize: Size = { width: 2 * endRadius, height: 2 * endRadius };

/** The room above the start for its mark. */
export const startHeight = 30;

export function sizeOf(node: PictureNode): Size {
  const first = nameWidth(node.label) + pillRoom(node);
  const wanted = textLeft + Math.max(first, detailWidth(node.detail)) + textRight;
  const width = Math.min(Math.max(wanted, node.kind === "end" ? 0 : boxWidthMin), boxWidthMax);
  return { width: 2 * Math.ceil(width / 2), height: node.detail === "" ? 38 : 52 };
}

export function drawStep(node: PictureNode, { x, y }: Point): string {
  const { width, height } = sizeOf(node);
  const tone = `tone-${toneOf(node)}`;
  const apart = node.root === 0 ? "" : " apart";
  const name = fitText(node.label, width - textLeft - textRight - pillRoom(node), nameWidth);
  const full = node.detail === "" ? node.label : `${node.label}: ${node.detail}`;
  const nameY = node.detail === "" ? height / 2 + 4.5 : 22;
  const radius = node.kind === "end" ? height / 2 : 8;
  const bar = `M8 0.5H7a6.5 6.5 0 0 0-6.5 6.5v${height - 14}a6.5 6.5 0 0 0 6.5 6.5h1a5 5 0 0 1-4.5-5v-${height - 11}a5 5 0 0 1 4.5-5z`;
  return [
    `<g class="step ${node.kind} ${tone}${apart}" transform="translate(${x} ${y})">`,
    `<title>${escapeMarkup(full)}</title>`,
    `<rect class="box" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="${radius}"/>`,
    ...(node.kind === "end" ? [] : [`<path class="bar" d="${bar}"/>`]),
    ...(node.isFork
      ? [`<rect class="fork" x="${width / 2 - 20}" y="${height - 2}" width="40" height="4" rx="2"/>`]
      : []),
    ...(node.isJoin ? [`<rect class="fork" x="${width / 2 - 20}" y="-2" width="40" height="4" rx="2"/>`] : []),
    `<path class="icon" transform="translate(13 ${nameY - 12.5})" d="${iconOf(node)}"/>`,
    `<text class="name" x="${textLeft}" y="${nameY}">${escapeMarkup(name)}</text>`,
    ...drawDetail(node, width),
    ...drawPill(node, width, nameY),
    "</g>",
  ].join("");
}

/** The round mark above the first step. */
export function drawStart(node: PictureNode, { x, y }: Point): string {
  const middle = x + sizeOf(node).width / 2;
  const line = `<path class="line" d="M${middle} ${y - 22}V${y - 4}"/>`;
  return `<g class="start"><circle class="head" cx="${middle}" cy="${y - 25}" r="5"/>${line}<path class="head" d="M${middle} ${y}l-4-7h8z"/></g>`;
}

/** The mark where a path ends without a step for it. */
export function drawEnd({ x, y }: Point): string {
  const circle = `<circle class="box" cx="${x}" cy="${y}" r="${endRadius - 0.5}"/>`;
  const icon = `<path class="icon" transform="translate(${x - 8} ${y - 8})" d="${endingIcons.success}"/>`;
  return `<g class="end tone-success"><title>end</title>${circle}${icon}</g>`;
}

function drawDetail({ detail }: PictureNode, width: number): readonly string[] {
  if (detail === "") return [];
  const text = fitText(detail, width - textLeft - textRight, detailWidth);
  return [`<text class="detail" x="${textLeft}" y="39">${escapeMarkup(text)}</text>`];
}

function drawPill(node: PictureNode, width: number, nameY: number): readonly string[] {
  if (!isPilled(node)) return [];
  const room = pillWidth(node.ending);
  const x = width - room - 9;
  const shape = `<rect class="pill" x="${x}" y="${nameY - 14}" width="${room}" height="19" rx="9.5"/>`;
  const icon = `<path class="pill-icon" transform="translate(${x + 6} ${nameY - 10.5}) scale(0.75)" d="${endingIcons[node.ending]}"/>`;
  const word = `<text class="word" x="${x + 21}" y="${nameY - 0.5}">${node.ending}</text>`;
  return [`<g class="tone-${node.ending}">${shape}${icon}${word}</g>`];
}

// An end state is its own mark; a step with an action after which the path ends has a pill.
function isPilled(node: PictureNode): node is PictureNode & { readonly ending: TerminalKind } {
  return node.kind !== "end" && node.ending !== null;
}

function pillRoom(node: PictureNode): number {
  return isPilled(node) ? pillWidth(node.ending) + 6 : 0;
}

function pillWidth(ending: TerminalKind): number {
  return 21 + estimateWidth(ending, wordSize) + 8;
}

function nameWidth(text: string): number {
  return estimateWidth(text, nameSize);
}

function detailWidth(text: string): number {
  return estimateMonoWidth(text, detailSize);
}
