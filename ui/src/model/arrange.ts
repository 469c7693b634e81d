// One piece of a graph, laid out by dagre: where the middles of its steps are, and along which points its arrows run.

import { Graph as Sheet, layout as arrangeSheet } from "@dagrejs/dagre";
import type { GraphLink, GraphNode } from "./run.ts";
import type { Slice } from "./slices.ts";

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

/** Of an arrow: its points from top to bottom, and where its label goes. */
export type Route = { readonly points: readonly Point[]; readonly label: Point };

export type Arranged = { readonly boxes: ReadonlyMap<string, Box>; readonly routes: ReadonlyMap<string, Route> };

const rowHeight = 56;
const extraHeight = 20;
/** A name that does not fit beside its status takes another line. */
const nameHeight = 20;
const dotSize = 18;
const labelHeight = 24;
const labelWidthMax = 190;
/** As wide as letters are on average, in pixels. */
const letter = { name: 8.3, mono: 8.1, label: 7.2 };
const widthRange = [200, 248] as const;
const pillWidth = 124;
/** Beside the name of what ends a path: its icon and how it ends. */
const endWidth = 150;

/** All of a graph's steps are equally wide, so that columns are seen as such. */
export function nodeWidth({ nodes }: Slice): number {
  const [least, most] = widthRange;
  const wanted = nodes.map((node) => Math.max(nameWidth(node), node.detail.length * letter.mono + 80));
  return Math.ceil(wanted.reduce((widest, width) => Math.min(most, Math.max(widest, width)), least));
}

/** A step that counts needs another line, whether it has begun to count or not. */
function nodeHeight(node: GraphNode, width: number): number {
  if (node.kind === "end") return 40;
  const height = rowHeight + (nameWidth(node) > width ? nameHeight : 0);
  if (node.isEach) return height + 2 * extraHeight - 4;
  return node.isJoin ? height + extraHeight : height;
}

/** With its status beside it. */
function nameWidth({ name, kind }: GraphNode): number {
  return name.length * letter.name + pillWidth + (kind === "state" ? 20 : 0);
}

export function dotKey(link: GraphLink): string {
  return `end:${link.id}`;
}

export type Manner = { readonly width: number; readonly isLarge: boolean };

export function arrange({ nodes, links }: Slice, { width, isLarge }: Manner): Arranged {
  const sheet = new Sheet({ directed: true, multigraph: true });
  sheet.setGraph({
    rankdir: "TB",
    nodesep: 20,
    edgesep: 16,
    ranksep: 24,
    marginx: 0,
    marginy: 0,
    ranker: isLarge ? "tight-tree" : "network-simplex",
  });
  sheet.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) sheet.setNode(node.key, sizeOf(node, width));
  for (const link of links) addLink(sheet, link, width);
  // Of a large graph the best order costs more than it is worth.
  arrangeSheet(sheet, { disableOptimalOrderHeuristic: isLarge });
  const keys = [...nodes.map(({ key }) => key), ...links.filter(({ to }) => to === null).map(dotKey)];
  const arranged = {
    boxes: new Map(keys.map((key) => [key, boxOf(sheet, key)])),
    routes: new Map(links.map((link) => [link.id, routeOf(sheet, link)])),
  };
  return isBackwards(arranged, links) ? mirror(arranged) : arranged;
}

/** Dagre knows no left and right: as often as not it draws branches from the last to the first. */
function isBackwards({ boxes }: Arranged, links: readonly GraphLink[]): boolean {
  let inOrder = 0;
  for (const ways of Map.groupBy(links, ({ from }) => from).values()) {
    const places = ways
      .filter((way) => !isTurned(way) && way.from !== way.to)
      .flatMap((way) => boxes.get(way.to ?? dotKey(way)) ?? [])
      .map(({ x, width }) => x + width / 2);
    // Neighbours alone: to compare all pairs of a wide fork costs more and says the same.
    for (const [at, place] of places.entries()) inOrder += Math.sign((places[at + 1] ?? place) - place);
  }
  return inOrder < 0;
}

function turn({ x, y }: Point): Point {
  return { x: -x, y };
}

function mirror({ boxes, routes }: Arranged): Arranged {
  return {
    boxes: new Map([...boxes].map(([key, box]) => [key, { ...box, x: -box.x - box.width }])),
    routes: new Map(
      [...routes].map(([id, { points, label }]) => [id, { points: points.map(turn), label: turn(label) }]),
    ),
  };
}

/** It leads up, and is laid the other way round. */
export function isTurned({ isBack, from, to }: GraphLink): boolean {
  return isBack && from !== to;
}

function sizeOf(node: GraphNode, width: number): { readonly width: number; readonly height: number } {
  const short = Math.min(widthRange[1], Math.max(110, Math.round(node.name.length * letter.name) + endWidth));
  return { width: node.kind === "end" ? short : width, height: nodeHeight(node, width) };
}

function addLink(sheet: Sheet, link: GraphLink, width: number): void {
  if (link.to === null) sheet.setNode(dotKey(link), { width: dotSize, height: dotSize });
  const to = link.to ?? dotKey(link);
  const label = labelWidth(link);
  const size = label === 0 ? { width: 0, height: 0 } : { width: label, height: labelHeight, labelpos: "c" };
  if (!isTurned(link)) {
    sheet.setEdge(link.from, to, { ...size, weight: link.kind === "join" || link.isFailure ? 1 : 2 }, link.id);
    return;
  }
  // It is laid the way in which the flow goes, with as much room as a step takes, so that it runs beside the steps.
  sheet.setEdge(
    to,
    link.from,
    { width: Math.max(width, label), height: labelHeight, labelpos: "c", weight: 0 },
    link.id,
  );
}

export function labelWidth({ label }: GraphLink): number {
  return label === "" ? 0 : Math.min(labelWidthMax, Math.round(label.length * letter.label) + 34);
}

function boxOf(sheet: Sheet, key: string): Box {
  const { x, y, width, height } = sheet.node(key) as Box;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

type Edge = { readonly points?: readonly Point[]; readonly x?: number; readonly y?: number };

function routeOf(sheet: Sheet, link: GraphLink): Route {
  const to = link.to ?? dotKey(link);
  const found = isTurned(link) ? sheet.edge(to, link.from, link.id) : sheet.edge(link.from, to, link.id);
  const { points = [], x = 0, y = 0 } = found as Edge;
  return { points, label: { x, y } };
}
