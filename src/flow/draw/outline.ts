// The flow as an indented outline, for the terminal. What a step alone leads to stands beneath it: steps in sequence in
// one column, alternatives and branches as exits with a column of their own. The place where they meet again is the
// next row of the column they came from. Every step is a row once; every arrow is an exit or a rail.

import { nestBlocks, type Block } from "./blocks.ts";
import { isSide, type Link, type Picture, type PictureNode } from "./picture.ts";

export type Row = {
  readonly node: PictureNode;
  readonly exits: readonly Exit[];
  /** How this row is connected with the next one of its column. */
  readonly rail: Rail;
};

/** `plain`: no arrow of its own, but all ways to the next row begin here. */
type Rail = { readonly kind: "none" | "plain" } | { readonly kind: "link"; readonly link: Link };

export type Exit =
  | { readonly kind: "column"; readonly link: Link; readonly rows: readonly Row[] }
  | { readonly kind: "mention" | "loop"; readonly link: Link; readonly to: PictureNode }
  | { readonly kind: "end"; readonly link: Link };

/** What is nested deeper, if it is more than a step, stands further below at the margin. */
const depthMax = 6;

export function outlinePicture(picture: Picture): readonly (readonly Row[])[] {
  const pending = nestBlocks(picture).toReversed();
  const columns: (readonly Row[])[] = [];
  for (let head = pending.pop(); head !== undefined; head = pending.pop()) {
    columns.push(columnFrom(head, 0, (block) => pending.push(block)));
  }
  return columns;
}

type Draft = { readonly node: PictureNode; readonly exits: readonly Exit[]; readonly isRailed: boolean };

function columnFrom(head: Block, depth: number, defer: (block: Block) => void): readonly Row[] {
  const drafts: Draft[] = [];
  const pending = [head];
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    const rail = chooseRail(block, depth);
    const nested = block.children.filter((child) => child !== rail && isOnlyEnteredFrom(child, block));
    const later = block.children.filter((child) => child !== rail && !nested.includes(child));
    const exits = orderExits(block.node.links).map((link): Exit => {
      if (link.to === null) return { kind: "end", link };
      const child = nested.find(({ node }) => node === link.to);
      if (link.isBack || child === undefined) return { kind: link.isBack ? "loop" : "mention", link, to: link.to };
      if (depth < depthMax || child.size === 1)
        return { kind: "column", link, rows: columnFrom(child, depth + 1, defer) };
      defer(child);
      return { kind: "mention", link, to: link.to };
    });
    drafts.push({ node: block.node, exits, isRailed: rail !== null });
    pending.push(...later.toSorted(byRank).toReversed());
    if (rail !== null) pending.push(rail);
  }
  return drafts.map((draft, at) => connect(draft, drafts[at + 1]));
}

/** What follows without a condition comes last, as the way on. */
function orderExits(links: readonly Link[]): readonly Link[] {
  return [...links.filter((link) => !isWayOn(link)), ...links.filter(isWayOn)];
}

function isWayOn({ label, kind }: Link): boolean {
  return label === "" && kind !== "fork";
}

// By depth: shared ends and handlers come after the steps that lead to them.
function byRank(one: Block, other: Block): number {
  return one.node.rank - other.node.rank || one.node.index - other.node.index;
}

/** The block that goes on in the same column, so that a sequence does not march to the right. */
function chooseRail(block: Block, depth: number): Block | null {
  const { node, children } = block;
  const sequel = children.find((child) => isSequelOf(child, block));
  if (sequel !== undefined) return sequel;
  const wanted = node.isFork ? node.join : block.next;
  const meeting = children.find((child) => child.node === wanted);
  if (meeting !== undefined || node.isFork) return meeting ?? null;
  const [main, second] = children.filter((child) => countMainWays(child) > 0).toSorted(byWeight);
  if (main === undefined) return null;
  // A place where ways meet goes on; one of several ways does so only if it is clearly the main one.
  const isHeavier = second === undefined || countMainWays(main) > 1 || main.size >= 2 * second.size;
  return (main.size > 1 && isHeavier) || depth >= depthMax ? main : null;
}

function byWeight(one: Block, other: Block): number {
  return other.size - one.size || countMainWays(other) - countMainWays(one);
}

/** The `next` of a step, which nothing else leads to. */
function isSequelOf(child: Block, block: Block): boolean {
  return isOnlyEnteredFrom(child, block) && child.node.into.some((link) => link.kind === "next" && !link.isBack);
}

function countMainWays({ node }: Block): number {
  return node.into.filter((link) => !link.isFailure && !isSide(link) && !link.isBack).length;
}

function isOnlyEnteredFrom(child: Block, block: Block): boolean {
  const entries = child.node.into.filter((link) => !link.isBack && link.from.root === child.node.root);
  return entries.length === 1 && entries.every((link) => link.from === block.node);
}

/** An arrow to the next row of the column is drawn as the rail between the two, unless it is only one of several ways. */
function connect({ node, exits, isRailed }: Draft, next: Draft | undefined): Row {
  const ways = exits.filter(
    (exit) => exit.kind === "mention" && exit.to === next?.node && !exit.link.isFailure && !isSide(exit.link),
  );
  const way = ways.find(({ link }) => link.label === "") ?? (isRailed ? ways.at(-1) : undefined);
  if (way === undefined) return { node, exits, rail: { kind: isRailed ? "plain" : "none" } };
  return { node, exits: exits.filter((exit) => exit !== way), rail: { kind: "link", link: way.link } };
}
