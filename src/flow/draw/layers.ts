// The first half of the layout: steps, labels and bends of lines as vertices on layers. Steps lie on the even layers,
// the labels of what leaves them on the odd ones below, so that no label can cover a step. A line that passes a layer has
// a vertex there; lines of one look to the same step share their bends. What leads back has no place on the layers: it
// leaves them after its label and runs in a lane at the side.

import type { Picture, PictureNode } from "./picture.ts";
import { walkDepthFirst } from "../graph/depth-first.ts";
import { detourName, findDetours, wiresFrom, type Wire } from "./wires.ts";

export type Size = {
  readonly width: number;
  readonly height: number;
};

export type Sizes = {
  readonly ofNode: (node: PictureNode) => Size;
  readonly ofLabels: (labels: readonly string[]) => Size;
  /** The mark where a line ends without a step. */
  readonly end: Size;
  /** How far a line from a step to itself stands out. */
  readonly loop: number;
};

export type Vertex = {
  readonly layer: number;
  readonly size: Size;
  /** What stands out to the right of it. */
  readonly overhang: number;
  /** Lines should run straight through it. */
  readonly isBend: boolean;
  /** On a line of failure or beside the flow: it yields to the others. */
  readonly isFaint: boolean;
  readonly up: Vertex[];
  readonly down: Vertex[];
  /** Its number in the layer, from the left. */
  place: number;
  /** The middle. */
  x: number;
  /** The upper edge. */
  y: number;
  /** Edges of its layer. */
  top: number;
  bottom: number;
};

/** Through its label and bends to a step, or (`isMerged`) to a bend of another strand that leads there. */
export type DownStrand = {
  readonly kind: "down";
  readonly wire: Wire;
  readonly from: Vertex;
  readonly label: Vertex;
  readonly bends: readonly Vertex[];
  readonly to: Vertex;
  readonly isMerged: boolean;
};

export type LaneStrand = {
  readonly kind: "lane";
  readonly wire: Wire;
  readonly from: Vertex;
  readonly label: Vertex;
  readonly to: Vertex;
};

/** From a step to itself. */
export type LoopStrand = { readonly kind: "loop"; readonly wire: Wire; readonly at: Vertex };

export type Strand = DownStrand | LaneStrand | LoopStrand;

export type Layers = {
  readonly layers: readonly (readonly Vertex[])[];
  readonly steps: ReadonlyMap<PictureNode, Vertex>;
  readonly ends: readonly Vertex[];
  readonly strands: readonly Strand[];
};

export function buildLayers(picture: Picture, sizes: Sizes): Layers {
  const draft = newDraft(picture, sizes);
  const strands: Strand[] = [];
  for (const node of walkDepthFirst(picture.roots, ({ links }) => links).entered) {
    const from = draft.vertexOf(node);
    // What leads back leaves to the right: last, so that it crosses the least.
    const wires = wiresFrom(node).toSorted((one, other) => Number(one.isBack) - Number(other.isBack));
    for (const wire of wires) strands.push(strandOf(wire, from, draft));
  }
  const layers = [...Map.groupBy(draft.vertices, ({ layer }) => layer)].toSorted(([one], [other]) => one - other);
  return { layers: layers.map(([, vertices]) => vertices), steps: draft.steps, ends: draft.ends, strands };
}

type Draft = {
  readonly sizes: Sizes;
  readonly vertices: Vertex[];
  readonly steps: Map<PictureNode, Vertex>;
  readonly bends: Map<string, Vertex>;
  readonly ends: Vertex[];
  readonly detours: ReadonlySet<string>;
  readonly add: (layer: number, size: Size, more?: Partial<Pick<Vertex, "isBend" | "isFaint" | "overhang">>) => Vertex;
  readonly vertexOf: (node: PictureNode) => Vertex;
};

function newDraft(picture: Picture, sizes: Sizes): Draft {
  const vertices: Vertex[] = [];
  const steps = new Map<PictureNode, Vertex>();
  const add: Draft["add"] = (layer, size, { isBend = false, isFaint = false, overhang = 0 } = {}) => {
    const vertex = {
      layer,
      size,
      overhang,
      isBend,
      isFaint,
      up: [],
      down: [],
      place: 0,
      x: 0,
      y: 0,
      top: 0,
      bottom: 0,
    };
    vertices.push(vertex);
    return vertex;
  };
  const vertexOf: Draft["vertexOf"] = (node) => {
    const vertex = steps.get(node) ?? add(2 * node.rank, sizes.ofNode(node), { overhang: overhangOf(node, sizes) });
    steps.set(node, vertex);
    return vertex;
  };
  return { sizes, vertices, steps, bends: new Map(), ends: [], detours: findDetours(picture), add, vertexOf };
}

function overhangOf(node: PictureNode, sizes: Sizes): number {
  const loop = wiresFrom(node).find(({ to }) => to === node);
  return loop === undefined ? 0 : sizes.loop + sizes.ofLabels(loop.labels).width;
}

function strandOf(wire: Wire, from: Vertex, draft: Draft): Strand {
  if (wire.to === wire.from) return { kind: "loop", wire, at: from };
  const isFaint = wire.isBack || wire.look === "failure" || wire.look === "side";
  const isBend = wire.labels.length === 0;
  const label = draft.add(from.layer + 1, draft.sizes.ofLabels(wire.labels), { isBend, isFaint });
  connect(from, label);
  if (wire.to === null) {
    const end = draft.add(from.layer + 2, draft.sizes.end);
    draft.ends.push(end);
    connect(label, end);
    return { kind: "down", wire, from, label, bends: [], to: end, isMerged: false };
  }
  const to = draft.vertexOf(wire.to);
  const name = detourName(wire.to, wire.look);
  if (wire.isBack || (draft.detours.has(name) && to.layer - label.layer > 1)) {
    return { kind: "lane", wire, from, label, to };
  }
  return { kind: "down", wire, from, label, ...bendDown(label, { to, name }, draft) };
}

type Way = { readonly to: Vertex; readonly name: string };

/** A bend on every layer down to `to`; where one is there already, both lines go on together. */
function bendDown(label: Vertex, { to, name }: Way, draft: Draft): Pick<DownStrand, "bends" | "to" | "isMerged"> {
  const bends: Vertex[] = [];
  let last = label;
  for (let layer = label.layer + 1; layer < to.layer; layer++) {
    const shared = draft.bends.get(`${name} ${layer}`);
    const bend = shared ?? draft.add(layer, noSize, { isBend: true, isFaint: label.isFaint });
    connect(last, bend);
    if (shared !== undefined) return { bends, to: shared, isMerged: true };
    draft.bends.set(`${name} ${layer}`, bend);
    bends.push(bend);
    last = bend;
  }
  connect(last, to);
  return { bends, to, isMerged: false };
}

const noSize: Size = { width: 0, height: 0 };

function connect(upper: Vertex, lower: Vertex): void {
  upper.down.push(lower);
  lower.up.push(upper);
}
