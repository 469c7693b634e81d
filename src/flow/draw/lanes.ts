// Lines that lead back, and those too long to run between the steps: down through their label, to the right in a track
// between two layers, along a lane beside the layers, and to their step. Lines of one look to the same step share a lane.

import type { LaneStrand, Strand, Vertex } from "./layers.ts";

/** A horizontal piece below a layer; -1: above the first. */
export type Track = { readonly layer: number; y: number };

export type Lane = {
  readonly to: Vertex;
  readonly members: readonly { readonly strand: LaneStrand; readonly exit: Track }[];
  /** Above the step; null: the step stands last in its layer and is entered from the side. */
  readonly entry: Track | null;
  x: number;
};

export type Lanes = { readonly lanes: readonly Lane[]; readonly tracks: readonly Track[] };

export function planLanes(layers: readonly (readonly Vertex[])[], strands: readonly Strand[]): Lanes {
  const tracks: Track[] = [];
  const addTrack = (layer: number): Track => {
    const track = { layer, y: 0 };
    tracks.push(track);
    return track;
  };
  const last = new Set(layers.map((layer) => layer.at(-1)));
  const groups = Map.groupBy(
    strands.filter((strand) => strand.kind === "lane"),
    ({ wire, to }) => `${wire.look} ${to.layer} ${to.place}`,
  );
  const lanes = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ to }) => {
      const exits = new Map<number, Track>();
      const members = group.map((strand) => {
        const exit = exits.get(strand.label.layer) ?? addTrack(strand.label.layer);
        exits.set(strand.label.layer, exit);
        return { strand, exit };
      });
      const isAtSide = last.has(to) && to.overhang === 0;
      return { to, members, entry: isAtSide ? null : addTrack(to.layer - 1), x: 0 };
    }),
  );
  return { lanes, tracks };
}

/** Beside all layers that it passes and the shorter lanes there. Needs the columns. */
export function placeLanes(lanes: readonly Lane[], layers: readonly (readonly Vertex[])[], gap: number): void {
  const rights = layers.map((layer) => Math.max(...layer.map(rightOf)));
  const placed: Span[] = [];
  for (const span of lanes.map(spanOf).toSorted((one, other) => one.to - one.from - (other.to - other.from))) {
    const beside = placed.filter((other) => other.from <= span.to && span.from <= other.to);
    span.lane.x = gap + Math.max(...rights.slice(span.from, span.to + 1), ...beside.map(({ lane }) => lane.x));
    placed.push(span);
  }
}

export function rightOf({ x, size, overhang }: Vertex): number {
  return x + size.width / 2 + overhang;
}

type Span = { readonly lane: Lane; readonly from: number; readonly to: number };

function spanOf(lane: Lane): Span {
  const entry = lane.entry === null ? lane.to.layer : lane.entry.layer;
  const ends = [entry, ...lane.members.map(({ exit }) => exit.layer)];
  return { lane, from: Math.max(Math.min(...ends), 0), to: Math.max(...ends) };
}
