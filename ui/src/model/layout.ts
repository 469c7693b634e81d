// Where the steps of a graph stand and how the arrows between them run: top-down, by dagre. What stands where depends on
// the graph alone, never on how its steps are, so that nothing moves while a run goes on.

import {
  type Arranged,
  arrange,
  type Box,
  dotKey,
  isTurned,
  labelWidth,
  nodeWidth,
  type Point,
  type Route,
} from "./arrange.ts";
import { type Arrow, drawBack, drawForward, drawLoop, type Lane } from "./path.ts";
import type { Graph, GraphLink } from "./run.ts";
import { slice } from "./slices.ts";

export type PlacedNode = Box & {
  readonly key: string;
  /** A dot in which a path ends: no step of its own. */
  readonly isDot: boolean;
};

export type PlacedLink = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** For an SVG path. */
  readonly path: string;
  readonly arrow: Arrow;
  /** The middle of what stands on it; null: nothing does. */
  readonly label: { readonly x: number; readonly y: number; readonly width: number } | null;
};

export type Layout = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
};

/** From this many steps on it is laid out in pieces. */
const manyNodes = 200;

export function layOut(graph: Graph): Layout {
  const keys = new Set(graph.nodes.map(({ key }) => key));
  const links = graph.links.filter(({ from, to }) => keys.has(from) && (to === null || keys.has(to)));
  const isLarge = graph.nodes.length > manyNodes;
  const whole = { nodes: graph.nodes, links };
  const width = nodeWidth(whole);
  const pieces = (isLarge ? slice(whole) : [whole]).map((piece) => arrange(piece, { width, isLarge }));
  return draw(graph, links, moveToOrigin(stack(pieces), links));
}

/** One below the other, so that the step which two of them share stands in both at the same place. */
function stack(pieces: readonly Arranged[]): Arranged {
  const boxes = new Map<string, Box>();
  const routes = new Map<string, Route>();
  for (const piece of pieces) {
    const shared = [...piece.boxes].find(([key]) => boxes.has(key));
    const placed = shared === undefined ? undefined : boxes.get(shared[0]);
    const by =
      placed === undefined || shared === undefined
        ? { x: 0, y: 0 }
        : { x: placed.x - shared[1].x, y: placed.y - shared[1].y };
    const moved = moveBy(piece, by);
    for (const [key, box] of moved.boxes) boxes.set(key, box);
    for (const [id, route] of moved.routes) routes.set(id, route);
  }
  return { boxes, routes };
}

function moveBy({ boxes, routes }: Arranged, { x, y }: Point): Arranged {
  const move = <Moved extends Point>(point: Moved): Moved => ({ ...point, x: point.x + x, y: point.y + y });
  return {
    boxes: new Map([...boxes].map(([key, box]) => [key, move(box)])),
    routes: new Map(
      [...routes].map(([id, { points, label }]) => [id, { points: points.map(move), label: move(label) }]),
    ),
  };
}

function moveToOrigin(arranged: Arranged, links: readonly GraphLink[]): Arranged {
  const labels = links.flatMap((link): Point[] => {
    const place = arranged.routes.get(link.id)?.label;
    return place === undefined || link.label === "" ? [] : [{ x: place.x - labelWidth(link) / 2, y: place.y }];
  });
  const lines = [...arranged.routes.values()].flatMap((route) => route.points);
  const points = [...arranged.boxes.values(), ...lines, ...labels];
  if (points.length === 0) return arranged;
  const least = points.reduce((low, { x, y }) => ({ x: Math.min(low.x, x), y: Math.min(low.y, y) }));
  return moveBy(arranged, { x: -least.x, y: -least.y });
}

function draw(graph: Graph, links: readonly GraphLink[], { boxes, routes }: Arranged): Layout {
  const dots = new Set(links.filter(({ to }) => to === null).map(dotKey));
  const keys = [...graph.nodes.map(({ key }) => key), ...dots];
  const nodes = keys.flatMap((key): PlacedNode[] => {
    const box = boxes.get(key);
    return box === undefined ? [] : [{ ...box, key, isDot: dots.has(key) }];
  });
  const ranks = ranksOf(nodes);
  const placed = links.map((link) => placeLink(link, routes.get(link.id), { boxes, ranks }));
  const right = [
    ...nodes.map(({ x, width }) => x + width),
    ...placed.map(({ label }) => (label === null ? 0 : label.x + label.width / 2)),
    ...[...routes.values()].flatMap(({ points }) => points.map(({ x }) => x)),
  ];
  const bottom = nodes.map(({ y, height }) => y + height);
  return { width: largest(right), height: largest(bottom), nodes, links: placed };
}

function largest(sizes: readonly number[]): number {
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

/** By the middle of a rank: how high it is. */
function ranksOf(nodes: readonly Box[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  for (const { y, height } of nodes) {
    const middle = Math.round(y + height / 2);
    ranks.set(middle, Math.max(ranks.get(middle) ?? 0, height));
  }
  return ranks;
}

type Places = { readonly boxes: ReadonlyMap<string, Box>; readonly ranks: ReadonlyMap<number, number> };

function placeLink(link: GraphLink, route: Route | undefined, { boxes, ranks }: Places): PlacedLink {
  const to = link.to ?? dotKey(link);
  const start = boxes.get(link.from);
  const end = boxes.get(to);
  if (start === undefined || end === undefined || route === undefined)
    throw new Error(`Link ${link.id} leads nowhere.`);
  const width = labelWidth(link);
  const common = { id: link.id, from: link.from, to };
  if (link.from === to) {
    const { path, arrow, label } = drawLoop(start);
    return { ...common, path, arrow, label: width === 0 ? null : { x: label.x + width / 2, y: label.y, width } };
  }
  const isFree = (box: Box, lane: number): boolean =>
    [...boxes.values()].every((other) => !standsBetween(box, lane, other));
  const between = route.points.slice(1, -1);
  const lanes = lanesOf(between, ranks, width > 0 || isTurned(link) ? route.label : null);
  const { path, arrow } = isTurned(link)
    ? drawBack(start, end, lanes.toReversed(), isFree)
    : drawForward(start, end, lanes);
  return { ...common, path, arrow, label: width === 0 ? null : { ...route.label, width } };
}

function standsBetween(box: Box, lane: number, other: Box): boolean {
  const isBeside = other.y < box.y + box.height / 2 && other.y + other.height > box.y + box.height / 2;
  if (!isBeside) return false;
  return lane > box.x ? other.x > box.x && other.x < lane : other.x < box.x && other.x + other.width > lane;
}

/** Where it passes between the steps of a rank it runs straight; what lies between two ranks is left to the curve, but
 *  for the place of its label. */
function lanesOf(points: readonly Point[], ranks: ReadonlyMap<number, number>, label: Point | null): readonly Lane[] {
  const lanes: Lane[] = [];
  for (const { x, y } of points) {
    const height = ranks.get(Math.round(y));
    if (height !== undefined) lanes.push({ x, top: y - height / 2, bottom: y + height / 2 });
    else if (label !== null && Math.abs(label.y - y) < 1) lanes.push({ x: label.x, top: y, bottom: y });
  }
  return lanes;
}
