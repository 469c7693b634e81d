// Which arrows of the graph a run has taken, and which lead from one step to the next for whoever walks along them.

import type { Graph, GraphLink, MachineTransition, Outline, Step } from "./run.ts";
import { hasStepEnded } from "./status.ts";

/** Ids of the links on which the run has gone. */
export function takenLinks(graph: Graph, outline: Outline): ReadonlySet<string> {
  const rows = outline.steps.filter(({ role }) => role === "step");
  const byId = new Map(rows.map((row) => [row.id, row]));
  const leaving = Map.groupBy(graph.links, ({ from }) => from);
  const taken = new Set<string>();
  const hasLed = new Set<number>();
  for (const row of rows) {
    const cause = row.causedBy === null ? undefined : byId.get(row.causedBy);
    // Another try is no way.
    if (cause === undefined || (cause.key === row.key && row.attempt > 1)) continue;
    const ways = (leaving.get(cause.key) ?? []).filter(({ to }) => to === row.key);
    if (ways.length > 0) hasLed.add(cause.id);
    for (const { id } of chooseWays(ways, cause, row)) taken.add(id);
  }
  for (const row of rows)
    if (hasStepEnded(row.status) && !hasLed.has(row.id)) addEnds(taken, leaving.get(row.key) ?? [], row);
  return taken;
}

/** Of several arrows between the same two steps: the one of the outcome, or of the transition. */
function chooseWays(ways: readonly GraphLink[], cause: Step, row: Step): readonly GraphLink[] {
  if (ways.length < 2) return ways;
  const fired = cause.transition ?? row.transition;
  const named = ways.filter(
    (way) =>
      (way.kind === "route" && way.label === cause.outcome) ||
      (way.kind === "event" && fired !== null && isNamed(way, fired)),
  );
  if (named.length > 0) return named;
  const plain = ways.filter(({ kind }) => kind !== "route" && kind !== "event");
  return plain.length > 0 ? plain : ways;
}

// Arrivals at a join and ends of paths make no row that says where they came from.
function addEnds(taken: Set<string>, links: readonly GraphLink[], row: Step): void {
  const ends = links.filter(({ to, kind }) => to === null || kind === "join");
  const named = ends.filter(({ label }) => label !== "" && label === row.outcome);
  const plain = ends.filter(({ label, isFailure }) => label === "" && !isFailure);
  const chosen = named.length > 0 ? named : row.status === "done" ? (plain.length > 0 ? plain : only(ends)) : [];
  for (const { id } of chosen) taken.add(id);
}

function only(ends: readonly GraphLink[]): readonly GraphLink[] {
  const [end, ...others] = ends;
  return end !== undefined && others.length === 0 && !end.isFailure ? [end] : [];
}

function isNamed({ label }: GraphLink, transition: string): boolean {
  return label === transition || label.startsWith(`${transition} `);
}

/** By the link: what can be fired on it now. */
export function openTransitions(
  graph: Graph,
  { transitions, steps, can }: Outline,
): ReadonlyMap<string, MachineTransition> {
  const found = new Map<string, MachineTransition>();
  if (!can.fire) return found;
  for (const transition of transitions) {
    if (!transition.isOpen) continue;
    const state = steps.find(({ id }) => id === transition.step)?.key;
    const ways = graph.links.filter(
      (link) => link.kind === "event" && link.from === state && isNamed(link, transition.name),
    );
    const way = ways.find(({ to }) => to === transition.to) ?? ways[0];
    if (way !== undefined) found.set(way.id, transition);
  }
  return found;
}

export type Direction = "up" | "down" | "left" | "right";

type Spot = { readonly key: string; readonly x: number; readonly y: number };

/** The step to which an arrow key leads: along the arrows up and down, to the next one beside it else. */
export function walk(graph: Graph, spots: readonly Spot[], from: string, direction: Direction): string | null {
  const places = new Map(spots.map((spot) => [spot.key, spot]));
  const here = places.get(from);
  if (here === undefined) return null;
  const isAhead = ({ x, y }: Spot): boolean => {
    if (direction === "up") return y < here.y;
    if (direction === "down") return y > here.y;
    return direction === "left" ? x < here.x : x > here.x;
  };
  const nearest = (keys: readonly string[]): string | null => {
    const ahead = keys.flatMap((key) => places.get(key) ?? []).filter((spot) => spot.key !== from && isAhead(spot));
    return ahead.toSorted((one, other) => distance(one, here) - distance(other, here))[0]?.key ?? null;
  };
  const linked = graph.links.flatMap((link) =>
    link.from === from ? (link.to ?? []) : link.to === from ? link.from : [],
  );
  if (direction === "up" || direction === "down") return nearest(linked);
  const beside = spots.filter(({ y }) => Math.abs(y - here.y) < 40).map(({ key }) => key);
  return nearest(beside) ?? nearest(linked);
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
