import type { Graph } from "./run.ts";

/** What a layout depends on, and nothing else: as long as it is the same nothing has to move. */
export function shapeOf({ nodes, links }: Graph): string {
  return JSON.stringify([
    nodes.map(({ key, name, kind, detail, isEach, isJoin }) => [key, name, kind, detail, isEach, isJoin]),
    links.map(({ id, from, to, label, isBack }) => [id, from, to, label, isBack]),
  ]);
}
