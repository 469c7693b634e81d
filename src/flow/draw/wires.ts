// The lines of the SVG drawing: arrows of one look between the same two steps are one line with several labels.

import { isParallel, isSide, type Link, type Picture, type PictureNode } from "./picture.ts";

export type Wire = {
  readonly from: PictureNode;
  /** null: the path ends here. */
  readonly to: PictureNode | null;
  readonly look: Look;
  readonly labels: readonly string[];
  readonly isBack: boolean;
};

export type Look = "plain" | "parallel" | "failure" | "side";

function lookOf(link: Link): Look {
  if (isSide(link)) return "side";
  if (link.isFailure) return "failure";
  return isParallel(link) ? "parallel" : "plain";
}

export function wiresFrom(node: PictureNode): readonly Wire[] {
  const wires = new Map<string, Wire & { readonly labels: string[] }>();
  for (const link of node.links) {
    const { from, to, isBack } = link;
    const look = lookOf(link);
    const name = `${look} ${to === null ? "end" : to.index}`;
    const wire = wires.get(name) ?? { from, to, look, labels: [], isBack };
    if (link.label !== "") wire.labels.push(link.label);
    wires.set(name, wire);
  }
  return [...wires.values()];
}

/** More bends than this make a drawing slow and no clearer: the longest lines then run at the side. */
const bendsMax = 4000;

/** The steps whose far lines go around at the side instead of down between the steps, by look. */
export function findDetours(picture: Picture): ReadonlySet<string> {
  const spans = new Map<string, number>();
  for (const { to, look, from, isBack } of picture.nodes.flatMap(wiresFrom)) {
    if (to === null || isBack) continue;
    const name = detourName(to, look);
    spans.set(name, Math.max(spans.get(name) ?? 0, to.rank - from.rank));
  }
  const bySpan = [...spans].filter(([, span]) => span > 1).toSorted(([, one], [, other]) => one - other);
  let bends = 0;
  return new Set(bySpan.filter(([, span]) => (bends += 2 * span) > bendsMax).map(([name]) => name));
}

export function detourName(to: PictureNode, look: Look): string {
  return `${look} ${to.index}`;
}
