// The dominator tree of a picture: a block is a step with all that can only be reached through it.

import { immediateDominators } from "../graph/immediate.ts";
import { isSide, type Picture, type PictureNode } from "./picture.ts";
import { walkDepthFirst } from "../graph/depth-first.ts";

export type Block = {
  readonly node: PictureNode;
  readonly children: readonly Block[];
  /** Steps in it, its own included. */
  readonly size: number;
  /** The step that every way of success passes next; null: there is none. */
  readonly next: PictureNode | null;
};

type Draft = { readonly node: PictureNode; readonly children: Draft[]; size: number; next: PictureNode | null };

/** One tree for each root of the picture. */
export function nestBlocks(picture: Picture): readonly Block[] {
  const blocks = new Map<PictureNode, Draft>();
  const blockOf = (node: PictureNode): Draft => {
    const block = blocks.get(node) ?? { node, children: [], size: 1, next: null };
    blocks.set(node, block);
    return block;
  };
  for (const [node, next] of findNextSteps(picture)) {
    if (node !== "exit" && next !== "exit") blockOf(node).next = next;
  }
  for (const root of picture.roots) nestUnder(root, blockOf);
  return picture.roots.map(blockOf);
}

function nestUnder(root: PictureNode, blockOf: (node: PictureNode) => Draft): void {
  const order = walkDepthFirst([root], (node) => successorsOf(node).map((to) => ({ to }))).order;
  const dominators = immediateDominators(root, successorsOf);
  // In postorder, so that a block has its size before it is added to the one around it.
  for (const node of order) {
    const above = dominators.get(node);
    if (above === undefined) continue;
    const parent = blockOf(above);
    const block = blockOf(node);
    parent.children.push(block);
    parent.size += block.size;
  }
}

// Parts that the start does not reach are trees of their own: an arrow from there into the flow counts for neither. A
// fork leads to its join even when its branches arrive by ending.
function successorsOf(node: PictureNode): readonly PictureNode[] {
  const tos = node.links.flatMap(({ to }) => to ?? []);
  return (node.join === null ? tos : [...tos, node.join]).filter((to) => to.root === node.root);
}

type Place = PictureNode | "exit";

/** Dominators of the reversed flow: failures and side paths left out, all ends are one. */
function findNextSteps(picture: Picture): ReadonlyMap<Place, Place> {
  const last = picture.nodes.filter((node) => waysOn(node).includes("exit"));
  const waysBack = (place: Place): readonly Place[] =>
    place === "exit" ? last : place.into.filter((link) => !link.isFailure && !isSide(link)).map(({ from }) => from);
  return immediateDominators<Place>("exit", waysBack);
}

function waysOn(node: PictureNode): readonly Place[] {
  const ways = node.links.filter((link) => !link.isFailure && !isSide(link)).map(({ to }) => to ?? "exit");
  return ways.length === 0 || node.ending !== null ? [...ways, "exit"] : ways;
}
