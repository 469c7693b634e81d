// Graphs for tests, written as arrows: `a > b`, `a > b: condition`, `a > end: rejected`, `b < a` leads back from a to b.

import type { Graph, GraphLink, GraphNode } from "./run.ts";

export function sampleNode(key: string, node: Partial<GraphNode> = {}): GraphNode {
  return {
    key,
    name: key,
    kind: "tool",
    detail: "demo.echo",
    tool: "demo.echo",
    ending: null,
    isFork: false,
    isJoin: false,
    join: null,
    isEach: false,
    attemptsMax: 1,
    pointer: null,
    ...node,
  };
}

function sampleLink(id: string, from: string, to: string | null, link: Partial<GraphLink> = {}): GraphLink {
  return { id, from, to, kind: "next", label: "", isFailure: false, isBack: false, isSide: false, ...link };
}

export function sampleGraph(
  arrows: readonly string[],
  nodes: { readonly [key: string]: Partial<GraphNode> } = {},
): Graph {
  const links = arrows.map((arrow) => readArrow(arrow));
  const keys = new Set(links.flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
  const [start = ""] = keys;
  return {
    title: "sample",
    notation: "flow",
    start,
    nodes: [...keys].map((key) => sampleNode(key, nodes[key])),
    links,
  };
}

function readArrow(arrow: string): GraphLink {
  const [way = "", label = ""] = arrow.split(": ");
  const isBack = way.includes(" < ");
  const [one = "", other = ""] = way.split(isBack ? " < " : " > ");
  const [from, to] = isBack ? [other, one] : [one, other];
  return sampleLink(arrow, from, to === "end" ? null : to, { label, isBack, kind: label === "" ? "next" : "route" });
}
